package import Foundation

/// A program that a test has started.
///
/// Foundation's `Process` is not used because what a child inherits decides whether these tests
/// end: a signal that the test run ignores (as everything does that a shell starts with `&`) would
/// be ignored by the child as well, and a descriptor that another test opens at the moment of the
/// start would stay open for as long as the child lives. A child of this kind inherits its three
/// standard streams, handles every signal as by default, and is waited for without holding a thread
/// of the pool that tests run on.
package actor ChildProcess {
  package nonisolated let identifier: pid_t

  /// Finished as soon as the program has ended; the process is still there to be asked for its
  /// status.
  private let ending: Task<Void, Never>
  private var status: Int32?
  private let leadsGroup: Bool

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
    self.identifier = identifier
    self.leadsGroup = leadsGroup
    ending = Task {
      await onThreadOfItsOwn { waitWithoutReaping(identifier) }
    }
  }

  /// Returns when the program has ended: with what it exited with, or 128 plus the signal that
  /// ended it, as shells say it.
  ///
  /// A cancelled wait kills the program.
  package func exitStatus() async -> Int32 {
    await withTaskCancellationHandler {
      await ending.value
    } onCancel: {
      Task { await send(SIGKILL) }
    }
    if let status { return status }
    // While the number is still the program's.
    if leadsGroup { kill(-identifier, SIGKILL) }
    let status = reap(identifier)
    self.status = status
    return status
  }

  /// Sends a signal, unless the program is known to have ended: its number may be another program's
  /// by now.
  package func send(_ signal: Int32) {
    guard status == nil else { return }
    kill(identifier, signal)
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
