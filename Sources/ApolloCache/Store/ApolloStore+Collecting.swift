internal import ApolloAPI

/// The result of a collection of records.
public struct CollectionResult: Hashable, Sendable {
  /// The number of records that were removed.
  public internal(set) var removedCount = 0
  /// Indicates whether every record that could be removed was. `false` if other processes wrote to
  /// the cache all the time, or at all during ``ApolloStore/trim(to:)``.
  public internal(set) var isComplete = true
  /// The approximate number of bytes of the remaining records, after ``ApolloStore/trim(to:)``.
  public internal(set) var byteCount: Int?
}

// How a collection finds what to remove while writers go on:
//
// 1. A `WriteTracker` starts to note the records that any store of the cache writes.
// 2. The keys of all records are listed from a snapshot. All records that can be reached are
//    marked: from the roots, from the records of watches, retentions, events and optimistic layers.
//    Each step of marking has a snapshot of its own. Writers may move a reference into a marked
//    record meanwhile: step 4 reads each changed field again.
// 3. The unmarked records are removed in batches. Each batch is a write of its own.
// 4. A batch first marks, as the only writer, the records that were written since the last look,
//    and those that their changed fields refer to. If much can be reached from them, it is marked
//    outside of the write, and the batch is tried again.
// 5. If the cache was changed by other connections, whose changes are not known, everything starts
//    again.
//
// So a record is removed only if nothing referred to it at the moment of the removal.
//
// Functions that visit all records are concurrent, because listing a million keys takes half a
// second, for which the main actor must not wait.

extension ApolloStore {
  /// Removes the records that cannot be reached.
  ///
  /// ```swift
  /// let result = try await store.collectGarbage()
  /// print("Removed \(result.removedCount) records.")
  /// ```
  ///
  /// A record stays if a field of a query refers to it, directly or through other records, or if it
  /// is watched, retained (``retain(_:)``), part of an optimistic layer or read by its closure.
  /// Records that were written in the meantime stay too.
  ///
  /// Writers go on in the meantime, and so does the actor of the caller. Call it when a program has
  /// time, such as when it goes to the background.
  ///
  /// - Returns: The number of removed records.
  /// - Throws: The errors of the cache; ``StoreError/Code/requiresEnumeration`` if the cache cannot
  ///   list its records; `CancellationError`; and ``StoreError`` inside of a transaction.
  /// - Complexity: O(*n*) in the number of all records.
  @discardableResult
  @concurrent public func collectGarbage() async throws -> CollectionResult {
    try await collect { snapshot throws in
      guard let keys = try snapshot.recordKeys() else { throw StoreError.requiresEnumeration }
      return keys
    }
  }

  /// Keeps records, and what they refer to, in collections of garbage.
  ///
  /// - Parameter keys: The keys of the records, which need not exist.
  /// - Returns: The retention, which ends with its last reference.
  public func retain(_ keys: some Sequence<RecordKey>) -> RecordRetention {
    RecordRetention(Array(keys), in: siblings.retained)
  }

  /// Removes a record, and the records that only it referred to, if `cascades` is `true`.
  ///
  /// ```swift
  /// try await store.removeObject(for: "Album:7", cascades: true)  // and its photos
  /// ```
  ///
  /// A record stays if ``collectGarbage()`` would keep it.
  ///
  /// - Parameters:
  ///   - key: The key of the record.
  ///   - cascades: Whether to remove the records that cannot be reached without this one.
  /// - Returns: The number of removed records.
  /// - Throws: The errors of the cache; ``StoreError/Code/requiresEnumeration`` if `cascades` is
  ///   `true` and the cache is on another machine; `CancellationError`; and ``StoreError`` inside
  ///   of a transaction.
  @discardableResult
  @concurrent public func removeObject(
    for key: RecordKey, cascades: Bool
  ) async throws -> CollectionResult {
    // Before the removal, because a collection there cannot follow it.
    guard !cascades || records is any LocalRecordStore else { throw StoreError.requiresEnumeration }
    let (candidates, exists) = try await withCacheSnapshot { snapshot throws in
      guard try snapshot.fields(of: key) != nil else { return (Set<RecordKey>(), false) }
      return (cascades ? try snapshot.recordsReachable(from: key) : [], true)
    }
    try await removeObject(for: key)
    var result = CollectionResult()
    if cascades { result = try await collect { _ in Array(candidates) } }
    if exists { result.removedCount += 1 }
    return result
  }

  /// Returns the references to records that do not exist: for each record, those of its fields that
  /// contain one.
  ///
  /// Such a field reads as a miss.
  ///
  /// - Throws: The errors of the cache; ``StoreError/Code/requiresEnumeration`` if the cache cannot
  ///   list its records; and ``StoreError`` inside of a transaction.
  /// - Complexity: O(*n*) in the number of all records.
  @concurrent public func danglingReferences() async throws -> Set<FieldAddress> {
    try await withCacheSnapshot { try $0.danglingReferences() }
  }

