/// The one door between a store and a cache.
///
/// An ``ApolloStore`` chooses its record store once, when it is made
/// (``NormalizedCache/recordStore``). Afterwards it knows nothing else of the cache:
///
/// 1. To read, it opens a snapshot, and the snapshot reads whole selections (``StoreSnapshot``).
/// 2. To write, it begins a write context, reads through it, and commits (``WriteContext``).
/// 3. A commit reports its own changes. If other connections have committed in between, it reports
///    that everything may have changed.
///
/// Waiting for another process and committing are asynchronous, and records can be loaded in
/// batches, so that a cache can be on another machine. A cache on this machine conforms to
/// ``LocalRecordStore``, which needs neither.
package protocol RecordStore: AnyObject, Sendable {
  /// The number of commits that have changed records, or `nil` if the cache does not count them, or
  /// cannot say now.
  ///
  /// A store hands out an earlier result again only while this number is the one that it knows, or
  /// the one at which the result was read. Two readings at one number have read the same.
  var version: UInt64? { get }

  /// The name of the records if several caches of this process can stand for them, such as the path
  /// of a file. The caches then share one order of requests and the retained records.
  var sharedName: String? { get }

  /// The cache itself, or the slowest one if this is memory in front of others. All stores with the
  /// same slowest cache notify each other.
  var slowestCache: AnyObject { get }

  /// Indicates whether a commit that throws has changed nothing.
  var isTransactional: Bool { get }

  /// Indicates whether the cache keeps which write each field is from, so that its snapshots can be
  /// asked (``StoreSnapshot/keepsWrites``).
  var keepsWrites: Bool { get }

  /// Opens the records as they are now.
  func openSnapshot() throws -> any StoreSnapshot

  /// Opens the records as they are now, if that needs no waiting.
  ///
  /// - Returns: The snapshot, or `nil` if too many are open. ``openSnapshot()`` blocks the thread
  ///   then.
  func openSnapshotAtOnce() throws -> (any StoreSnapshot)?

  /// Opens the records as they are now, and throws if too many are open.
  func openSnapshotOrThrow() throws -> any StoreSnapshot

  /// Indicates whether other connections may write to the cache.
  var hasForeignWriters: Bool { get }

  /// Returns whether other connections have committed since the last call. The next commit does not
  /// report it again.
  func takeForeignCommits() throws -> Bool

  /// Returns whether the cache works again since the last call, after a time in which the program
  /// had suspended it.
  func takeResumption() -> Bool

  /// The number of times that commits by other connections, or by the program without a store, were
  /// detected, or `nil` at moments at which they cannot be detected.
  ///
  /// The number grows when others have committed since the last call.
  func foreignCommitCount() throws -> Int?

  /// Calls `handler` after others have changed the cache, once they can be read.
  ///
  /// - Parameter handler: The closure that receives the changes. It runs on any thread, with one
  ///   set at a time, and returns `false` if it needs no more changes. An empty set, which can come
  ///   at any time, only asks whether it needs more.
  func onForeignCommit(_ handler: @escaping @Sendable (ChangeSet) -> Bool)

  /// Takes the right to write if that needs no waiting.
  ///
  /// - Returns: The right to write, or `nil` if ``beginWriting()`` must wait for it.
  /// - Throws: The errors of the cache.
  func beginWritingAtOnce() throws -> (any WriteContext)?

  /// Takes the right to write. Waits for other connections without blocking a thread.
  ///
  /// - Returns: The right to write. The caller must call ``WriteContext/end()``.
  /// - Throws: `CancellationError`, and the errors of the cache.
  nonisolated(nonsending) func beginWriting() async throws -> any WriteContext

  /// The time after which a writer that waits for other connections gives up, or zero if the cache
  /// has none.
  var writeTimeout: Duration { get }

  /// Takes the right to write. Waits for other connections until a deadline, but tries at least
  /// once.
  ///
  /// The deadline includes the time that a writer waits for the other writers of its store.
  nonisolated(nonsending) func beginWriting(
    until deadline: ContinuousClock.Instant
  ) async throws -> any WriteContext

  /// Returns a draft of the cache's records, for a response that is about to be decoded.
  func draft() -> RecordDraft

  /// Returns the records for tools, or `nil` if the snapshots list them.
  func listing() -> (any RecordListing)?
}

