package import Foundation

/// A program that a test has started.
///
/// Foundation's `Process` is not used because what a child inherits decides whether these tests
/// end: a signal that the test run ignores (as everything does that a shell starts with `&`) would
/// be ignored by the child as well, and a descriptor that another test opens at the moment of the
/// start would stay open for as long as the child lives. A child of this kind inherits its three
/// standard streams, handles every signal as by default, and is waited for without holding a thread
/// of the pool that tests run on.
///
/// A program that has ended is reaped at once. Exit tests of Swift Testing wait for any child of
/// this process: one that is left unreaped keeps their thread busy, and hides the end of the
/// others.
package struct ChildProcess: Sendable {
  package let identifier: pid_t
  private let life: ProcessLife
  private let ending: Task<Int32, Never>

  /// Starts `program` in `folder`, or where this process is, with `environment` added to the
  /// environment of this process. Streams that are not given are the null device.
  ///
  /// With `leadsGroup`, the programs that this one has started, and that are still running when it
  /// has ended, are killed. They could keep a pipe open for ever.
  package init(
    _ program: URL, _ arguments: [String], in folder: URL? = nil,
    environment: [String: String] = [:], streams: StandardStreams = StandardStreams(),
    leadsGroup: Bool = false
  ) throws {
    let identifier = try spawn(
      program.path, arguments, in: folder?.path,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      streams: streams, leadsGroup: leadsGroup)
    let life = ProcessLife(identifier, leadsGroup: leadsGroup)
    self.identifier = identifier
    self.life = life
    ending = Task { await onThreadOfItsOwn { life.wait() } }
  }

  /// Returns when the program has ended: with what it exited with, or 128 plus the signal that
  /// ended it, as shells say it.
  ///
  /// A cancelled wait kills the program.
  package func exitStatus() async -> Int32 {
    await withTaskCancellationHandler {
      await ending.value
    } onCancel: {
      send(SIGKILL)
    }
  }

  /// Sends a signal, unless the program has ended.
  package func send(_ signal: Int32) { life.send(signal) }
}

/// The time from the start of a program until it is reaped, after which its number may be another
/// program's.
// `@unchecked Sendable` because `isReaped` is used with the lock held only.
private final class ProcessLife: @unchecked Sendable {
  private let identifier: pid_t
  private let leadsGroup: Bool
  private let lock = NSLock()
  private var isReaped = false

  init(_ identifier: pid_t, leadsGroup: Bool) {
    self.identifier = identifier
    self.leadsGroup = leadsGroup
  }

  func send(_ signal: Int32) {
    lock.withLock {
      if !isReaped { kill(identifier, signal) }
    }
  }

  /// Blocks until the program has ended, and returns its status.
  func wait() -> Int32 {
    waitWithoutReaping(identifier)
    return lock.withLock {
      if leadsGroup { kill(-identifier, SIGKILL) }
      isReaped = true
      return reap(identifier)
    }
  }
}

/// The standard streams of a child; `nil` is the null device.
package struct StandardStreams {
  package var input: Pipe?
  package var output: Pipe?
  package var errors: Pipe?

  package init(input: Pipe? = nil, output: Pipe? = nil, errors: Pipe? = nil) {
    self.input = input
    self.output = output
    self.errors = errors
  }

  /// Closes this process's copies of the ends that belong to the child, so that a pipe ends when
  /// the child does.
  func closeEndsOfTheChild() throws {
    try input?.fileHandleForReading.close()
    try output?.fileHandleForWriting.close()
    try errors?.fileHandleForWriting.close()
  }
}

/// Runs a blocking function on a thread of its own.
package func onThreadOfItsOwn<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async
  -> Result
{
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
