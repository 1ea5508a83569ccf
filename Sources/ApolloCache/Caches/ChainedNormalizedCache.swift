internal import ApolloAPI

/// Memory in front of a slower cache, such as one on disk.
///
/// ```swift
/// let disk = try SQLiteNormalizedCache(fileURL: file)
/// let store = ApolloStore(cache: ChainedNormalizedCache(disk))
/// ```
///
/// A record is read from the slower cache once and then kept in memory. A write goes to the slower
/// cache first, and to memory only if it succeeds there.
///
/// How memory stays correct:
///
/// 1. It holds complete records only, and nothing about records that it does not hold.
/// 2. From before the slower cache's commit to the change in memory (`isCommitting`), readers use
///    the slower cache alone. A reader takes both snapshots while it holds `opening`, and a writer
///    begins and ends this time while it holds `opening`. So a reader that uses memory has taken
///    both snapshots before the commit or both after it, and never sees half of a write. Readers do
///    not wait for a commit, which may itself wait for readers, to erase what was removed.
/// 3. Each write starts a new round. A reader's records are kept only if no round has begun since
///    its snapshot, and not while a writer commits, whose table replaces the one in memory.
/// 4. Memory belongs to one count of the slower cache's commits. Each write through this cache adds
///    one to that count. If the slower cache has another count when memory is about to be used,
///    others have committed: other connections, or stores and chains of the slower cache. Memory is
///    emptied then. If the commits cannot be counted now, it is not used.
public final class ChainedNormalizedCache: NormalizedCache {
  private struct State: Sendable {
    /// Complete records, as the slower cache has them.
    var table = RecordTable()
    /// The number of writes so far.
    var round = 0
    /// The slower cache's count of commits to which the table belongs.
    var commitCount = 0
    /// The bytes of the records that were added to the table, at most. 0 without a limit.
    var byteCount = 0
    /// Indicates whether the slower cache may show a commit that the table lacks.
    var isCommitting = false
  }
  private let state = Lock(State())
  private let slower: any LocalRecordStore
  /// The number of bytes with which the table is started anew, or `nil` if there is no limit.
  private let memoryLimit: Int?
  /// Held by a writer during its commit, because some caches let several write at a time.
  private let committing = Lock(())
  /// Held for a moment by readers and writers, never during a commit.
  private let opening = Lock(())

  /// Puts memory in front of a slower cache.
  ///
  /// - Parameter slower: The slower cache. It may have stores and chains of its own. If it is not
  ///   of this package, writes by others than this chain are not noticed, so there must be none.
  public init(_ slower: any NormalizedCache) {
    self.slower = slower.recordStore
    memoryLimit = nil
  }

  /// Puts memory of a limited size in front of a slower cache.
  ///
  /// ```swift
  /// let cache = ChainedNormalizedCache(disk, memoryLimit: 10_000_000)
  /// ```
  ///
  /// When the records in memory may need more than the limit, memory is emptied. They are read from
  /// the slower cache again when they are needed.
  ///
  /// - Parameters:
  ///   - slower: The slower cache. It may have stores and chains of its own. If it is not of this
  ///     package, writes by others than this chain are not noticed, so there must be none.
  ///   - memoryLimit: The approximate number of bytes that the records in memory may need, or `nil`
  ///     for any number.
  public init(_ slower: any NormalizedCache, memoryLimit: Int?) {
    self.slower = slower.recordStore
    self.memoryLimit = memoryLimit
  }

  /// The number of records in memory, for tests.
  package var countInMemory: Int { state.withLock { $0.table.count } }

  /// Returns the records with these keys, from memory or the slower cache. Keys without a record
  /// are omitted.
  public func loadRecords(forKeys keys: Set<RecordKey>) throws -> [RecordKey: Record] {
    let snapshot = try openSnapshot()
    try snapshot.prepare(Array(keys))
    var records: [RecordKey: Record] = [:]
    for key in keys {
      if let fields = try snapshot.fields(of: key) {
        records[key] = Record(key: key, fields: fields)
      }
    }
    return records
  }

  /// Merges records into both caches in order and returns the changes.
  public func merge(records: RecordSet) throws -> ChangeSet {
    try apply([.merge(records)])
  }

