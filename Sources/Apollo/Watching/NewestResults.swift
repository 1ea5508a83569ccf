import ApolloAPI

/// The results of a watch that a loop has not taken: the newest data, and the newest error if that
/// has followed it.
///
/// Isolation: `waiting` is guarded by a lock.
final class NewestResults<Success: Sendable>: Sendable {
  typealias Element = (result: Result<Success, any Error>, session: WatchSession)
  private let waiting = Lock<(data: Element?, error: Element?)>((nil, nil))
  /// Signals that results may wait.
  let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func add(_ result: Result<Success, any Error>, of session: WatchSession) {
    waiting.withLock { waiting in
      switch result {
      case .success: waiting = ((result, session), nil)
      case .failure: waiting.error = (result, session)
      }
    }
    signal.yield()
  }

  /// Removes and returns the oldest result that waits.
  func take() -> Element? {
    waiting.withLock { waiting in
      if let data = waiting.data {
        waiting.data = nil
        return data
      }
      defer { waiting.error = nil }
      return waiting.error
    }
  }

  func finish() { signal.finish() }
}
