internal import ApolloAPI
import ApolloRecording
import ApolloTransport

/// A call whose responses are recorded. It is `cancelled` if it is released before its end, as when
/// a program leaves the loop over the events of a subscription.
final class RecordedCall: Sendable {
  private let log: RecordingLog
  private let number: Int
  private let hasEnded = Lock(false)

  init(_ request: OperationRequest, _ log: RecordingLog, at time: Duration? = nil) {
    self.log = log
    number = log.begin(RecordedEvent.Request(request), at: time)
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