  /// Removes one record from both caches. A key without a record is no error and no change.
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

  /// Applies the changes of one transaction to the slower cache, and to memory if that succeeds.
  public func apply(_ changes: [CacheMutation]) throws -> ChangeSet {
    let context = try blockToWrite()
    defer { context.end() }
    // No store learns of it, as of a commit by others.
    beginDirectWrite()
    var mayHaveChanges = true
    defer { endDirectWrite(hasChanges: mayHaveChanges) }
    let changed = try context.commit(changes).changes
    mayHaveChanges = !changed.isEmpty
    return changed
  }

  /// The records of both caches as they are now, or `nil` if the slower cache has no snapshots.
  public func snapshot() throws -> (any RecordSnapshot)? {
    let snapshot = try openSnapshot()
    return snapshot.isStable ? snapshot : nil
  }

  /// Returns the keys of all records of the slower cache, in any order, or `nil` if it cannot list
  /// them.
  public func recordKeys() throws -> [RecordKey]? {
    try openSnapshot().recordKeys()
  }
}

// MARK: - Memory

extension ChainedNormalizedCache {
  /// Commits to the slower cache with `body`, which also changes the table, and then to memory.
  ///
  /// - Throws: The errors of `body`. Memory is unchanged then, or not used again if the slower
  ///   cache may have applied some of the changes.
  fileprivate func write(
    _ mutations: [CacheMutation], _ body: (inout RecordTable?) throws -> Commit
  ) throws -> Commit {
    try committing.withLock { _ throws in
      let earlier = try opening.withLock { _ throws in try beginCommit() }
      var table: RecordTable? = earlier
      let commit: Commit
      do {
        commit = try body(&table)
      } catch {
        opening.withLock { _ in
          if !slower.isTransactional { startRound(with: RecordTable()) }
          endCommit()
        }
        throw error
      }
      let current = commit.changes.includesEverything ? RecordTable() : table ?? RecordTable()
      let growth = memoryLimit == nil ? 0 : current.growth(from: earlier, by: mutations)
      opening.withLock { _ in
        startRound(with: current, after: commit, growth: growth)
        endCommit()
      }
      return commit
    }
  }

  /// Lets readers use the slower cache alone, and returns the records that a writer knows. The
  /// caller holds `opening`.
  private func beginCommit() throws -> RecordTable {
    let table = try currentTable() ?? RecordTable()
    state.withLock { $0.isCommitting = true }
    return table
  }

  /// Lets readers use memory again. The caller holds `opening`.
  private func endCommit() {
    state.withLock { $0.isCommitting = false }
  }

  /// Replaces the table. Records that readers loaded in earlier rounds are no longer kept.
  ///
  /// If others have committed too since the table was current, the counts differ from now on.
  private func startRound(
    with table: RecordTable, after commit: Commit = .nothing, growth: Int = 0
  ) {
    let old = state.withLock { state in
      let old = state.table
      state.round += 1
      state.table = table
      if !commit.changes.isEmpty { state.commitCount += 1 }
      return (old, addBytes(growth, to: &state))
    }
    withExtendedLifetime(old) {}  // released outside the lock
  }

  /// Counts bytes that were added to the table, and empties it if there are too many.
  ///
  /// - Returns: The table, if it was emptied. It is released outside the lock.
  private func addBytes(_ count: Int, to state: inout State) -> RecordTable? {
    guard let memoryLimit else { return nil }
    if state.table.count == 0 { state.byteCount = 0 }
    state.byteCount += count
    guard state.byteCount > memoryLimit else { return nil }
    state.byteCount = 0
    defer { state.table = RecordTable() }
    return state.table
  }

  /// Returns the table if it has all commits to the slower cache. Then it agrees with every
  /// snapshot that was opened before. Empties the table if it lacks some. The caller holds
  /// `opening`.
  ///
  /// - Returns: The table, or `nil` if it has lacked commits, if they cannot be counted now, or
  ///   while one is under way.
  private func currentTable() throws -> RecordTable? {
    guard !state.withLock({ $0.isCommitting }) else { return nil }
    guard let count = try slower.commitCount() else { return nil }
    let (current, old) = state.withLock { state -> (RecordTable?, RecordTable) in
      let table = state.table
      guard count != state.commitCount else { return (table, table) }
      state.commitCount = count
      state.round += 1
      state.byteCount = 0
      state.table = RecordTable()
      return (nil, table)
    }
    withExtendedLifetime(old) {}  // as above
    return current
  }

