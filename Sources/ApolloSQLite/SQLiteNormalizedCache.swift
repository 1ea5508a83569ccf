public import ApolloCache
internal import CSQLite
public import Foundation

/// A cache that keeps records in a SQLite file, through the system's SQLite.
///
/// ```swift
/// let caches = try FileManager.default.url(
///   for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
/// let file = caches.appending(path: "apollo.sqlite")
/// let store = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))
/// ```
///
/// - Any number of caches, in any number of processes, may use one file. Each transaction waits for
///   the others, up to ``Configuration/busyTimeout``.
/// - Readers hold snapshots and do not wait for writers, unless ``Configuration/journalMode`` says
///   otherwise.
/// - A crash loses at most the last transactions, and never a part of one.
/// - A file that is damaged, or is not a cache, is renamed to `<name>.damaged-1` and replaced by an
///   empty one.
///
/// Calls block their thread for as long as the disk needs.
public final class SQLiteNormalizedCache: NormalizedCache {
  /// The settings of a cache.
  ///
  /// ```swift
  /// var configuration = SQLiteNormalizedCache.Configuration()
  /// configuration.busyTimeout = .seconds(2)
  /// let cache = try SQLiteNormalizedCache(fileURL: file, configuration: configuration)
  /// ```
  public struct Configuration: Sendable {
    /// The time after which a transaction that waits for other connections throws a ``SQLiteError``
    /// that is busy.
    public var busyTimeout: Duration = .seconds(10)
    /// Indicates whether the whole file is checked when it is opened. A gigabyte takes about a
    /// second.
    public var checksIntegrity = true
    /// Indicates whether a file that is damaged, or is not a cache, is renamed and replaced. If
    /// not, opening it throws.
    public var replacesUnusableFile = true
    /// The way in which SQLite keeps what a transaction replaces. All programs that use a file have
    /// to agree on ``JournalMode/wal`` or on another mode; otherwise, opening it throws.
    public var journalMode: JournalMode = .wal
    /// Indicates whether clearing also rewrites a large file, which returns the space to the file
    /// system, and whether the bytes of removed records are erased at once.
    ///
    /// Clearing always rewrites a file of up to 8 MiB: nothing of the records is left in the file,
    /// its log or its journal. With `true`, the same holds for files of any size, and for records
    /// that are removed by key or by pattern. A removal waits for readers up to ``busyTimeout``
    /// then, or up to a second with `false`. If they read for longer, the erasure is completed at
    /// the end of a reading of this cache, or at its next write.
    public var shouldVacuumOnClear = false

    /// Creates the default settings.
    public init() {}

    /// The same settings, for the file.
    var ofFile: FileSettings {
      FileSettings(
        busyTimeout: busyTimeout, checksIntegrity: checksIntegrity,
        replacesUnusableFile: replacesUnusableFile, journalMode: journalMode,
        shouldVacuumOnClear: shouldVacuumOnClear)
    }
  }

  private let file: DatabaseFile
  private let exclusive: ExclusiveWriter
  private let readers: ReaderPool
  /// The open transactions.
  let registry = TransactionRegistry()

  /// Opens a file or creates it. Its folder must exist.
  ///
  /// - Throws: ``SQLiteError``
  public convenience init(fileURL: URL, configuration: Configuration = Configuration()) throws {
    try self.init(fileURL: fileURL, configuration: configuration, schema: .current)
  }

  /// Opens a file with the tables of any version, for tests.
  convenience init(
    fileURL: URL, configuration: Configuration = Configuration(), schema: TableSchema
  ) throws {
    try self.init(
      DatabaseFile(path: fileURL.path, settings: configuration.ofFile, schema: schema))
  }

  private init(_ file: DatabaseFile) throws {
    self.file = file
    let exclusive = ExclusiveWriter(try CacheWriter(file))
    self.exclusive = exclusive
    readers = ReaderPool(
      file, follow: { try exclusive.reopenIfReplaced(discardingReaders: $0) },
      // Throws while the cache is suspended: rewriting the file would delay the suspension.
      onEnd: { [registry] in
        try? registry.starting { try exclusive.finishErasure { try registry.running($0, $1) } }
      })
  }

  /// Creates an empty cache whose records SQLite keeps in memory, without a file. They are gone
  /// when the cache is released.
  ///
  /// ```swift
  /// let store = ApolloStore(cache: try SQLiteNormalizedCache.inMemory())
  /// ```
  ///
  /// It behaves as one on disk, for tests. `InMemoryNormalizedCache` is several times faster. A
  /// write waits until all readers have finished, and readers wait for its end.
  ///
  /// - Parameter configuration: The settings. The journal mode is always ``JournalMode/memory``.
  /// - Returns: The cache.
  /// - Throws: ``SQLiteError``
  public static func inMemory(
    configuration: Configuration = Configuration()
  ) throws -> SQLiteNormalizedCache {
    try SQLiteNormalizedCache(DatabaseFile(inMemory: configuration.ofFile))
  }

