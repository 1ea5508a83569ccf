internal import ApolloAPI

// The steps of trimming:
//
// 1. Unreachable records are collected.
// 2. From a snapshot, the sizes of the others are added up. If the sum is too large, the records
//    that were used least recently are chosen, as many as necessary. Records that are watched,
//    retained, or shown or read by an optimistic layer are not chosen, and roots neither.
// 3. The fields that refer to chosen records are removed, also from the roots. They would be misses
//    in any case, and keep the objects of evicted records in memory.
// 4. If others write to the cache from now on, the trimming ends: it is not known which records
//    are new.
// 5. The chosen records are removed in batches, except those that were written in the meantime, or
//    to which a changed field refers, or that are retained or shown by a layer since. The fields of
//    these that refer to removed records go last.
// 6. If the rest is still too large, the fields of the root of queries are removed, except
//    those that are watched or that a layer has read. A retained root keeps all of them.

extension ApolloStore {
  /// Removes records until the others need at most a number of bytes.
  ///
  /// ```swift
  /// try await store.trim(to: 50_000_000)
  /// ```
  ///
  /// Unreachable records are removed first (``collectGarbage()``), then those that were used least
  /// recently, as far as the store knows it (``Configuration/tracksUse``). Fields that refer to a
  /// removed record are removed too, so reading them is a miss.
  ///
  /// Records that are watched, retained (``retain(_:)``), shown by an optimistic layer or read by
  /// its closure stay, even if they need more. So do records that are written in the meantime.
  ///
  /// - Parameter byteCount: The number of bytes that records may need. The sizes are estimates.
  /// - Returns: The number of removed records, and the bytes of the others.
  /// - Throws: The errors of the cache; ``StoreError/Code/requiresEnumeration`` if the cache cannot
  ///   list its records; `CancellationError`; and ``StoreError`` inside of a transaction.
  /// - Complexity: O(*n* log *n*) in the number of all records.
  @discardableResult
  @concurrent public func trim(to byteCount: Int) async throws -> CollectionResult {
    let tracker = WriteTracker()
    siblings.add(tracker)
    defer { siblings.remove(tracker) }
    var result = try await collectGarbage()
    let foreignCommitCount = try await countForeignCommits()
    // After that write, which reports all commits by others until then.
    _ = tracker.takeWrites()
    let eviction = try await withCacheSnapshot { try Eviction(to: byteCount, in: $0, of: self) }
    result.byteCount = eviction.remainingByteCount
    guard !eviction.isEmpty else { return result }
    var run = EvictionRun(eviction, of: self, tracker, foreignCommitCount)
    let isComplete = try await run.run()
    result.isComplete = result.isComplete && isComplete
    result.removedCount += run.removedCount
    result.byteCount = try await self.byteCount()
    return result
  }

  /// Returns the approximate number of bytes of all records.
  ///
  /// - Throws: The errors of the cache; ``StoreError/Code/requiresEnumeration`` if the cache cannot
  ///   list its records; and ``StoreError`` inside of a transaction.
  /// - Complexity: O(*n*) in the number of all records.
  @concurrent public func byteCount() async throws -> Int {
    try await withCacheSnapshot { snapshot throws in
      guard let keys = try snapshot.recordKeys() else { throw StoreError.requiresEnumeration }
      return try keys.reduce(0) { $0 + (try snapshot.record(for: $1)?.byteCount ?? 0) }
    }
  }
}

/// The removal of what was chosen, while writers go on.
private struct EvictionRun {
  let store: ApolloStore
  let tracker: WriteTracker
  let eviction: Eviction
  /// The cache's count of commits by others before the records were chosen, or `nil` if it was not
  /// known.
  private let foreignCommitCount: Int?
  private let kept: Kept
  private(set) var removedCount = 0

  /// The records and fields that stay, although they were chosen. It is an object, so that no write
  /// copies it.
  private final class Kept {
    /// The records that were written in the meantime, or to which a changed field refers.
    var records: Set<RecordKey> = []
    /// The fields of the root of queries that have changed in the meantime.
    var rootFields: Set<FieldKey> = []
    /// The records that retained ones, latest events and layers lead to.
    var reachable: ReachableRecords

    init(_ reachable: ReachableRecords) { self.reachable = reachable }

    func contains(_ key: RecordKey) -> Bool { records.contains(key) || reachable.contains(key) }
  }

  /// The result of one attempt to remove a batch.
  private enum Outcome {
    /// So many records were removed.
    case removed(Int)
    /// Much can be reached from records that are retained since.
    case postponed
    /// Others have written to the cache.
    case ended
  }

  init(
    _ eviction: Eviction, of store: ApolloStore, _ tracker: WriteTracker,
    _ foreignCommitCount: Int?
  ) {
    self.eviction = eviction
    self.store = store
    self.tracker = tracker
    self.foreignCommitCount = foreignCommitCount
    kept = Kept(eviction.kept)
  }

