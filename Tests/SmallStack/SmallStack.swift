import Dispatch
import Foundation

/// Does `work` on a new thread with a stack of so many bytes, and waits for it.
package func runOnThread<Value: Sendable>(
  withStack stackSize: Int, _ work: @escaping @Sendable () throws -> Value
) throws -> Value {
  // Because it is written by the thread before it signals, and read by this one after it was
  // signalled.
  nonisolated(unsafe) var result: Result<Value, any Error>?
  let isDone = DispatchSemaphore(value: 0)
  let thread = Thread {
    result = Result(catching: work)
    isDone.signal()
  }
  thread.stackSize = stackSize
  thread.start()
  isDone.wait()
  return try result!.get()  // the thread has signalled
}
