internal import ApolloAPI
import ApolloRecording
import ApolloTransport
import Foundation

/// The file of a recording.
///
/// Isolation: a lock guards the file handle. It is held while a line is written, so that lines of
/// calls at the same time do not mix.
final class RecordingLog: Sendable {
  private struct State {
    var file: FileHandle?
    var callCount = 0
    /// The first error with which a line could not be written.
    var failure: (any Error)?

    mutating func write(_ bytes: [UInt8]) {
      guard failure == nil else { return }
      do {
        try file?.write(contentsOf: bytes)
      } catch {
        failure = error
      }
    }
  }

  private let state: Lock<State>
  private let redaction: RecordingRedaction
  private let elapsed: @Sendable () -> Duration

  init(file: URL, redaction: RecordingRedaction, clock: some Clock<Duration>) throws {
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: RecordedEvent.header)
    state = Lock(State(file: handle))
    self.redaction = redaction
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  /// Writes the first line of a call and returns the number of the call.
  func begin(_ request: RecordedEvent.Request) -> Int {
    state.withLock { state in
      state.callCount += 1
      let event = RecordedEvent(call: state.callCount, time: elapsed(), .request(request))
      state.write(event.line(redaction))
      return state.callCount
    }
  }

  /// Writes a further line of a call.
  func add(_ content: RecordedEvent.Content, to call: Int) {
    state.withLock { state in
      state.write(RecordedEvent(call: call, time: elapsed(), content).line(redaction))
    }
  }

  /// Closes the file, and throws the first error with which it could not be written.
  func finish() throws {
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

/// A call whose responses are recorded. It is `cancelled` if it is released before its end, as when
/// a program leaves the loop over the events of a subscription.
final class RecordedCall: Sendable {
  private let log: RecordingLog
  private let number: Int
  private let hasEnded = Lock(false)

  init(_ request: OperationRequest, _ log: RecordingLog) {
    self.log = log
    number = log.begin(RecordedEvent.Request(request))
  }

  deinit {
    if !hasEnded.get() { log.add(.cancelled, to: number) }
  }

  func add(_ response: NetworkResponse) {
    log.add(.response(RecordedEvent.Response(response)), to: number)
  }

  /// Records the end, after which nothing follows.
  func end(_ error: (any Error)? = nil) {
    guard !hasEnded.exchange(true) else { return }
    switch error {
    case nil: log.add(.end, to: number)
    case is CancellationError: log.add(.cancelled, to: number)
    case let error?: log.add(.failure(RecordedEvent.Failure(error)), to: number)
    }
  }
}
