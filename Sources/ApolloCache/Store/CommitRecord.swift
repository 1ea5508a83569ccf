internal import ApolloAPI

/// One commit, with all that the parts of a store must know to follow it.
///
/// A class: each part would copy the response otherwise, and retain all that it refers to.
final class CommitRecord {
  /// The changes that were asked for.
  let pending: PendingCommit
  /// The changes that were made.
  let commit: Commit
  /// The write that its fields are from, if ages are tracked.
  let write: PendingWrite?
  /// The number that the cache has given the write, if it keeps writes.
  let writeID: WriteID?
  /// The position in the order of requests, if one is under way.
  let position: UInt64?
  let origin: ChangeOrigin?

  init(
    pending: PendingCommit, commit: Commit, write: PendingWrite?, writeID: WriteID?,
    position: UInt64?, origin: ChangeOrigin?
  ) {
    (self.pending, self.commit, self.write) = (pending, commit, write)
    (self.writeID, self.position, self.origin) = (writeID, position, origin)
  }
}

/// A commit that the parts of a store have followed, or nothing.
struct FollowedCommit {
  /// The changes that readers see.
  var commit = Commit.nothing
  /// The bytes that were added, if the cache has a limit.
  var addedByteCount = 0
  /// Indicates whether the commit has overtaken requests, also if it has changed nothing.
  var isOrdered = false
  /// The error to report after the turn: that of the response's closure in the attempt that was
  /// committed, or that of a commit that no caller waits for.
  var failure: (any Error)?
  /// The number of the commit among those under way.
  var number: UInt64?

  static let nothing = FollowedCommit()
}

extension ApolloStore {
  /// A part of a store that must know of each commit. The commit is visible in the cache, and the
  /// caller is still the only writer. The layers above it are computed afterwards, and watches are
  /// notified last.
  typealias Follower = @Sendable (CommitRecord) -> Void

  /// Returns the parts that follow each commit, in order: collections look at the written records
  /// again, fields are as old as their writes, requests that were sent before are overtaken, and
  /// settled layers take over newer values.
  static func followers(_ siblings: SiblingStores, _ layers: OptimisticLayers) -> [Follower] {
    [siblings.follow, siblings.freshness.follow, siblings.order.follow, layers.follow]
  }

  /// Lets all parts follow a commit, or notes what a failed one may have changed.
  func follow(
    _ result: Result<CommitRecord, any Error>, from origin: ChangeOrigin? = nil
  ) -> FollowedCommit {
    guard case .success(let record) = result else {
      let commit = records.isTransactional ? .nothing : Commit(changes: .everything)
      siblings.note(commit.changes, from: origin)
      siblings.listEnds.removeAll()
      return FollowedCommit(commit: commit)
    }
    for follow in followers { follow(record) }
    uses?.forget(record.commit.changes)
    let count = limiter == nil ? 0 : record.pending.byteCount(of: record.commit.changes)
    var followed = FollowedCommit(
      commit: record.commit, addedByteCount: count, isOrdered: record.position != nil)
    if case .updated(_, _, let failure) = record.pending { followed.failure = failure }
    return followed
  }

  /// Ends the turn of a writer, however it has used it: readers see the commit and the layers above
  /// it, the next writer has its turn, and then watches, other stores and the limiter learn of it.
  @discardableResult
  nonisolated(nonsending) func endTurn(
    _ followed: FollowedCommit = .nothing, from origin: ChangeOrigin? = nil,
    reportingErrorsOf layer: LayerID? = nil
  ) async -> RecordedCommit {
    let commit = followed.commit
    let recorded =
      layers.needPublishing
      ? await publishLayers(after: commit, reportingErrorsOf: layer)
      : registry.record(commit.changes, of: commit)
    if let number = followed.number { siblings.commits.noteRecording(number) }
    writers.leave()
    if let failure = followed.failure { report(failure) }
    notify(
      recorded, origin: origin,
      mayHaveCleared: commit.changes.includesEverything || !recorded.isComplete)
    if !commit.changes.isEmpty || followed.isOrdered {
      siblings.notify(
        of: registry, version: commit.version, mayHaveCleared: commit.changes.includesEverything,
        hasChanges: !commit.changes.isEmpty)
    }
    if let number = followed.number { siblings.commits.end(number) }
    limiter?.note(followed.addedByteCount, in: self)
    return recorded
  }
}

extension SiblingStores {
  func follow(_ record: CommitRecord) {
    note(record.commit.changes, written: record.pending.writtenKeys, from: record.origin)
    listEnds.note(record.commit.changes, version: record.commit.version)
  }
}

extension RequestOrder {
  func follow(_ record: CommitRecord) {
    guard let position = record.position else { return }
    guard !isShared else { return confirm(position) }
    if let number = record.pending.clearing(at: position) { noteClearing(at: number) }
    note(record.pending.writes(at: position))
  }
}
