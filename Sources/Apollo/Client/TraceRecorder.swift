internal import ApolloAPI
import ApolloCache
import ApolloTransport

/// Where a request leaves what its response was read from.
///
/// It travels beside the response, because interceptors may replace that.
final class TraceRecorder: Sendable {
  private let content = Lock<ReadingTrace?>(nil)

  func put(_ trace: ReadingTrace?) { content.withLock { $0 = trace } }

  func take() -> ReadingTrace? { content.exchange(nil) }
}