  /// Removes the chosen records and fields in batches. Returns `false` if others have written to
  /// the cache before all were removed.
  nonisolated(nonsending) mutating func run() async throws -> Bool {
    for batch in eviction.batches {
      guard try await remove(batch) else { return false }
    }
    // More may be kept while this goes on.
    var looked: Set<RecordKey> = []
    while true {
      let rest = kept.records.filter { eviction.evicts($0) && !looked.contains($0) }
      if rest.isEmpty { return true }
      for key in rest {
        looked.insert(key)
        guard try await remove(.allFields(of: key)) else { return false }
      }
    }
  }

  /// Removes a batch. Returns `false` if others have written to the cache.
  private nonisolated(nonsending) mutating func remove(_ batch: Eviction.Batch) async throws -> Bool
  {
    while true {
      try Task.checkCancellation()
      let outcome = try await store.resultOfWriting(origin: tracker.origin) { [self] context in
        try attempt(batch, in: context.snapshot())
      }
      await Task.yield()
      switch outcome {
      case .removed(let count):
        removedCount += count
        return true
      case .postponed: try await kept.reachable.visitAll(in: store.records)
      case .ended: return false
      }
    }
  }

  /// Chooses the changes of one write. The caller is the only writer.
  private func attempt(
    _ batch: Eviction.Batch, in snapshot: any StoreSnapshot
  ) throws -> (Outcome, PendingCommit) {
    // After commits by others it is not known which records are new.
    guard let writes = tracker.takeWrites(),
      let commits = try store.records.foreignCommitCount(), commits == foreignCommitCount
    else { return (.ended, .mutations([])) }
    kept.records.formUnion(writes.records)
    kept.records.formUnion(try writes.references(in: snapshot))
    if let changed = writes.changes[.queryRoot] ?? nil { kept.rootFields.formUnion(changed) }
    store.siblings.insertRoots(into: &kept.reachable)
    try kept.reachable.visit(atMost: ReachableRecords.mostVisitsWithinWrite, in: snapshot)
    guard kept.reachable.isComplete else { return (.postponed, .mutations([])) }
    let (count, removals) = try removals(batch, in: snapshot)
    return (.removed(count), removals)
  }

  /// The changes of one batch, and the number of records that it removes. The caller is the only
  /// writer.
  private func removals(
    _ batch: Eviction.Batch, in snapshot: any StoreSnapshot
  ) throws -> (Int, PendingCommit) {
    switch batch {
    case .fields(let fields, let key):
      if store.siblings.isInLayer(key) { return (0, .mutations([])) }
      let unneeded = fields.filter { !store.siblings.isNeeded($0, of: key) }
      let current = try snapshot.fields(of: key, among: Array(unneeded)) ?? FieldMap()
      // A field that was written in the meantime may refer to other records now.
      let cut = unneeded.filter { field in
        current[field]?.refers { eviction.evicts($0) && !kept.contains($0) } ?? false
      }
      return (0, .removals(cut.isEmpty ? [:] : [key: cut]))
    case .rootFields(let fields):
      let root = RecordKey.queryRoot
      if kept.reachable.contains(root) || store.siblings.isInLayer(root) {
        return (0, .mutations([]))
      }
      let cut = fields.filter {
        !kept.rootFields.contains($0) && !store.siblings.isNeeded($0, of: root)
      }
      return (0, .removals(cut.isEmpty ? [:] : [root: cut]))
    case .allFields(let key):
      let fields = Set(try snapshot.fields(of: key)?.keys ?? [])
      return try removals(.fields(fields, of: key), in: snapshot)
    case .records(let keys):
      let removed = keys.filter {
        !kept.contains($0) && !store.siblings.isInLayer($0) && !store.siblings.isNeeded($0)
      }
      return (removed.count, .collected(removed.map(CacheMutation.remove)))
    }
  }
}

/// The records and fields that are removed to make a cache smaller.
private struct Eviction {
  /// The changes of one write.
  enum Batch {
    /// Those of these fields that refer to removed records.
    case fields(Set<FieldKey>, of: RecordKey)
    /// These fields of the root of queries.
    case rootFields(Set<FieldKey>)
    /// Those of all fields of a record that refer to removed records.
    case allFields(of: RecordKey)
    case records(ArraySlice<RecordKey>)
  }

  private var records: [RecordKey] = []
  private var chosen: Set<RecordKey> = []
  private var fields: [RecordKey: Set<FieldKey>] = [:]
  /// The approximate number of bytes of the records that stay.
  private(set) var remainingByteCount = 0

  /// The records that retained ones, latest events and layers lead to.
  private(set) var kept = ReachableRecords()
  /// The fields of the root of queries, if nothing else is left to remove.
  private var rootFields: Set<FieldKey> = []

  var isEmpty: Bool { records.isEmpty && fields.isEmpty && rootFields.isEmpty }

  /// Returns whether a record is removed.
  func evicts(_ key: RecordKey) -> Bool { chosen.contains(key) }

