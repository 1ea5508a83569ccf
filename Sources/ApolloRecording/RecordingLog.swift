internal import ApolloAPI
package import Foundation

/// The file of a recording.
///
/// Only the user of the program can read the file: it has the data of the server.
///
/// Isolation: a lock guards the file handle. It is held while a line is written, so that lines of
/// calls at the same time do not mix, and not while the line is made.
package final class RecordingLog: Sendable {
  private struct State {
    var file: FileHandle?
    var callCount = 0
    /// The identifiers of secret parts that calls under way have announced, by their numbers.
    var secretIDs: [Int: Set<String>] = [:]
    /// The first error with which a line could not be written.
    var failure: (any Error)?

    /// Writes bytes, unless that has failed before. Returns the error if it fails.
    mutating func write(_ bytes: [UInt8]) -> (any Error)? {
      guard failure == nil else { return nil }
      do {
        try file?.write(contentsOf: bytes)
      } catch {
        failure = error
      }
      return failure
    }
  }

  private let state: Lock<State>
  private let redaction: RecordingRedaction
  private let elapsed: @Sendable () -> Duration
  private let reportFailure: @Sendable (any Error) -> Void

  /// Creates a log in a new file, in place of an older one.
  ///
  /// - Parameters:
  ///   - file: The file to write.
  ///   - redaction: The values that are not recorded.
  ///   - clock: The clock for the times in the file.
  ///   - reportFailure: A function to call with the first error with which a line cannot be
  ///     written. No further lines are written.
  /// - Throws: An error of Foundation if the file cannot be written.
  package convenience init(
    file: URL, redaction: RecordingRedaction, clock: some Clock<Duration>,
    reportFailure: @escaping @Sendable (any Error) -> Void = { _ in }
  ) throws {
    try Data().write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    try self.init(
      FileHandle(forWritingTo: file), redaction: redaction, clock: clock,
      reportFailure: reportFailure)
  }

  /// Creates a log in an empty file that is open for writing.
  package init(
    _ file: FileHandle, redaction: RecordingRedaction, clock: some Clock<Duration>,
    reportFailure: @escaping @Sendable (any Error) -> Void
  ) throws {
    try file.write(contentsOf: RecordedEvent.header)
    state = Lock(State(file: file))
    self.redaction = redaction
    self.reportFailure = reportFailure
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  /// The time since the recording began.
  package var now: Duration { elapsed() }

  /// Writes the first line of a call and returns the number of the call.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - time: The time at which it was sent; `nil` for now.
  /// - Returns: The number.
  package func begin(_ request: RecordedEvent.Request, at time: Duration? = nil) -> Int {
    let call = state.withLock { state in
      state.callCount += 1
      return state.callCount
    }
    write(RecordedEvent(call: call, time: time ?? now, .request(request)))
    return call
  }

  /// Writes a further line of a call.
  package func add(_ content: RecordedEvent.Content, to call: Int) {
    write(RecordedEvent(call: call, time: now, content))
  }

  private func write(_ event: RecordedEvent) {
    // The events of one call are written one after the other.
    var secretIDs = state.withLock { $0.secretIDs[event.call] ?? [] }
    let line = event.line(redaction, secretIDs: &secretIDs)
    let failure = state.withLock { state in
      state.secretIDs[event.call] = event.isLast || secretIDs.isEmpty ? nil : secretIDs
      return state.write(line)
    }
    if let failure { reportFailure(failure) }
  }

  /// Closes the file, and throws the first error with which it could not be written.
  package func finish() throws {
    try state.withLock { state in
      do {
        try state.file?.close()
      } catch {
        state.failure = state.failure ?? error
      }
      state.file = nil
      if let failure = state.failure { throw failure }
    }
  }
}
