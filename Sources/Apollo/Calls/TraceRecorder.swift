internal import ApolloAPI
import ApolloCache
import ApolloTransport

/// Carries the trace of a response from the steps of a call to the watcher that made the request.
///
/// The trace is not part of the response because interceptors may replace the response.
final class TraceRecorder: Sendable {
  /// The part of a call that a watcher must know to observe its response.
  enum Entry: Sendable {
    /// The dependencies of a response from the cache, of a response that was written to it, or of a
    /// miss.
    case trace(ReadingTrace)
    /// The dependencies of a response that could not be written to the cache.
    case unwritten(ReadingTrace)
    /// The dependencies of a response that newer data in the cache has overtaken, and of which the
    /// cache lacks the rest.
    case overtaken(ReadingTrace, CacheMissError)
    /// The dependencies of a response to a request from before a clearing, or from a session that
    /// has ended.
    case excluded(ReadingTrace)
    /// The cache could not be read. The reading started at this generation.
    case unreadable(since: Generation)

    /// The trace, if there is one.
    var trace: ReadingTrace? {
      switch self {
      case .trace(let trace), .unwritten(let trace), .overtaken(let trace, _),
        .excluded(let trace):
        trace
      case .unreadable: nil
      }
    }

    /// Indicates whether the cache lacks the response.
    var isUnwritten: Bool {
      if case .unwritten = self { true } else { false }
    }

    /// The generation at which the cache could not be read, if that is so.
    var failedGeneration: Generation? {
      if case .unreadable(let generation) = self { generation } else { nil }
    }
  }

  private let latest = Lock<Entry?>(nil)

  func record(_ entry: Entry?) { latest.withLock { $0 = entry } }

  /// Removes and returns the latest entry.
  func take() -> Entry? { latest.exchange(nil) }
}
