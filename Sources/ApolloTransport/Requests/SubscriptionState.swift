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
  /// The connection was lost. The subscription will be sent again; events may be missed until then.
  case interrupted(any Error)
  /// The subscription was sent again. Events between the interruption and now were missed.
  case resumed
  /// So many events were dropped, because the program is slower than the server and the buffer is
  /// full.
  case dropped(eventCount: Int)
}
