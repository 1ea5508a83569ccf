internal import ApolloAPI

/// The root fields of the latest event of each subscription, in memory.
///
/// The records of a cache have no roots of subscriptions: they would grow with the arguments of
/// every call, and keep them on disk. An event is read with these fields in front of the cache.
package final class LatestEvents: Sendable {
  private struct Event: Sendable {
    /// The root fields, or `nil` if the event has errors: it is not read then, and no earlier one
    /// takes its place.
    var root: FieldMap?
    /// The facts about the event, or `nil` if the store does not track ages.
    var facts: WriteFacts?
    /// The position of its arrival, or 0 if it is not known.
    var arrival: UInt64
  }

  private struct State: Sendable {
    var roots: [SelectionKey: Event] = [:]
    /// The keys in the order in which their first events arrived.
    var order: [SelectionKey] = []
    /// The number of commits by others at which these are the events.
    var foreignCommitCount = 0
  }
  private let state = Lock(State())

  /// The largest number of subscriptions. Each keeps the objects of one event alive.
  private static let maximumCount = 16

  /// Keeps the root fields of an event in place of those of the event before, or none for `nil`.
  ///
  /// Of two readers of a subscription, the slower one reads older events: one that has arrived
  /// before the event that is known changes nothing. `arrival` is its position, if it is known.
  func remember(
    _ root: FieldMap?, _ facts: WriteFacts?, of key: SelectionKey, arrivedAt arrival: UInt64?
  ) {
    let old = state.withLock { state -> Event? in
      if let arrival, let known = state.roots[key], arrival < known.arrival { return nil }
      var old = state.roots.removeValue(forKey: key)
      if old == nil { state.order.append(key) }
      state.roots[key] = Event(root: root, facts: facts, arrival: arrival ?? 0)
      if state.order.count > Self.maximumCount {
        old = state.roots.removeValue(forKey: state.order.removeFirst())
      }
      return old
    }
    withExtendedLifetime(old) {}  // its objects are released outside the lock
  }

  /// The root fields of the latest event and the facts about it, if there was one and it had no
  /// errors.
  func event(of key: SelectionKey) -> (root: FieldMap, facts: WriteFacts?)? {
    state.withLock { state in
      guard let event = state.roots[key], let root = event.root else { return nil }
      return (root, event.facts)
    }
  }

  /// The root fields of the latest events.
  var roots: [FieldMap] { state.withLock { $0.roots.values.compactMap(\.root) } }

  /// Forgets every event if others have committed since the last call: they may have cleared the
  /// cache.
  func noteForeignCommits(_ count: Int) {
    let old = state.withLock { state -> State? in
      guard state.foreignCommitCount != count else { return nil }
      defer { state = State(foreignCommitCount: count) }
      return state
    }
    withExtendedLifetime(old) {}  // as above
  }

  /// Forgets every event.
  func removeAll() {
    let old = state.withLock { state in
      defer { state = State(foreignCommitCount: state.foreignCommitCount) }
      return state
    }
    withExtendedLifetime(old) {}  // as above
  }
}
