internal import ApolloAPI

/// One commit, with all that the parts of a store must know to follow it.
struct CommitRecord {
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
}

extension ApolloStore {
  /// Lets the parts of the store, and of the others of its cache, follow a commit.
  ///
  /// The commit is visible in the cache, and the caller is still the only writer. The layers above
  /// it are computed afterwards, and watches are notified last.
  func follow(_ record: CommitRecord) {
    // Collections look at the written records again.
    siblings.note(
      record.commit.changes, written: record.pending.writtenKeys, from: record.origin)
    // Fields are as old as their writes.
    noteAges(record)
    // Requests that were sent before are overtaken.
    if let position = record.position { siblings.order.note(record.pending, at: position) }
    // Settled layers take over newer values.
    noteInLayers(record.pending)
  }

  /// Lets them follow a commit that has failed, and returns what it may have changed.
  func followFailure(from origin: ChangeOrigin?) -> Commit {
    let commit = records.isTransactional ? .nothing : Commit(changes: .everything)
    siblings.note(commit.changes, from: origin)
    return commit
  }
}