extension RecordStore {
  /// `nil`: the cache does not count its commits.
  package var version: UInt64? { nil }

  /// `nil`: no other cache has the records.
  package var sharedName: String? { nil }

  /// The cache itself.
  package var slowestCache: AnyObject { self }

  /// `true`: a commit that throws has changed nothing.
  package var isTransactional: Bool { true }

  /// `false`: the ledger of the stores alone knows the writes.
  package var keepsWrites: Bool { false }

  package func openSnapshotAtOnce() throws -> (any StoreSnapshot)? { try openSnapshot() }

  package func openSnapshotOrThrow() throws -> any StoreSnapshot { try openSnapshot() }

  /// `false`: the cache has no other connections.
  package var hasForeignWriters: Bool { false }

  /// `false`: the cache has no other connections.
  package func takeForeignCommits() throws -> Bool { false }

  /// `false`: the cache cannot be suspended, or recovers by itself.
  package func takeResumption() -> Bool { false }

  /// 0: the cache has no other connections, or reports their commits by itself.
  package func foreignCommitCount() throws -> Int? { 0 }

  /// Does nothing: others do not change the cache, or the store must ask
  /// (``takeForeignCommits()``).
  package func onForeignCommit(_ handler: @escaping @Sendable (ChangeSet) -> Bool) {}

  /// `nil`: taking the right to write may need waiting.
  package func beginWritingAtOnce() throws -> (any WriteContext)? { nil }

  package var writeTimeout: Duration { .zero }

  /// Waits as long as the cache does by itself.
  package nonisolated(nonsending) func beginWriting(
    until deadline: ContinuousClock.Instant
  ) async throws -> any WriteContext {
    try await beginWriting()
  }

  /// An empty draft. It only detects objects that one response contains twice.
  package func draft() -> RecordDraft { RecordDraft() }

  /// `nil`: the snapshots list the records.
  package func listing() -> (any RecordListing)? { nil }
}

extension RecordStore {
  /// Opens the records as they are now. Waits, without blocking a thread, while too many snapshots
  /// are open, up to the time that writers wait too.
  ///
  /// - Parameter throughCancellation: `true` to wait also in a task that is cancelled.
  /// - Returns: The snapshot.
  /// - Throws: `CancellationError`, and the errors of the cache.
  package nonisolated(nonsending) func openSnapshotWaiting(
    throughCancellation: Bool = false
  ) async throws -> any StoreSnapshot {
    if let snapshot = try openSnapshotAtOnce() { return snapshot }
    var waiting = Waiting(writeTimeout)
    while !waiting.isOver {
      if throughCancellation {
        await waiting.suspendThroughCancellation()
      } else {
        try await waiting.suspend()
      }
      if let snapshot = try openSnapshotAtOnce() { return snapshot }
    }
    return try openSnapshotOrThrow()
  }
}