  /// Opens a file or creates it. Its folder must exist.
  ///
  /// - Throws: ``SQLiteError``
  public convenience init(fileURL: URL, shouldVacuumOnClear: Bool) throws {
    var configuration = Configuration()
    configuration.shouldVacuumOnClear = shouldVacuumOnClear
    try self.init(fileURL: fileURL, configuration: configuration)
  }

  // MARK: - NormalizedCache

  /// Returns the records with these keys from one state of the file. Keys without a record are
  /// omitted.
  public func loadRecords(forKeys keys: Set<RecordKey>) throws -> [RecordKey: Record] {
    let snapshot = try blockToRead()
    var records: [RecordKey: Record] = [:]
    for key in keys {
      if let fields = try snapshot.fields(of: key) {
        records[key] = Record(key: key, fields: fields)
      }
    }
    return records
  }

  /// Merges records in one transaction and returns the changes.
  public func merge(records: RecordSet) throws -> ChangeSet {
    try apply([.merge(records)])
  }

  /// Removes one record. A key without a record is no error and no change.
  @discardableResult
  public func removeRecord(for key: RecordKey) throws -> ChangeSet {
    try apply([.remove(key)])
  }

  /// Removes every record whose key contains `pattern`. ASCII letters match in either case.
  @discardableResult
  public func removeRecords(matching pattern: String) throws -> ChangeSet {
    try apply([.removeMatching(pattern)])
  }

  /// Removes every record. Returns the space to the file system if the file has up to 8 MiB, or
  /// with ``Configuration/shouldVacuumOnClear``.
  public func clear() throws {
    _ = try apply([.clear])
  }

  /// Applies the changes in one transaction.
  ///
  /// - Returns: The changes. Everything, if others have written to the file since this cache's last
  ///   write.
  /// - Throws: ``SQLiteError``. Nothing has changed then.
  public func apply(_ changes: [CacheMutation]) throws -> ChangeSet {
    let context = try blockToWrite()
    defer { context.end() }
    // No store learns of it, as of a commit by others.
    beginDirectWrite()
    var hasChanges = false
    defer { endDirectWrite(hasChanges: hasChanges) }
    let changed = try context.commit(changes).changes
    hasChanges = !changed.isEmpty
    return changed
  }

  /// Returns the records as they are now, unaffected by later writes of any process.
  public func snapshot() throws -> (any RecordSnapshot)? {
    try openSnapshot()
  }

  /// Returns the keys of all records, in the order of their bytes.
  public func recordKeys() throws -> [RecordKey]? {
    try openSnapshot().recordKeys()
  }

  /// Returns the problems that SQLite finds in the structure of the file.
  ///
  /// - Throws: ``SQLiteError``, which is busy if a transaction of this cache does not end within
  ///   the busy timeout.
  /// - Complexity: O(*n*) in the size of the file.
  public func integrityProblems() throws -> [String] {
    try withWriter { try $0.problems() }
  }

  /// Limits the size of the file, as a full disk does, for tests.
  package func limitPageCount(to count: Int) throws {
    try withWriter { try $0.limitPageCount(to: count) }
  }
}

// MARK: - Suspending

extension SQLiteNormalizedCache {
  /// Releases all locks on the file at once, for a program that the system is about to suspend.
  ///
  /// ```swift
  /// NotificationCenter.default.addObserver(
  ///   forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
  /// ) { _ in cache.suspend() }
  /// ```
  ///
  /// Systems end programs that are suspended while they hold a lock on a file that is shared with
  /// an extension. Open transactions end without their changes. Using one of them, or starting
  /// another one before ``resume()``, throws a ``SQLiteError`` with the code 9
  /// (`SQLITE_INTERRUPT`). A client continues without the cache meanwhile.
  ///
  /// Returns when no lock is held. May be called from any thread, but not inside of a transaction
  /// of this cache.
  public func suspend() {
    registry.suspend()
  }

  /// Lets transactions begin again, after ``suspend()``. Watches whose readings have failed
  /// meanwhile read again within a second. Those of a cache in memory read at its next write.
  ///
  /// Completes the erasure of removed records, if readers or ``suspend()`` have delayed it.
  public func resume() {
    registry.resume()
    // Throws if the cache has been suspended again. The next call continues then.
    try? registry.starting { try exclusive.finishErasure { try registry.running($0, $1) } }
  }
}

// MARK: - Writing

extension SQLiteNormalizedCache: LocalRecordStore {
  package var sharedName: String? {
    file.isInMemory
      ? nil : "file \(URL(fileURLWithPath: file.path).resolvingSymlinksInPath().path)"
  }
  package var isTransactional: Bool { true }
  package var keepsWrites: Bool { true }
  package var writeTimeout: Duration { file.settings.busyTimeout }
  // Counting takes a lock on the file for a moment.
  package func foreignCommitCount() throws -> Int? {
    try registry.starting { try exclusive.foreignCommitCount() }
  }
  package func commitCount() throws -> Int? {
    try registry.starting { try exclusive.commitCount() }
  }
  package func beginDirectWrite() { exclusive.beginDirectWrite() }
  package func endDirectWrite(hasChanges: Bool) {
    exclusive.endDirectWrite(hasChanges: hasChanges)
  }

