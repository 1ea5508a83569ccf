internal import ApolloAPI

/// Memory in front of a slower cache, such as one on disk.
///
/// Whatever is read is kept in memory, so that it is read from the slower cache once. Writes go to
/// both: to the slower one first, and to memory only if that went well.
public final class ChainedNormalizedCache: NormalizedCache {
  private struct State: Sendable {
    /// Each record in it is complete: it has what the slower cache has.
    var table = RecordTable()
    /// Counts the writes.
    var round = 0
    /// How often others had written to the slower cache when the table was begun.
    var foreignWriteCount = 0
  }
  private let state: Lock<State>
  private let disk: any NormalizedCache
  /// Held by a writer from the slower cache to the memory.
  private let writing = Lock(())

  /// Puts memory in front of a slower cache.
  ///
  /// - Parameter disk: the slower cache. If it is not of this package, nobody else may write to it, or
  ///   memory would not know.
  public init(_ disk: any NormalizedCache) {
    self.disk = disk
    state = Lock(State())
  }

  /// Loads records from memory, and those it does not know from the slower cache.
  public func loadRecords(forKeys keys: Set<RecordKey>) throws -> [RecordKey: Record] {
    guard let snapshot = try snapshot() else { return try loadRecordsWithoutSnapshot(keys) }
    var records: [RecordKey: Record] = [:]
    for key in keys {
      if let fields = try snapshot.fields(of: key) {
        records[key] = Record(key: key, fields: fields)
      }
    }
    return records
  }

  private func loadRecordsWithoutSnapshot(_ keys: Set<RecordKey>) throws -> [RecordKey: Record] {
    let (table, round) = state.withLock { ($0.table, $0.round) }
    var records: [RecordKey: Record] = [:]
    var missing: Set<RecordKey> = []
    for key in keys {
      if let fields = table.fields(of: key) {
        records[key] = Record(key: key, fields: fields)
      } else {
        missing.insert(key)
      }
    }
    guard !missing.isEmpty else { return records }
    let loaded = try disk.loadRecords(forKeys: missing)
    keep(loaded.values, from: round)
    return records.merging(loaded) { known, _ in known }
  }

  /// Merges records into both caches, and returns what changed.
  public func merge(records: RecordSet) throws -> ChangeSet {
    try apply([.merge(records)])
  }

  /// Removes one record from both caches.
  @discardableResult
  public func removeRecord(for key: RecordKey) throws -> ChangeSet {
    try apply([.remove(key)])
  }

  /// Removes every record whose key contains `pattern` from both caches.
  @discardableResult
  public func removeRecords(matching pattern: String) throws -> ChangeSet {
    try apply([.removeMatching(pattern)])
  }

  /// Removes every record from both caches.
  public func clear() throws {
    _ = try apply([.clear])
  }

  /// Applies the changes to the slower cache, and to memory if that did not throw.
  public func apply(_ changes: [CacheMutation]) throws -> ChangeSet {
    // The right to write comes first: whoever has it needs the lock to go on.
    if let session = try blockToWrite() { return try session.commit(changes) }
    return try write(changes) { _ in try disk.apply(changes) }
  }

  /// Applies changes to the slower cache by `body`, and then to memory.
  ///
  /// - Parameters:
  ///   - changes: what to do.
  ///   - isTableKept: whether `body` applies them to the table of memory as well.
  ///   - body: changes the slower cache.
  /// - Returns: what changed.
  /// - Throws: what `body` throws; memory is as it was then, or empty.
  fileprivate func write(
    _ changes: [CacheMutation], isTableKept: Bool = false,
    _ body: (inout RecordTable?) throws -> ChangeSet
  ) throws -> ChangeSet {
    try writing.withLock { _ throws in
      var table: RecordTable? = state.withLock { $0.table }
      let result: ChangeSet
      do {
        result = try body(&table)
      } catch {
        // A cache that applies changes one after the other may have applied some of them.
        if !(disk is any SharedCache) { forget() }
        throw error
      }
      if !isTableKept { for change in changes { table?.applyToKnown(change) } }
      if result.includesEverything { table = nil }
      let old = state.withLock { state in
        state.round += 1
        defer { state.table = table ?? RecordTable() }
        return state.table
      }
      withExtendedLifetime(old) {}  // released outside the lock
      return result
    }
  }

  /// The records of both caches as they are now, or nil if the slower one gives no snapshots.
  public func snapshot() throws -> (any RecordSnapshot)? {
    // A writer changes disk and memory one after the other: look at both while none is under way.
    try writing.withLock { _ throws in
      guard let slower = try disk.snapshot() else { return nil }
      // Others may have written before the snapshot was made or just after it: then memory says
      // nothing, and keeps nothing of it.
      let isCurrent = try !mayLackForeignWrites()
      let (table, round) = state.withLock { ($0.table, $0.round) }
      return ChainedSnapshot(
        self, table: isCurrent ? table : RecordTable(), slower: slower,
        round: isCurrent ? round : nil)
    }
  }

