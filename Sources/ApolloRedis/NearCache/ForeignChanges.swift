internal import ApolloAPI
internal import ApolloCache

/// The changes by other processes, on their way to the stores of a cache.
///
/// The handlers run in one task at a time, in order, and never on the thread of the event loop.
/// Changes that arrive meanwhile are combined.
final class ForeignChanges: Sendable {
  /// Receives changes. Returns `false` if it needs no more.
  typealias Handler = @Sendable (ChangeSet) -> Bool

  private struct State {
    /// The handlers in the order in which they were added, with a number each.
    var handlers: [(number: Int, handler: Handler)] = []
    var latestNumber = 0
    /// The number of handlers above which those that have ended are searched for.
    var searchCount = ForeignChanges.leastSearchCount
    var pending = ChangeSet()
    var isDelivering = false
  }
  private let state = Lock(State())

  /// The largest number of records in a combined set. More count as everything.
  private static let mostEntries = 8_192

  /// So few handlers are kept without a search.
  private static let leastSearchCount = 16

  /// Adds a handler.
  ///
  /// A server may make a store for each of its requests, and changes by others may never come. So
  /// handlers that have ended are also removed here, each time that their number has doubled.
  ///
  /// - Complexity: O(1) on average.
  func addHandler(_ handler: @escaping Handler) {
    let isFull = state.withLock { state in
      state.latestNumber += 1
      state.handlers.append((state.latestNumber, handler))
      return state.handlers.count > state.searchCount
    }
    if isFull { removeEnded() }
  }

  func add(_ changes: ChangeSet) {
    guard !changes.isEmpty else { return }
    let startsTask = state.withLock { state in
      state.pending.formUnion(changes)
      if state.pending.entries.count > Self.mostEntries { state.pending = .everything }
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    if startsTask { Task.detached { self.deliver() } }
  }

  private func deliver() {
    while true {
      let next = state.withLock { state -> (ChangeSet, [Handler])? in
        guard !state.pending.isEmpty else {
          state.isDelivering = false
          return nil
        }
        defer { state.pending = ChangeSet() }
        return (state.pending, state.handlers.map { $0.handler })
      }
      guard let (changes, handlers) = next else { return }
      var ended = 0
      for handler in handlers where !handler(changes) { ended += 1 }
      if ended > 0 { removeEnded() }
    }
  }

  /// Removes the handlers that need no more changes.
  ///
  /// They are asked and released without the lock: a handler may have the last reference to its
  /// store for a moment.
  private func removeEnded() {
    let known = state.withLock { $0.handlers }
    let ended = Set(known.filter { !$0.handler(ChangeSet()) }.map(\.number))
    state.withLock { state in
      state.handlers.removeAll { ended.contains($0.number) }
      state.searchCount = max(Self.leastSearchCount, 2 * state.handlers.count)
    }
    withExtendedLifetime(known) {}
  }
}