  package func openSnapshot() throws -> any StoreSnapshot { try blockToRead() }

  package func openSnapshotAtOnce() throws -> (any StoreSnapshot)? {
    try SQLiteSnapshot.begin(readers, registry)
  }

  package func openSnapshotOrThrow() throws -> any StoreSnapshot { try beginToRead() }

  /// Takes a snapshot. Blocks the thread while all connections are in use, up to the busy timeout.
  private func blockToRead() throws -> SQLiteSnapshot {
    var waiting = Waiting(writeTimeout)
    while !waiting.isOver {
      if let snapshot = try SQLiteSnapshot.begin(readers, registry) { return snapshot }
      waiting.block()
    }
    return try beginToRead()
  }

  /// Takes a snapshot, and throws while all connections are in use.
  private func beginToRead() throws -> SQLiteSnapshot {
    if let snapshot = try SQLiteSnapshot.begin(readers, registry) { return snapshot }
    throw SQLiteError(
      code: SQLITE_BUSY, message: "\(ReaderPool.maximumCount) other readers have not finished",
      activity: "Reading \(file.path)")
  }

  package var hasForeignWriters: Bool { !file.isInMemory }

  package func takeForeignCommits() throws -> Bool {
    try registry.starting {
      try exclusive.reopenIfReplaced { readers.discard() }
      return try exclusive.takeForeignCommits()
    }
  }

  package func takeResumption() -> Bool { registry.takeResumption() }

  package func tryToWrite(isLastTry: Bool) throws -> (any LocalWriteContext)? {
    try registry.starting { try beginContext(isLastTry: isLastTry) }
  }

  private func beginContext(isLastTry: Bool) throws -> SQLiteWriteContext? {
    guard var writer = exclusive.take() else {
      guard isLastTry else { return nil }
      throw isTaken
    }
    do {
      if try writer.reopenIfReplaced() {
        readers.discard()
        exclusive.recordForeignCommit()
      }
      guard try begin(&writer, isLastTry: isLastTry) else {
        exclusive.recycle(writer)
        return nil
      }
      if try writer.detectsForeignCommit() { exclusive.recordForeignCommit() }
      exclusive.setExclusive(true)
    } catch {
      writer.rollBack()
      exclusive.recycle(writer)
      throw error
    }
    return try SQLiteWriteContext(writer, of: self)
  }

  private func begin(_ writer: inout CacheWriter, isLastTry: Bool) throws -> Bool {
    do {
      if writer.isDamaged, replacesUnusableFile { try replacing { try writer.replaceFile() } }
      return try writer.begin(isLastTry: isLastTry)
    } catch let error as SQLiteError where error.isDamage && replacesUnusableFile {
      try replacing { try writer.replaceFile() }
      return try writer.begin(isLastTry: isLastTry)
    }
  }

  /// Runs `body`, in which the writer replaces or deletes the file.
  ///
  /// 1. Idle connections are closed: one that began to read during `body` could take the journal of
  ///    the new file for its own.
  /// 2. Afterwards, connections that were opened meanwhile are not used again. They may lead to the
  ///    old file.
  /// 3. Memory in front of the file is emptied, because the records are gone.
  func replacing(_ body: () throws -> Void) throws {
    readers.discard()
    defer {
      readers.discard()
      exclusive.recordForeignCommit()
    }
    try body()
  }

  var replacesUnusableFile: Bool { file.settings.replacesUnusableFile }

  /// Returns whether clearing may delete the file after an error.
  func mayDelete(_ error: SQLiteError) -> Bool {
    error.isFull || error.isDamage && replacesUnusableFile
  }

  func recycle(_ writer: CacheWriter) { exclusive.recycle(writer) }

  /// Records that a write is about to commit.
  func willCommit() { exclusive.beginCommit() }

  /// Records that a write has committed, or may have.
  func recordCommit() { exclusive.recordCommit() }

  /// Records that a write is about to end, after which others may write.
  func willEnd() { exclusive.setExclusive(false) }

  /// Runs `body` with the connection that writes. Waits until no write context has it, up to the
  /// busy timeout: the caller may be inside of that write.
  private func withWriter<Result>(_ body: (CacheWriter) throws -> Result) throws -> Result {
    var waiting = Waiting(writeTimeout)
    while true {
      if let writer = exclusive.take() {
        defer { exclusive.recycle(writer) }
        return try registry.starting { try body(writer) }
      }
      guard !waiting.isOver else { throw isTaken }
      waiting.block()
    }
  }

  private var isTaken: SQLiteError {
    SQLiteError(
      code: SQLITE_BUSY, message: "another transaction on this cache has not ended",
      activity: "Writing to \(file.path)")
  }
}