/// The exclusive right to write during one transaction.
///
/// Until it ends, no other connection changes the records. One task uses it at a time.
package protocol WriteContext {
  /// The newest records. They stay current until the commit.
  func snapshot() throws -> any StoreSnapshot

  /// Says which write the next commit is, so that its fields remember it.
  ///
  /// - Returns: The number of the write, or `nil` if the cache does not keep them.
  /// - Throws: The errors of the cache.
  func begin(_ write: PendingWrite) throws -> WriteID?

  /// Says how the next commit finds out that newer data has been written since its changes were
  /// made. Others may write to some caches meanwhile: these ask after they have read what the
  /// commit builds on, and throw ``CommitConflict`` if `isCurrent` returns `false`. While
  /// `othersWrite` returns `true`, they write values that have not changed, too: an older commit
  /// that builds on the same values must find that it has been overtaken.
  func require(
    _ isCurrent: @escaping @Sendable () -> Bool,
    othersWrite: @escaping @Sendable () -> Bool)

  /// Indicates whether a commit that has thrown may have changed the cache all the same, as one
  /// whose connection has ended before the response.
  var mayHaveCommitted: Bool { get }

  /// Indicates whether the cache keeps when records were used.
  var keepsUses: Bool { get }

  /// Notes, with the next commit, that records were used at a time, in seconds since 1970.
  func note(uses keys: [RecordKey], at time: Int64) throws

  /// Applies changes in order, all or none.
  ///
  /// - Throws: The errors of the cache. A transactional cache has changed nothing then.
  nonisolated(nonsending) func commit(_ mutations: [CacheMutation]) async throws -> Commit

  /// Merges the records of a response, all or none.
  ///
  /// - Throws: The errors of the cache. A transactional cache has changed nothing then.
  nonisolated(nonsending) func commit(_ response: NormalizedResponse) async throws -> Commit

  /// Removes fields of records, all or none. They count as unknown afterwards.
  ///
  /// - Throws: The errors of the cache. A transactional cache has changed nothing then.
  nonisolated(nonsending) func commit(removing fields: [RecordKey: Set<FieldKey>]) async throws
    -> Commit

  /// Gives up the right to write. Changes that were not committed are lost.
  func end()
}

extension WriteContext {
  /// `nil`: the cache does not keep which write a field is from.
  package func begin(_ write: PendingWrite) throws -> WriteID? { nil }

  /// Does nothing, as for a cache that has one writer at a time.
  package func require(
    _ isCurrent: @escaping @Sendable () -> Bool, othersWrite: @escaping @Sendable () -> Bool
  ) {}

  /// `false`: a commit that throws has changed nothing.
  package var mayHaveCommitted: Bool { false }

  /// `false`: the cache does not keep when records were used.
  package var keepsUses: Bool { false }

  /// Does nothing: the cache does not keep when records were used.
  package func note(uses keys: [RecordKey], at time: Int64) throws {}

  /// Writes each record again without the fields.
  package nonisolated(nonsending) func commit(
    removing fields: [RecordKey: Set<FieldKey>]
  ) async throws -> Commit {
    try await commit(mutations(removing: fields))
  }

  /// The changes that write each record again without some fields.
  package func mutations(removing fields: [RecordKey: Set<FieldKey>]) throws -> [CacheMutation] {
    let snapshot = try snapshot()
    var mutations: [CacheMutation] = []
    for (key, removed) in fields {
      guard var rest = try snapshot.fields(of: key) else { continue }
      rest.removeAll(removed)
      mutations += [.remove(key), .merge([key: rest])]
    }
    return mutations
  }
}

/// The error of a commit that has changed nothing because others have changed, meanwhile, what the
/// body of the transaction has read. The body runs again.
package struct CommitConflict: Error {
  package init() {}
}

/// The error of a cache that repeats one which was thrown before. It is not reported again.
///
/// A protocol although `RedisError` alone conforms: that is in a module above this one.
package protocol RepeatedCacheError: Error {
  /// Indicates whether the error repeats an earlier one.
  var isRepeated: Bool { get }
}

/// The result of a commit.
package struct Commit: Sendable {
  /// The fields that changed, or everything if other connections had committed in between.
  package var changes: ChangeSet
  /// The ``RecordStore/version`` after the commit.
  package var version: UInt64?

  package init(changes: ChangeSet, version: UInt64? = nil) {
    self.changes = changes
    self.version = version
  }

  /// Indicates whether the cache has counted the commit. One that changes nothing has the
  /// ``version`` of the commit before it, which others may have made.
  package var isCounted: Bool { !changes.isEmpty }

  /// The result of a transaction that changed nothing.
  package static let nothing = Commit(changes: ChangeSet())
}
