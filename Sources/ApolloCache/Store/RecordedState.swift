internal import ApolloAPI

/// The state of a cache at the start of a reading, as far as the log of changes has it.
struct RecordedState {
  /// The cache's own count of commits in the log, if it counts them.
  fileprivate let version: UInt64
  /// The epoch of the layers in the log, or `nil` if it does not have them yet.
  fileprivate let layersEpoch: UInt64?
  /// The number of commits that the stores of the cache have begun, or `nil` if one of them is
  /// visible, or about to be, and not in the log yet.
  fileprivate let commitCount: UInt64?
  /// The number of commits by others, or `nil` if it is not known.
  let foreignCommitCount: Int?
}

extension ApolloStore {
  /// The state before a snapshot is opened, for ``hasRecorded(_:since:)``.
  var recordedState: RecordedState {
    let epoch = layers.epoch
    return RecordedState(
      version: registry.counts.version, layersEpoch: layers.areRecorded ? epoch : nil,
      commitCount: siblings.commits.count(for: registry),
      foreignCommitCount: foreignCommitCount)
  }

  /// Returns whether the log of changes has exactly the commits that a snapshot shows, and the
  /// layers above them. Only then may a reading take over what an earlier one has read.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - state: The state before it was opened. The generation was read in between.
  /// - Returns: `false` also if that cannot be told.
  func hasRecorded(_ snapshot: any StoreSnapshot, since state: RecordedState) -> Bool {
    guard layers.epoch == state.layersEpoch else { return false }
    if let version = snapshot.version { return version == state.version }
    // A cache elsewhere can change at any time.
    guard records is any LocalRecordStore, let count = state.commitCount,
      let foreignCount = state.foreignCommitCount
    else { return false }
    return siblings.commits.count(for: registry) == count && foreignCommitCount == foreignCount
  }

  /// Begins a commit, and returns its number, or `nil` if the cache counts its commits itself.
  func beginCommit() -> UInt64? {
    records.version == nil ? siblings.commits.begin(registry) : nil
  }

  /// The cache's count of commits by others, or `nil` if it is not known at the moment.
  private var foreignCommitCount: Int? { (try? records.foreignCommitCount()) ?? nil }
}

/// The commits by the stores of one cache that readers may see, and that are not in the logs of all
/// stores yet.
final class CommitsUnderWay: Sendable {
  private struct Commit: Sendable {
    let writer: ObjectIdentifier
    /// Indicates whether the log of the store that commits has it.
    var isInOwnLog = false
  }

  private struct State: Sendable {
    var commits: [UInt64: Commit] = [:]
    var count: UInt64 = 0
  }
  private let state = Lock(State())

  /// Begins a commit of a store, and returns its number.
  func begin(_ writer: WatchRegistry) -> UInt64 {
    state.withLock { state in
      state.count += 1
      state.commits[state.count] = Commit(writer: ObjectIdentifier(writer))
      return state.count
    }
  }

  /// Notes that the log of the store that commits has the commit.
  func noteRecording(_ number: UInt64) {
    state.withLock { $0.commits[number]?.isInOwnLog = true }
  }

  /// Ends a commit that all logs have, or that has failed.
  func end(_ number: UInt64) {
    state.withLock { state in _ = state.commits.removeValue(forKey: number) }
  }

  /// Returns the number of commits that were ever begun, or `nil` if the log of a store lacks one
  /// that readers may see.
  func count(for reader: WatchRegistry) -> UInt64? {
    state.withLock { state in
      state.commits.values.allSatisfy { $0.writer == ObjectIdentifier(reader) && $0.isInOwnLog }
        ? state.count : nil
    }
  }
}