  /// Empties the memory.
  private func forget() {
    let old = state.withLock { state in
      state.round += 1
      defer { state.table = RecordTable() }
      return state.table
    }
    withExtendedLifetime(old) {}  // released outside the lock
  }

  /// Empties the memory if others have written to the slower cache; says whether they have, or may have just now.
  private func mayLackForeignWrites() throws -> Bool {
    guard let shared = disk as? any SharedCache else { return false }
    guard let count = try shared.countForeignWrites() else { return true }
    return state.withLock { state in
      guard count != state.foreignWriteCount else { return false }
      state.foreignWriteCount = count
      state.table = RecordTable()
      state.round += 1
      return true
    }
  }

  /// Keeps records that were read when `round` writes had been made, unless there were more since.
  fileprivate func keep(_ records: some Sequence<Record>, from round: Int) {
    state.withLock { state in
      guard state.round == round else { return }
      _ = state.table.merge(records)
    }
  }
}

extension RecordTable {
  /// Changes the records that are here, and none that are only elsewhere.
  fileprivate mutating func applyToKnown(_ change: CacheMutation) {
    switch change {
    case .merge(let records):
      for record in records where fields(of: record.key) != nil {
        _ = merge(CollectionOfOne(record))
      }
    case .remove, .removeMatching, .clear: _ = apply([change])
    }
  }
}

extension ChainedNormalizedCache: SharedCache {
  package var writeTimeout: Duration { (disk as? any SharedCache)?.writeTimeout ?? .zero }

  package func countForeignWrites() throws -> Int? {
    guard let shared = disk as? any SharedCache else { return 0 }
    return try shared.countForeignWrites()
  }

  package func beginWriting(isLastTry: Bool) throws -> WriteAttempt {
    guard let shared = disk as? any SharedCache else { return .notShared }
    guard case .begun(let session) = try shared.beginWriting(isLastTry: isLastTry) else {
      return .busy
    }
    let table = try writing.withLock { _ throws in
      _ = try mayLackForeignWrites()
      return state.withLock { $0.table }
    }
    return .begun(ChainedWriteSession(self, table: table, slower: session))
  }
}

/// The right to write to both caches. Nobody else can write, so what memory knows remains true.
private final class ChainedWriteSession: WriteSession {
  private let cache: ChainedNormalizedCache
  private let table: RecordTable
  private let slower: any WriteSession

  init(_ cache: ChainedNormalizedCache, table: RecordTable, slower: any WriteSession) {
    self.cache = cache
    self.table = table
    self.slower = slower
  }

  func fields(of key: RecordKey) throws -> FieldMap? {
    try table.fields(of: key) ?? slower.fields(of: key)
  }

  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try table.fields(of: key) ?? slower.fields(of: key, among: wanted)
  }

  func prepare(_ keys: [RecordKey]) throws { try slower.prepare(keys) }

  func commit(_ changes: [CacheMutation], keeping known: inout RecordTable?) throws -> ChangeSet {
    try cache.write(changes, isTableKept: true) { try slower.commit(changes, keeping: &$0) }
  }

  func end() { slower.end() }
}

private final class ChainedSnapshot: TableBackedSnapshot {
  private let cache: ChainedNormalizedCache
  let table: RecordTable
  private let slower: any RecordSnapshot
  /// Nil if what is read is not to be kept.
  private let round: Int?
  private var loaded: [RecordKey: FieldMap] = [:]

  init(
    _ cache: ChainedNormalizedCache, table: RecordTable, slower: any RecordSnapshot, round: Int?
  ) {
    self.cache = cache
    self.table = table
    self.slower = slower
    self.round = round
  }

  deinit {
    guard let round, !loaded.isEmpty else { return }
    cache.keep(loaded.map { Record(key: $0.key, fields: $0.value) }, from: round)
  }

  func fields(of key: RecordKey) throws -> FieldMap? {
    if let fields = table.fields(of: key) ?? loaded[key] { return fields }
    let fields = try slower.fields(of: key)
    if let fields { loaded[key] = fields }
    return fields
  }

  /// Roots may be too large to be read whole. As memory holds complete records only, they are not
  /// kept.
  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    guard key.isRoot else { return try fields(of: key) }
    if let fields = table.fields(of: key) ?? loaded[key] { return fields }
    return try slower.fields(of: key, among: wanted)
  }

  func prepare(_ keys: [RecordKey]) throws {
    try slower.prepare(keys.filter { table.fields(of: $0) == nil })
  }
}
