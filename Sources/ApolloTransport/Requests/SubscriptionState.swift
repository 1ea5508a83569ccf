/// A change in the state of a running subscription.
///
/// A program that shows how fresh its data is, or fetches what it has missed, observes these
/// changes:
///
/// ```swift
/// let events = apollo.subscribe(
///   subscription: ReviewAddedSubscription(),
///   stateHandler: { state in
///     if case .resumed = state { refetchReviews() }
///   })
/// ```
public enum SubscriptionState: Sendable {
  /// There is no connection: it was lost, or it could not be made yet. The error says why. The
  /// subscription will be sent when there is one; events may be missed until then.
  case interrupted(any Error)
  /// The subscription was sent, perhaps again. Events between the interruption and now were missed.
  case resumed
  /// So many events were dropped, because the program is slower than the server and the buffer is
  /// full.
  case dropped(eventCount: Int)
}