  /// Runs `body` with the records of the cache, without optimistic layers. Memory in front of it
  /// keeps nothing of what `body` visits. With a cache on another machine, `body` runs again with
  /// the records that it asks for.
  nonisolated(nonsending) func withCacheSnapshot<Result>(
    _ body: (any StoreSnapshot) throws -> Result
  ) async throws -> Result {
    try ActiveTransactions.refuseReading(of: self)
    let snapshot = try await records.openSnapshotWaiting()
    snapshot.beginScan()
    if snapshot.isStable {
      return try await repeating(whileLoading: snapshot) { try body(snapshot) }
    }
    return try await resultOfWriting(origin: nil) {
      (try body(try $0.snapshot()), .mutations([]))
    }
  }

  /// Returns the cache's count of commits by others, or `nil` if the program itself writes to the
  /// cache just now. Other connections cannot write while it is read.
  nonisolated(nonsending) func countForeignCommits() async throws -> Int? {
    try await resultOfWriting(origin: nil) { [records] _ in
      (try records.foreignCommitCount(), .mutations([]))
    }
  }

  /// Collects unreachable records among candidates.
  ///
  /// - Parameter candidates: The closure that lists the records that may be removed, from a
  ///   snapshot.
  /// - Returns: The number of removed records.
  /// - Throws: The errors of the cache, of `candidates`, and `CancellationError`.
  @_optimize(none)  // The compiler would copy it for each closure.
  private nonisolated(nonsending) func collect(
    _ candidates: (any StoreSnapshot) throws -> [RecordKey]
  ) async throws -> CollectionResult {
    try ActiveTransactions.refuseReentry(into: self)
    let tracker = WriteTracker()
    siblings.add(tracker)
    defer { siblings.remove(tracker) }
    var result = CollectionResult()
    for _ in 0..<Self.mostRestarts {
      var collection = GarbageCollection(of: self, tracker: tracker)
      guard try await collection.mark(candidates) else { continue }
      let isComplete = try await collection.sweep()
      result.removedCount += collection.removedCount
      if isComplete { return result }
    }
    result.isComplete = false
    return result
  }

  /// The number of times that a collection starts again because of writes by other connections.
  private static var mostRestarts: Int { 4 }
}

/// One collection of unreachable records.
private struct GarbageCollection {
  private let store: ApolloStore
  private let tracker: WriteTracker
  private var reachable = ReachableRecords()
  /// The records that may be removed. Those behind `position` were looked at.
  private var candidates: [RecordKey] = []
  private var position = 0
  /// Indicates whether the cache has snapshots that stay as they are.
  private var hasSnapshots = false
  /// The cache's count of commits by others at the start.
  private var foreignCommitCount: Int?
  private(set) var removedCount = 0
  /// The number of records to remove in one write.
  private var batchCount = 64

  init(of store: ApolloStore, tracker: WriteTracker) {
    self.store = store
    self.tracker = tracker
  }

  /// The time that a write should take at most, a fraction of a frame of a screen. It can take
  /// several times as long on a busy machine.
  private static let longestWrite = Duration.milliseconds(1)

  /// Marks what can be reached. Returns `false` if others have written in the meantime.
  @_optimize(none)  // The compiler would copy it for each closure.
  nonisolated(nonsending) mutating func mark(
    _ list: (any StoreSnapshot) throws -> [RecordKey]
  ) async throws -> Bool {
    _ = tracker.takeWrites()
    foreignCommitCount = try await store.countForeignCommits()
    guard try await listCandidates(list) else { return try await markWithoutSnapshot(list) }
    insertAllRoots()
    try await reachable.visitAll(in: store.records)
    guard try await markWrites() else { return false }
    try await reachable.visitAll(in: store.records)
    candidates.removeAll { reachable.contains($0) }
    return true
  }

  /// Lists what may be removed, from a snapshot. Returns `false` if the cache has none.
  private nonisolated(nonsending) mutating func listCandidates(
    _ list: (any StoreSnapshot) throws -> [RecordKey]
  ) async throws -> Bool {
    let snapshot = try await store.records.openSnapshotWaiting()
    hasSnapshots = snapshot.isStable
    if hasSnapshots { candidates = try list(snapshot) }
    return hasSnapshots
  }

