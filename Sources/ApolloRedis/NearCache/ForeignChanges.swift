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
    var handlers: [Handler] = []
    var pending = ChangeSet()
    var isDelivering = false
  }
  private let state = Lock(State())

  /// The largest number of records in a combined set. More count as everything.
  private static let mostEntries = 8_192

  func addHandler(_ handler: @escaping Handler) {
    state.withLock { $0.handlers.append(handler) }
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
        return (state.pending, state.handlers)
      }
      guard let (changes, handlers) = next else { return }
      var ended = 0
      for handler in handlers where !handler(changes) { ended += 1 }
      if ended > 0 { removeEnded() }
    }
  }

  /// Removes the handlers that need no more changes.
  private func removeEnded() {
    state.withLock { state in state.handlers.removeAll { !$0(ChangeSet()) } }
  }
}
