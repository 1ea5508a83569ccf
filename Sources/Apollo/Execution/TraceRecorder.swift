internal import ApolloAPI
import ApolloCache
import ApolloTransport

/// Carries the trace of a response from the executor to the watcher that made the request.
///
/// The trace is not part of the response because interceptors may replace the response.
final class TraceRecorder: Sendable {
  private let latest = Lock<ReadingTrace?>(nil)

  func record(_ trace: ReadingTrace?) { latest.withLock { $0 = trace } }

  /// Removes and returns the latest trace.
  func take() -> ReadingTrace? { latest.exchange(nil) }
}
