import Foundation

/// A thread for what recurses too deeply for the stack of a task, which has 512 KiB on Apple
/// platforms.
enum LargeStack {
  /// Returns the result of `body`, which runs on a thread with a large stack. The caller waits.
  static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
    // Because the thread writes it before it signals, and this one reads it after the signal.
    nonisolated(unsafe) var result: Result?
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      result = body()
      isDone.signal()
    }
    thread.stackSize = 8 << 20
    thread.start()
    isDone.wait()
    guard let result else { preconditionFailure("The thread has set the result.") }
    return result
  }
}