  /// Keeps records that were loaded in `round`, unless it is over.
  fileprivate func keep(_ records: [Record], from round: Int) {
    let growth = memoryLimit == nil ? 0 : records.reduce(0) { $0 + $1.byteCount }
    let old = state.withLock { state -> RecordTable? in
      guard state.round == round, !state.isCommitting else { return nil }
      _ = state.table.merge(records)
      return addBytes(growth, to: &state)
    }
    withExtendedLifetime(old) {}  // as above
  }
}

// MARK: - The door to a store

extension ChainedNormalizedCache: LocalRecordStore {
  package var version: UInt64? { slower.version }
  package var sharedName: String? { slower.sharedName }
  package var slowestCache: AnyObject { slower.slowestCache }
  package var isTransactional: Bool { slower.isTransactional }
  package var keepsWrites: Bool { slower.keepsWrites }
  package var writeTimeout: Duration { slower.writeTimeout }
  package func commitCount() throws -> Int? { try slower.commitCount() }
  package func foreignCommitCount() throws -> Int? { try slower.foreignCommitCount() }
  package func beginDirectWrite() { slower.beginDirectWrite() }
  package func endDirectWrite(hasChanges: Bool) { slower.endDirectWrite(hasChanges: hasChanges) }
  package var hasForeignWriters: Bool { slower.hasForeignWriters }
  package func takeForeignCommits() throws -> Bool { try slower.takeForeignCommits() }
  package func takeResumption() -> Bool { slower.takeResumption() }

  package func openSnapshot() throws -> any StoreSnapshot {
    var waiting = Waiting(writeTimeout)
    while !waiting.isOver {
      if let snapshot = try openSnapshotAtOnce() { return snapshot }
      waiting.block()  // without the lock, which writers need
    }
    return try openSnapshotOrThrow()
  }

  package func openSnapshotOrThrow() throws -> any StoreSnapshot {
    try opening.withLock { _ throws in try openSnapshot(over: slower.openSnapshotOrThrow()) }
  }

  package func openSnapshotAtOnce() throws -> (any StoreSnapshot)? {
    try opening.withLock { _ throws in
      try slower.openSnapshotAtOnce().map { try openSnapshot(over: $0) }
    }
  }

  /// The caller holds `opening`.
  private func openSnapshot(over slowerSnapshot: any StoreSnapshot) throws -> any StoreSnapshot {
    // Others may have committed just before or after the snapshot: then memory does not belong to
    // it, and keeps nothing of it.
    let table = try currentTable()
    return ChainedSnapshot(
      self, table: table ?? RecordTable(), slower: slowerSnapshot,
      round: table == nil ? nil : state.withLock { $0.round })
  }

  /// Takes the right to write to the slower cache without a lock: its owner needs both locks to go
  /// on.
  package func tryToWrite(isLastTry: Bool) throws -> (any LocalWriteContext)? {
    guard let context = try slower.tryToWrite(isLastTry: isLastTry) else { return nil }
    return ChainedWriteContext(self, slower: context)
  }

  /// Opens the records for a writer. Memory keeps nothing of what it loads.
  fileprivate func openSnapshot(of context: any LocalWriteContext) throws -> any StoreSnapshot {
    try opening.withLock { _ throws -> any StoreSnapshot in
      let snapshot = try context.snapshot()
      return ChainedSnapshot(
        self, table: try currentTable() ?? RecordTable(), slower: snapshot, round: nil)
    }
  }
}

/// The right to write to both caches.
private struct ChainedWriteContext: LocalWriteContext {
  private let cache: ChainedNormalizedCache
  private let slower: any LocalWriteContext

  init(_ cache: ChainedNormalizedCache, slower: any LocalWriteContext) {
    self.cache = cache
    self.slower = slower
  }

  func snapshot() throws -> any StoreSnapshot { try cache.openSnapshot(of: slower) }

  func commit(_ mutations: [CacheMutation], keeping known: inout RecordTable?) throws -> Commit {
    known?.applyToKnown(mutations)
    return try cache.write(mutations) { try slower.commit(mutations, keeping: &$0) }
  }

