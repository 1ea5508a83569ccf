internal import ApolloAPI

/// The dependencies of the latest readings and responses of a store, from which the order of the
/// last uses of records follows approximately.
///
/// Noting a reading costs the same whatever the number of its records.
///
/// A cache that keeps uses receives a sample of them, a few records with each commit:
///
/// 1. Every reading counts, and every fourth response. The next commit notes it.
/// 2. A record is noted once in ten minutes.
/// 3. If there are more uses than commits can note, the older ones are dropped.
final class RecentUses: Sendable {
  fileprivate struct State: Sendable {
    var uses: [Dependencies] = []
    var responseCount = 0
    /// The uses that the cache does not know, the newest last.
    var unsaved: [Unsaved] = []
    /// The records that the cache has noted in the current period.
    var saved: Set<RecordKey> = []
    var period: Int64 = 0
  }
  private let state = Lock(State())

  /// A use of which the cache knows the records before `next`.
  fileprivate struct Unsaved: Sendable {
    let dependencies: Dependencies
    var next = 0
  }

  /// The largest number of uses. The older half of them is forgotten at once.
  private static let maximumCount = 1_024

  /// The largest number of uses that wait for a commit.
  fileprivate static let maximumUnsavedCount = 64

  /// The number of responses of which one is noted in the cache.
  private static let responsesInASample = 4

  /// The number of records that one commit notes, and the number that it looks at for that.
  private static let recordsInASample = (noted: 64, seen: 512)

  /// The time in seconds in which a record is noted once.
  private static let secondsInAPeriod: Int64 = 600

  /// Notes that a reading has read records.
  func note(reading dependencies: Dependencies) {
    note(dependencies) { $0.save(dependencies) }
  }

  /// Notes that a response is about to write records.
  ///
  /// - Returns: The dependencies for ``noteCommit(of:)``.
  /// - Complexity: O(*n*) in the number of records.
  func note(response: Dependencies) -> Dependencies {
    let dependencies = response.withoutObjects
    note(dependencies) { _ in }
    return dependencies
  }

  /// Notes that a response has written records.
  ///
  /// The next commit notes them in the cache. The commit of the response cannot, because its new
  /// records do not exist before it.
  func noteCommit(of response: Dependencies) {
    state.withLock { state in
      state.responseCount += 1
      if state.responseCount % Self.responsesInASample == 0 { state.save(response) }
    }
  }

  /// Notes that records may have been removed, and with them their uses in the cache.
  ///
  /// - Complexity: O(*n*) in the number of changed records. O(1) for a cache that keeps no uses.
  func forget(_ changes: ChangeSet) {
    state.withLock { state in
      if changes.includesEverything { state.saved = [] }
      guard !state.saved.isEmpty else { return }
      for entry in changes.entries where entry.fields.isAll { state.saved.remove(entry.record) }
    }
  }

  private func note(_ dependencies: Dependencies, _ save: (inout State) -> Void) {
    let old = state.withLock { state -> [Dependencies] in
      defer { state.uses.append(dependencies) }
      save(&state)
      guard state.uses.count >= Self.maximumCount else { return [] }
      let old = Array(state.uses.prefix(Self.maximumCount / 2))
      state.uses.removeFirst(Self.maximumCount / 2)
      return old
    }
    withExtendedLifetime(old) {}  // its objects are released outside the lock
  }

  /// The position of each record's last use. Records without a known use are omitted.
  var positions: [RecordKey: Int] {
    let uses = state.withLock { $0.uses }
    var positions: [RecordKey: Int] = [:]
    for (position, use) in uses.enumerated() {
      for entry in use.entries { positions[entry.record] = position }
    }
    return positions
  }

  /// Returns records that were used, for the cache to note. The caller is the only writer.
  ///
  /// - Parameter time: The current time, in seconds since 1970.
  /// - Returns: The keys, of the latest uses first.
  /// - Complexity: O(1).
  func takeSample(at time: Int64) -> [RecordKey] {
    state.withLock { state in
      guard !state.unsaved.isEmpty else { return [] }
      let period = time / Self.secondsInAPeriod
      if period != state.period {
        state.period = period
        state.saved = []
      }
      var sample: [RecordKey] = []
      var seenCount = 0
      while var use = state.unsaved.popLast() {
        let entries = use.dependencies.entries
        while use.next < entries.count, sample.count < Self.recordsInASample.noted,
          seenCount < Self.recordsInASample.seen
        {
          let key = entries[use.next].record
          use.next += 1
          seenCount += 1
          if !key.isRoot, state.saved.insert(key).inserted { sample.append(key) }
        }
        guard use.next == entries.count else {
          state.unsaved.append(use)
          break
        }
      }
      return sample
    }
  }
}

extension RecentUses.State {
  /// Keeps a use for the cache, and drops the oldest ones if there are too many.
  fileprivate mutating func save(_ dependencies: Dependencies) {
    if unsaved.count >= RecentUses.maximumUnsavedCount {
      unsaved.removeFirst(RecentUses.maximumUnsavedCount / 2)
    }
    unsaved.append(RecentUses.Unsaved(dependencies: dependencies))
  }
}
