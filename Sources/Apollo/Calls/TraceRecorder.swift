internal import ApolloAPI
import ApolloCache
import ApolloTransport

/// Carries the trace of a response from the steps of a call to the watcher that made the request.
///
/// A response has its trace (`dependencies`), unless an interceptor has replaced the response. The
/// trace that was recorded last counts then.
final class TraceRecorder: Sendable {
  /// The part of a call that a watcher must know to observe its response.
  enum Entry: Sendable {
    /// The dependencies of a response from the cache, of a response from the server with its
    /// relation to the cache, or of a miss.
    case trace(ReadingTrace)
    /// The cache could not be read. The reading started at this generation.
    case unreadable(since: Generation)

    /// The trace, if there is one.
    var trace: ReadingTrace? {
      switch self {
      case .trace(let trace): trace
      case .unreadable: nil
      }
    }

    /// The generation at which the cache could not be read, if that is so.
    var failedGeneration: Generation? {
      if case .unreadable(let generation) = self { generation } else { nil }
    }
  }

  private let latest = Lock<Entry?>(nil)

  func record(_ entry: Entry) { latest.withLock { $0 = entry } }

  /// Removes and returns the latest entry.
  func take() -> Entry? { latest.exchange(nil) }

  /// Returns the entry of a response, and removes the latest one.
  func take<Operation>(for response: GraphQLResponse<Operation>) -> Entry? {
    let latest = take()
    return (response.result.dependencies as? ReadingTrace).map { .trace($0) } ?? latest
  }
}