  func removeFields(_ fields: [RecordKey: Set<FieldKey>]) throws -> Commit {
    try cache.write([]) { table throws in
      for key in fields.keys { _ = table?.remove(key) }
      return try slower.removeFields(fields)
    }
  }

  func begin(_ write: PendingWrite) throws -> WriteID? { try slower.begin(write) }

  var mayHaveCommitted: Bool { slower.mayHaveCommitted }
  var keepsUses: Bool { slower.keepsUses }
  func note(uses keys: [RecordKey], at time: Int64) throws {
    try slower.note(uses: keys, at: time)
  }

  func end() { slower.end() }
}

/// The records of memory and of a slower cache at one moment.
private final class ChainedSnapshot: StoreSnapshot {
  private let cache: ChainedNormalizedCache
  private let table: RecordTable
  private let slower: any StoreSnapshot
  /// The round of the snapshot, or `nil` if loaded records are not to be kept.
  private let round: Int?
  private var loaded: [RecordKey: FieldMap] = [:]
  /// Indicates whether records are visited once, so that keeping them is of no use.
  private var isScanning = false

  init(
    _ cache: ChainedNormalizedCache, table: RecordTable, slower: any StoreSnapshot, round: Int?
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

  var isStable: Bool { slower.isStable }
  var version: UInt64? { slower.version }

  func beginScan() {
    isScanning = true
    slower.beginScan()
  }

  func readLoaded(_ request: ReadRequest) throws -> ObjectReadResult {
    try read(request, withObjectsOf: table)
  }

  func fields(of key: RecordKey) throws -> FieldMap? {
    if let fields = known(key) { return fields }
    let fields = try slower.fields(of: key)
    if let fields, !isScanning { loaded[key] = fields }
    return fields
  }

  /// Roots may be too large to be read whole. Memory holds complete records only, so they are not
  /// kept.
  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    guard key.isRoot else { return try fields(of: key) }
    return try known(key) ?? slower.fields(of: key, among: wanted)
  }

  private func known(_ key: RecordKey) -> FieldMap? { table.fields(of: key) ?? loaded[key] }

  func prepare(_ keys: [RecordKey]) throws {
    try slower.prepare(keys.filter { known($0) == nil })
  }

  func recordKeys() throws -> [RecordKey]? { try slower.recordKeys() }

  var keepsWrites: Bool { slower.keepsWrites }
  func writes(of key: RecordKey, among fields: [FieldKey]) throws -> [FieldKey: WriteID] {
    try slower.writes(of: key, among: fields)
  }
  func facts(about write: WriteID) throws -> WriteFacts? { try slower.facts(about: write) }
  func lastUses() throws -> [RecordKey: Int64] { try slower.lastUses() }

  // MARK: Loading in batches

  var loadsInBatches: Bool { slower.loadsInBatches }
  func isLoaded(_ key: RecordKey) -> Bool { known(key) != nil || slower.isLoaded(key) }
  func loadNow(_ keys: [RecordKey]) throws -> Bool { try slower.loadNow(keys) }
  nonisolated(nonsending) func load(_ keys: [RecordKey]) async throws {
    try await slower.load(keys)
  }
}

extension RecordTable {
  /// Returns the number of bytes by which merging has made an earlier table grow to this one.
  ///
  /// The slower cache adds the whole record to a table that lacks it, also if a part is written.
  ///
  /// - Parameters:
  ///   - earlier: The table before the changes.
  ///   - mutations: The changes.
  /// - Returns: The approximate number, at most.
  /// - Complexity: O(*n*) in the number of values that are written or that the earlier table lacks.
  fileprivate func growth(from earlier: RecordTable, by mutations: [CacheMutation]) -> Int {
    var growth = 0
    // An object can occur at many paths of a response, and is added once.
    var added: Set<RecordKey> = []
    for case .merge(let records) in mutations {
      for record in records {
        if earlier.fields(of: record.key) != nil {
          growth += record.byteCount
        } else if added.insert(record.key).inserted, let fields = self.fields(of: record.key) {
          growth += Record(key: record.key, fields: fields).byteCount
        }
      }
    }
    return growth
  }
}