  /// Marks as the only writer, in a cache whose snapshots change with each write.
  private nonisolated(nonsending) mutating func markWithoutSnapshot(
    _ list: (any StoreSnapshot) throws -> [RecordKey]
  ) async throws -> Bool {
    let (found, marked) = try await store.resultOfWriting(origin: nil) { [self] context in
      var copy = self
      let snapshot = try context.snapshot()
      copy.candidates = try list(snapshot)
      copy.insertAllRoots()
      try copy.reachable.visit(atMost: .max, in: snapshot)
      return ((copy.candidates, copy.reachable), .mutations([]))
    }
    (candidates, reachable) = (found, marked)
    candidates.removeAll { reachable.contains($0) }
    return true
  }

  private mutating func insertAllRoots() {
    for key in [RecordKey.queryRoot, .mutationRoot, .subscriptionRoot] { reachable.insert(key) }
    for key in store.siblings.neededRecords { reachable.insert(key) }
    store.siblings.insertRoots(into: &reachable)
  }

  /// Removes what is not marked. Returns `false` if others have written in the meantime.
  nonisolated(nonsending) mutating func sweep() async throws -> Bool {
    while position < candidates.count {
      try Task.checkCancellation()
      if hasSnapshots { try await reachable.visitAll(in: store.records) }
      guard try await removeBatch() else { return false }
      await Task.yield()
    }
    return true
  }

  /// Marks what was written meanwhile, so that little is left to mark within a write.
  /// Returns `false` if others have written.
  private nonisolated(nonsending) mutating func markWrites() async throws -> Bool {
    guard let writes = tracker.takeWrites() else { return false }
    try reachable.insert(writes, in: try await store.records.openSnapshotWaiting())
    return true
  }

  /// Removes some records. Returns `false` if others have written to the cache.
  private nonisolated(nonsending) mutating func removeBatch() async throws -> Bool {
    let clock = ContinuousClock()
    var batch = Batch(reachable: reachable, position: position)
    let start = clock.now
    reachable = ReachableRecords()  // so that the batch is the only owner
    let isCurrent: Result<Bool, any Error>
    do {
      isCurrent = .success(
        try await store.resultOfWriting(origin: tracker.origin) { [self] context in
          try prepare(&batch, in: context)
        })
    } catch {
      isCurrent = .failure(error)
    }
    reachable = batch.reachable
    guard try isCurrent.get() else { return false }
    position = batch.position
    removedCount += batch.removed.count
    adapt(to: clock.now - start)
    return true
  }

  /// The state of a write that removes records.
  private struct Batch {
    var reachable: ReachableRecords
    var position: Int
    var removed: [CacheMutation] = []
  }

  /// Chooses the records to remove. The caller is the only writer.
  private func prepare(
    _ batch: inout Batch, in context: any WriteContext
  ) throws -> (Bool, PendingCommit) {
    guard let writes = tracker.takeWrites(),
      let count = try store.records.foreignCommitCount(), count == foreignCommitCount
    else { return (false, .mutations([])) }
    // A further attempt, after a conflict with others, chooses anew.
    (batch.position, batch.removed) = (position, [])
    let snapshot = try context.snapshot()
    try batch.reachable.insert(writes, in: snapshot)
    store.siblings.insertRoots(into: &batch.reachable)
    try batch.reachable.visit(atMost: ReachableRecords.mostVisitsWithinWrite, in: snapshot)
    guard batch.reachable.isComplete else { return (true, .mutations([])) }
    while batch.removed.count < batchCount, batch.position < candidates.count {
      let key = candidates[batch.position]
      batch.position += 1
      if batch.reachable.contains(key) || store.siblings.isNeeded(key) { continue }
      batch.removed.append(.remove(key))
    }
    return (true, .collected(batch.removed))
  }

  /// Makes batches larger or smaller, by the time that the last one took.
  private mutating func adapt(to duration: Duration) {
    if duration < Self.longestWrite / 4 {
      batchCount = min(batchCount * 2, 1_024)
    } else if duration > Self.longestWrite {
      batchCount = max(batchCount / 2, 1)
    }
  }
}

extension StoreSnapshot {
  /// The records that can be reached from one, without itself and those that do not exist.
  fileprivate func recordsReachable(from key: RecordKey) throws -> Set<RecordKey> {
    var reachable = ReachableRecords()
    reachable.insert(key)
    try reachable.visit(atMost: .max, in: self)
    return try reachable.keys.filter { try $0 != key && fields(of: $0) != nil }
  }

  fileprivate func danglingReferences() throws -> Set<FieldAddress> {
    guard let keys = try recordKeys() else { throw StoreError.requiresEnumeration }
    let existing = Set(keys)
    var found: Set<FieldAddress> = []
    for key in keys {
      for (field, value) in try fields(of: key) ?? FieldMap() {
        value.forEachReference { reference in
          if !existing.contains(reference) {
            found.insert(FieldAddress(record: key, field: field))
          }
        }
      }
    }
    return found
  }
}
