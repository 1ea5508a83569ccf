internal import ApolloAPI

/// The root fields of the latest event of each subscription, in memory.
///
/// The records of a cache have no roots of subscriptions: they would grow with the arguments of
/// every call, and keep them on disk. An event is read with these fields in front of the cache.
package final class LatestEvents: Sendable {
  private struct State: Sendable {
    var roots: [SelectionKey: FieldMap] = [:]
    /// The keys in the order in which their first events arrived.
    var order: [SelectionKey] = []
    /// The number of commits by others at which these are the events.
    var foreignCommitCount = 0
  }
  private let state = Lock(State())

  /// The largest number of subscriptions. Each keeps the objects of one event alive.
  private static let maximumCount = 16

  /// Keeps the root fields of an event, in place of those of the event before. `nil` forgets them.
  func remember(_ root: FieldMap?, of key: SelectionKey) {
    let old = state.withLock { state -> FieldMap? in
      var old = state.roots.removeValue(forKey: key)
      guard let root else {
        state.order.removeAll { $0 == key }
        return old
      }
      if old == nil { state.order.append(key) }
      state.roots[key] = root
      if state.order.count > Self.maximumCount {
        old = state.roots.removeValue(forKey: state.order.removeFirst())
      }
      return old
    }
    withExtendedLifetime(old) {}  // its objects are released outside the lock
  }

  /// The root fields of the latest event, if there was one.
  func root(of key: SelectionKey) -> FieldMap? { state.withLock { $0.roots[key] } }

  /// The root fields of the latest events.
  var roots: [FieldMap] { state.withLock { Array($0.roots.values) } }

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