  /// Chooses what to remove.
  init(to byteCount: Int, in snapshot: any StoreSnapshot, of store: ApolloStore) throws {
    guard let keys = try snapshot.recordKeys() else { throw StoreError.requiresEnumeration }
    var sizes: [RecordKey: Int] = [:]
    for key in keys { sizes[key] = try snapshot.record(for: key)?.byteCount ?? 0 }
    remainingByteCount = sizes.values.reduce(0, +)
    guard remainingByteCount > byteCount else { return }

    store.siblings.insertRoots(into: &kept)
    try kept.visit(atMost: .max, in: snapshot)
    let uses = store.uses?.positions ?? [:]
    let candidates = keys.filter {
      !$0.isRoot && !kept.contains($0) && !store.siblings.isNeeded($0)
    }
    // Uses that the store knows are later than those that only the cache knows.
    let savedUses = try snapshot.lastUses()
    let now = store.freshness.currentTime
    // A clock that was ahead has noted a time that says nothing.
    let times = savedUses.filter { !WriteFacts.isFuture(Double($0.value), at: now) }
    let order = candidates.map { (key: $0, use: uses[$0] ?? -1, time: times[$0] ?? 0) }
      .sorted { ($0.use, $0.time) < ($1.use, $1.time) }
    var references = try ReferringFields(
      of: Set(keys).subtracting(candidates), to: Set(candidates), in: snapshot)
    for (key, _, _) in order {
      guard remainingByteCount > byteCount else { break }
      records.append(key)
      remainingByteCount -= (sizes[key] ?? 0) + references.removeFields(referringTo: key)
    }
    try cutReferences(among: keys, in: snapshot)
    if remainingByteCount > byteCount { try cutRoots(of: store, in: snapshot) }
  }

  /// Chooses the fields that refer to a chosen record.
  private mutating func cutReferences(
    among keys: [RecordKey], in snapshot: any StoreSnapshot
  ) throws {
    chosen = Set(records)
    for key in keys where !chosen.contains(key) {
      for (field, value) in try snapshot.fields(of: key) ?? FieldMap() {
        if value.refers(to: evicts) { fields[key, default: []].insert(field) }
      }
    }
  }

  /// Chooses all fields of the root of queries, unless it is kept itself, except those that are
  /// watched or that a layer has read.
  private mutating func cutRoots(of store: ApolloStore, in snapshot: any StoreSnapshot) throws {
    let root = RecordKey.queryRoot
    if kept.contains(root) { return }
    for field in try snapshot.fields(of: root)?.keys ?? []
    where !store.siblings.isNeeded(field, of: root) {
      rootFields.insert(field)
    }
    fields[root] = nil
  }

  /// The number of records or fields that one write removes.
  private static let batchCount = 64

  /// The changes in the order in which to make them: fields first, so that a trimming leaves no
  /// reference to a record that it has removed, unless it is cancelled.
  var batches: [Batch] {
    var batches: [Batch] = []
    for (key, cut) in fields {
      let cut = Array(cut)
      for range in Self.ranges(of: cut.count) { batches.append(.fields(Set(cut[range]), of: key)) }
    }
    let cut = Array(rootFields)
    for range in Self.ranges(of: cut.count) { batches.append(.rootFields(Set(cut[range]))) }
    return batches + Self.ranges(of: records.count).map { .records(records[$0]) }
  }

  private static func ranges(of count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: batchCount).map { $0..<min($0 + batchCount, count) }
  }
}

/// The fields of records that stay, by the records that they refer to.
///
/// A root has a field for each object that it ever led to. Without counting them, a root that is
/// larger than the limit would cost every other record.
private struct ReferringFields {
  private var fieldsByRecord: [RecordKey: [Int]] = [:]
  /// The bytes of each field. Zero once it is removed.
  private var byteCounts: [Int] = []

  init(
    of holders: Set<RecordKey>, to targets: Set<RecordKey>, in snapshot: any StoreSnapshot
  ) throws {
    for holder in holders {
      for (_, value) in try snapshot.fields(of: holder) ?? FieldMap() {
        value.forEachReference { target in
          if targets.contains(target) {
            fieldsByRecord[target, default: []].append(byteCounts.count)
          }
        }
        byteCounts.append(value.byteCount)
      }
    }
  }

  /// Removes the fields that refer to a record, and returns the bytes that they needed.
  mutating func removeFields(referringTo record: RecordKey) -> Int {
    var byteCount = 0
    for field in fieldsByRecord[record] ?? [] {
      byteCount += byteCounts[field]
      byteCounts[field] = 0
    }
    return byteCount
  }
}

extension StoreSnapshot {
  fileprivate func record(for key: RecordKey) throws -> Record? {
    try fields(of: key).map { Record(key: key, fields: $0) }
  }
}

extension CacheValue {
  /// Returns whether the value refers to a record that satisfies a condition.
  fileprivate func refers(to condition: (RecordKey) -> Bool) -> Bool {
    var isFound = false
    forEachReference { isFound = isFound || condition($0) }
    return isFound
  }
}
