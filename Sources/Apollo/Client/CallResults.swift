import ApolloAPI
import ApolloTransport

/// The results of one call on their way to its handler.
///
/// A result may wait for its queue for a long time, and the call may be cancelled meanwhile.
/// Therefore the handler's queue asks for the result immediately before the handler receives it.
///
/// | state | the handler receives |
/// | :-- | :-- |
/// | `open` | Each result. An error is the last one. |
/// | `cancelled` | A `CancellationError` in place of the next result. |
/// | `ended` | Nothing: it has received an error. |
///
/// The end of the session has the effect of a cancellation.
///
/// Isolation: the state is behind a lock; the handler is called outside of it.
final class CallResults: Sendable {
  private enum State { case open, cancelled, ended }

  private let session: CallSession?
  private let state = Lock(State.open)

  init(in session: CallSession?) { self.session = session }

  func cancel() { state.withLock { if $0 == .open { $0 = .cancelled } } }

  /// Returns the outcome that the handler receives now in place of a result, or `nil` if it has
  /// received an error.
  func delivered<Success: Sendable>(
    _ result: Result<Success, any Error>
  ) -> Result<Success, any Error>? {
    let isCurrent = session?.isCurrent ?? true
    return state.withLock { state in
      guard state != .ended else { return nil }
      let isWanted = isCurrent && state == .open
      if isWanted, case .success = result { return result }
      state = .ended
      return isWanted ? result : .failure(CancellationError())
    }
  }
}
