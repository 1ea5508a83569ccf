internal import ApolloAPI

/// The active watches of a store and its latest changes.
///
/// How a watch misses no change, whichever thread reads and writes:
///
/// 1. A reader notes the generation, and only then opens its snapshot.
/// 2. It reads, and records its dependencies.
/// 3. ``setDependencies(_:of:)`` registers them, and looks in the log for changes since that
///    generation, in one critical section.
/// 4. If one of them concerns the dependencies, or the log does not reach back so far, the reading
///    is stale: read again.
/// 5. A writer makes its commit visible first, and then records it, in one critical section that
///    also finds the watches. So a change is either in the log at step 3, or finds the watch
///    registered.
package final class WatchRegistry: Sendable {
  private struct State: Sendable {
    var index = WatchIndex()
    var log: ChangeLog
  }
  private let state: Lock<State>

  /// Creates a registry without watches.
  ///
  /// - Parameter version: The cache's own count of commits, or 0 if it does not count them.
  package init(version: UInt64 = 0) {
    state = Lock(State(log: ChangeLog(version: version)))
  }

  package var generation: Generation { state.withLock { $0.log.current } }

  /// The generation, and the cache's own count of commits at that generation.
  package var counts: (generation: Generation, version: UInt64) {
    state.withLock { ($0.log.current, $0.log.version) }
  }

  package func add(
    _ id: StoreWatch.ID, toEverything: Bool, onChange: @escaping @Sendable (StoreChange) -> Void
  ) {
    state.withLock { $0.index.add(id, toEverything: toEverything, onChange: onChange) }
  }

  package func remove(_ id: StoreWatch.ID) {
    let callback = state.withLock { $0.index.remove(id) }
    withExtendedLifetime(callback) {}  // released here, outside the lock
  }

  /// Registers the dependencies of a reading. Returns `true` if the reading is still current.
  package func setDependencies(_ trace: ReadingTrace, of id: StoreWatch.ID) -> Bool {
    state.withLock { state in
      state.index.replaceDependencies(of: id, with: trace.dependencies.entries)
      guard trace.generation < state.log.current else { return true }
      guard let missed = state.log.changes(since: trace.generation) else { return false }
      let index = DependencyIndex(trace.dependencies)
      return !missed.contains(where: index.intersects)
    }
  }

  /// Lets a watch whose reading failed depend on everything until its next reading.
  ///
  /// - Returns: `true` if nothing was written since `generation`.
  package func dependOnEverything(_ id: StoreWatch.ID, since generation: Generation) -> Bool {
    state.withLock { state in
      state.index.dependOnEverything(id)
      return state.log.current == generation
    }
  }

  /// The changes after `generation`, or `nil` if the log does not reach back so far.
  package func changes(since generation: Generation) -> ArraySlice<ChangeSet>? {
    state.withLock { $0.log.changes(since: generation) }
  }

  /// Records a commit that is now visible to readers.
  ///
  /// - Parameters:
  ///   - changes: The changes of the commit.
  ///   - version: The cache's own count of commits, or `nil` if it does not count them.
  /// - Returns: The callbacks of the watches that the changes concern.
  package func record(_ changes: ChangeSet, version: UInt64?) -> [@Sendable (StoreChange) -> Void] {
    guard !changes.isEmpty else { return [] }
    return state.withLock { state in
      state.log.append(changes, version: version)
      return state.index.watches(concernedBy: changes)
    }
  }
}
