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
    var endedSessionCount = 0
    /// Indicates whether a session has ended whose data could not be removed.
    var keepsEndedSession = false

    func isCurrent(_ trace: ReadingTrace) -> Bool {
      guard trace.generation < log.current else { return true }
      guard let missed = log.changes(since: trace.generation) else { return false }
      let index = DependencyIndex(trace.dependencies.unsharedEntries)
      return !trace.dependencies.areConcerned(by: missed, index)
    }

    func recorded(_ changes: ChangeSet, isComplete: Bool) -> RecordedCommit {
      RecordedCommit(
        changes: changes, callbacks: index.watches(concernedBy: changes), generation: log.current,
        isComplete: isComplete)
    }
  }
  private let state: Lock<State>

  /// Creates a registry without watches.
  ///
  /// - Parameter version: The cache's own count of commits, or 0 if it does not count them.
  package init(version: UInt64 = 0) {
    state = Lock(State(log: ChangeLog(version: version)))
  }

  /// Called without a lock held when the first watch was added or the last one removed.
  let onActivity = Lock<(@Sendable () -> Void)?>(nil)

  /// Called, without a lock held, when the cache may have changed without this store. Returns
  /// whether the store has layers, which must be computed again.
  let onForeignCommit = Lock<(@Sendable () -> Bool)?>(nil)

  /// Indicates whether there are watches.
  package var hasWatches: Bool { state.withLock { !$0.index.isEmpty } }

  /// The records that watches depend on.
  var watchedRecords: [RecordKey] { state.withLock { $0.index.records } }

  /// Returns whether a watch depends on a record.
  func isWatched(_ record: RecordKey) -> Bool { state.withLock { $0.index.contains(record) } }

  /// Returns whether a watch depends on a field of a record.
  func isWatched(_ field: FieldKey, of record: RecordKey) -> Bool {
    state.withLock { $0.index.contains(field, of: record) }
  }

  /// The number of watches.
  var watchCount: Int { state.withLock { $0.index.count } }

  /// Returns the first watches, for tools.
  func activity(atMost count: Int) -> [StoreActivity.Watch] {
    let index = state.withLock { $0.index }
    return index.activity(atMost: count)
  }

  package var generation: Generation { state.withLock { $0.log.current } }

  /// The generation, and the cache's own count of commits at that generation.
  package var counts: (generation: Generation, version: UInt64) {
    state.withLock { ($0.log.current, $0.log.version) }
  }

  package func add(
    _ id: StoreWatch.ID, toEverything: Bool, subject: Any.Type? = nil,
    onSessionEnd: (@Sendable (SessionEnd) -> Void)? = nil,
    onChange: @escaping @Sendable (StoreChange) -> Void
  ) {
    let isFirst = state.withLock { state in
      defer {
        state.index.add(
          id, toEverything: toEverything, subject: subject, onSessionEnd: onSessionEnd,
          onChange: onChange)
      }
      return state.index.isEmpty
    }
    if isFirst { onActivity.get()?() }
  }

  package func remove(_ id: StoreWatch.ID) {
    let (callbacks, isLast) = state.withLock { state in
      let callbacks = state.index.remove(id)
      return (callbacks, callbacks != nil && state.index.isEmpty)
    }
    if isLast { onActivity.get()?() }
    withExtendedLifetime(callbacks) {}  // released here, outside the lock
  }

  /// Registers the dependencies of a reading. Returns `true` if the reading is still current.
  package func setDependencies(_ trace: ReadingTrace, of id: StoreWatch.ID) -> Bool {
    state.withLock { state in
      state.index.replaceDependencies(of: id, with: trace.dependencies)
      return state.isCurrent(trace)
    }
  }

  /// Returns whether nothing that a reading depends on was written since.
  package func isCurrent(_ trace: ReadingTrace) -> Bool {
    state.withLock { $0.isCurrent(trace) }
  }

  /// Tells the watches that show nothing of a user whose session has ended. No lock is held.
  package func report(_ end: SessionEnd) {
    for callback in state.withLock({ $0.index.sessionEndCallbacks }) { callback(end) }
    // Afterwards: once the number has changed, no watch of the session delivers anything.
    if end == .begun { state.withLock { $0.endedSessionCount += 1 } }
  }

  /// Notes that the data of a session that has ended could not be removed.
  package func noteFailedClearing() { state.withLock { $0.keepsEndedSession = true } }

  /// Tells the watches that the data of a session that had ended before is gone, if they wait for
  /// that.
  func noteClearing() {
    let isAwaited = state.withLock { state in
      defer { state.keepsEndedSession = false }
      return state.keepsEndedSession
    }
    if isAwaited { report(.cleared) }
  }

  /// The number of sessions whose watches show nothing any more.
  package var endedSessionCount: Int { state.withLock { $0.endedSessionCount } }

  /// Lets a watch whose reading failed depend on everything until its next reading.
  ///
  /// - Returns: `true` if nothing was written since `generation`, and the cache was not resumed.
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

  /// Returns whether every commit is recorded that readers of a snapshot see. Commits of other
  /// stores of a cache in memory are recorded a moment after they are visible.
  ///
  /// - Parameters:
  ///   - version: The cache's own count of commits at the snapshot, or `nil` if it does not count.
  ///   - commit: A commit of this store that is about to be recorded.
  /// - Returns: `true` also if the cache does not count.
  func knowsAllCommits(until version: UInt64?, including commit: Commit) -> Bool {
    guard let version else { return true }
    let recorded = counts.version
    guard commit.isCounted, let own = commit.version, own > recorded else {
      return version <= recorded
    }
    return own == recorded + 1 && version == own
  }

  /// Records a commit that is now visible to readers.
  ///
  /// - Parameters:
  ///   - changes: The changes that readers see. Those of the commit, unless optimistic layers are
  ///     above it.
  ///   - version: The cache's own count of commits, or `nil` if it does not count them.
  ///   - isCounted: Whether that includes the commit (``Commit/isCounted``).
  /// - Returns: The changes as far as they are known, and the watches that they concern.
  package func record(
    _ changes: ChangeSet, version: UInt64?, isCounted: Bool = true
  ) -> RecordedCommit {
    state.withLock { state in
      guard !changes.isEmpty || state.log.isBehind(version) else {
        return RecordedCommit(
          changes: changes, callbacks: [], generation: state.log.current, isComplete: true)
      }
      let isComplete = state.log.append(changes, version: version, isCounted: isCounted)
      return state.recorded(isComplete ? changes : .everything, isComplete: isComplete)
    }
  }

  /// Records a commit of this store, with the changes that readers see because of it.
  func record(_ changes: ChangeSet, of commit: Commit) -> RecordedCommit {
    record(changes, version: commit.version, isCounted: commit.isCounted)
  }

  /// Records that the cache may have changed without this store.
  ///
  /// - Parameters:
  ///   - version: The cache's own count of commits, or `nil` if it does not count them.
  ///   - hasLayers: Whether the store has layers. They may lack a commit although the store has
  ///     recorded a later one.
  /// - Returns: The watches to notify: all, or none if the store has recorded a later commit
  ///   already.
  package func recordForeignCommit(version: UInt64?, hasLayers: Bool = false) -> RecordedCommit? {
    state.withLock { state in
      if let version, version <= state.log.version, !hasLayers { return nil }
      _ = state.log.append(.everything, version: version)
      return state.recorded(.everything, isComplete: false)
    }
  }

  /// Records that the cache can be read again, in a generation without changes: readings that have
  /// succeeded stay current, and one that is failing at this moment notices it
  /// (``dependOnEverything(_:since:)``).
  ///
  /// - Returns: The callbacks of the watches whose latest reading failed.
  package func recordResumption() -> [@Sendable (StoreChange) -> Void] {
    state.withLock { state in
      state.log.append(ChangeSet(), version: nil)
      return state.index.watchesAfterFailure
    }
  }
}

/// A commit that is in the log of a registry.
package struct RecordedCommit: Sendable {
  /// The changes, or everything if the cache has changed without the store as well.
  package let changes: ChangeSet
  /// The callbacks of the watches that the changes concern.
  package let callbacks: [@Sendable (StoreChange) -> Void]
  /// The generation that includes the commit.
  package let generation: Generation
  /// `false` if the cache has changed without the store since the commit before, as far as its own
  /// count of commits shows that. If it is `true`, ``changes`` can still be everything, because of
  /// layers.
  package let isComplete: Bool
}
