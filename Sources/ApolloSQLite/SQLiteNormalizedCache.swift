public import ApolloCache
internal import CSQLite
public import Foundation

/// Keeps records in a SQLite file, through the system's SQLite.
///
/// Any number of caches, in any number of processes, may use one file: each transaction waits for
/// the others, up to ``Configuration/busyTimeout``. Readers hold snapshots and wait for no writer.
/// A crash loses at most the last transactions, and never a part of one. A file that is damaged, or
/// is not a cache, is renamed to `<name>.damaged-1` and replaced by an empty one.
///
/// Calls block their thread for as long as the disk needs.
public final class SQLiteNormalizedCache: NormalizedCache {
  /// How a cache file is used.
  public struct Configuration: Sendable {
    /// How long a transaction waits for those of other connections before it throws a
    /// ``SQLiteError`` that is busy.
    public var busyTimeout: Duration = .seconds(10)
    /// Whether to look through the whole file when it is opened. Takes about a second for each
    /// gigabyte.
    public var checksIntegrity = true
    /// Whether a file that is damaged or is not a cache is renamed and replaced; if not, opening it
    /// throws.
    public var replacesUnusableFile = true
    /// Whether clearing also gives the space back to the file system.
    public var shouldVacuumOnClear = false

    /// The defaults.
    public init() {}

    var busyTimeoutInMilliseconds: Int32 {
      let (seconds, attoseconds) = busyTimeout.components
      return Int32(
        clamping: seconds.multipliedReportingOverflow(by: 1_000).partialValue + attoseconds
          / 1_000_000_000_000_000)
    }
  }

  private let file: DatabaseFile
  private let exclusive: ExclusiveWriter
  private let readers: ReaderPool
  /// The transactions that are open.
  let registry = TransactionRegistry()

  /// Opens a file, or creates it. Its folder must exist.
  ///
  /// - Throws: ``SQLiteError``
  public convenience init(fileURL: URL, configuration: Configuration = Configuration()) throws {
    try self.init(fileURL: fileURL, configuration: configuration, schema: .current)
  }

  /// Opens a file with the tables of any version of this code, for tests.
  init(fileURL: URL, configuration: Configuration = Configuration(), schema: Schema) throws {
    file = DatabaseFile(path: fileURL.path, configuration: configuration, schema: schema)
    exclusive = ExclusiveWriter(try CacheWriter(file))
    readers = ReaderPool(file)
  }

  /// Opens a file, or creates it. Its folder must exist.
  ///
  /// - Throws: ``SQLiteError``
  public convenience init(fileURL: URL, shouldVacuumOnClear: Bool) throws {
    var configuration = Configuration()
    configuration.shouldVacuumOnClear = shouldVacuumOnClear
    try self.init(fileURL: fileURL, configuration: configuration)
  }

  // MARK: - NormalizedCache

  /// Loads the records with these keys from one state of the file; keys without a record are left
  /// out.
  public func loadRecords(forKeys keys: Set<RecordKey>) throws -> [RecordKey: Record] {
    let snapshot = try SQLiteSnapshot.begin(readers, registry)
    var records: [RecordKey: Record] = [:]
    for key in keys {
      if let fields = try snapshot.fields(of: key) {
        records[key] = Record(key: key, fields: fields)
      }
    }
    return records
  }

  /// Merges records in one transaction, and returns what changed.
  public func merge(records: RecordSet) throws -> ChangeSet {
    try apply([.merge(records)])
  }

  /// Removes one record. Removing one that does not exist is no error, and no change.
  @discardableResult
  public func removeRecord(for key: RecordKey) throws -> ChangeSet {
    try apply([.remove(key)])
  }

  /// Removes every record whose key contains `pattern`; ASCII letters match in either case.
  @discardableResult
  public func removeRecords(matching pattern: String) throws -> ChangeSet {
    try apply([.removeMatching(pattern)])
  }

  /// Removes every record, and gives the space back if the configuration says so.
  public func clear() throws {
    _ = try apply([.clear])
  }

  /// Applies the changes in one transaction.
  ///
  /// - Returns: what changed; everything, if others have written to the file since this cache did.
  /// - Throws: ``SQLiteError``; nothing has changed then.
  public func apply(_ changes: [CacheMutation]) throws -> ChangeSet {
    let context = try blockToWrite()
    defer { context.end() }
    return try context.commit(changes).changes
  }

  /// The records as they are now, unmoved by later writes of any process.
  public func snapshot() throws -> (any RecordSnapshot)? {
    try openSnapshot()
  }

  /// What SQLite finds wrong with the structure of the file, or nothing.
  ///
  /// - Throws: ``SQLiteError``; one that is busy when a transaction of this cache does not end within the busy timeout.
  /// - Complexity: O(*n*) in the size of the file.
  public func integrityProblems() throws -> [String] {
    try withWriter { try $0.problems() }
  }

  /// Lets the file grow to so many pages and no further: what a full disk does, for tests.
  package func limitPageCount(to count: Int) throws {
    try withWriter { try $0.limitPageCount(to: count) }
  }
}

// MARK: - Suspending

extension SQLiteNormalizedCache {
  /// Gives up all locks on the file at once, for a program that the system is about to suspend.
  ///
  /// Systems end programs that are suspended while they hold a lock on a file that is shared with an
  /// extension. Transactions that are open end without their changes: who reads or writes in one
  /// gets a ``SQLiteError`` with the code 9 (`SQLITE_INTERRUPT`), and so does who begins one before
  /// ``resume()``. A client goes on without the cache meanwhile.
  ///
  /// Returns when no lock is held any more. May be called from any thread, but not from within a
  /// transaction of this cache.
  public func suspend() {
    registry.suspend()
  }

  /// Lets transactions begin again.
  public func resume() {
    registry.resume()
  }
}

// MARK: - Writing

extension SQLiteNormalizedCache: LocalRecordStore {
  package var isTransactional: Bool { true }
  package var writeTimeout: Duration { file.configuration.busyTimeout }
  package func foreignCommitCount() throws -> Int? { try exclusive.foreignCommitCount() }

  package func openSnapshot() throws -> any StoreSnapshot {
    try SQLiteSnapshot.begin(readers, registry)
  }

  package func tryToWrite(isLastTry: Bool) throws -> (any LocalWriteContext)? {
    try registry.beginning { try beginContext(isLastTry: isLastTry) }
  }

  private func beginContext(isLastTry: Bool) throws -> SQLiteWriteContext? {
    guard var writer = exclusive.take() else {
      guard isLastTry else { return nil }
      throw isTaken
    }
    do {
      if try writer.reopenIfReplaced() {
        readers.discard()
        exclusive.noteForeignWrite()
      }
      guard try begin(&writer, isLastTry: isLastTry) else {
        exclusive.recycle(writer)
        return nil
      }
      if try writer.noticesForeignWrite() { exclusive.noteForeignWrite() }
      exclusive.noteExclusive(true)
    } catch {
      writer.rollBack()
      exclusive.recycle(writer)
      throw error
    }
    return try SQLiteWriteContext(writer, of: self)
  }

  private func begin(_ writer: inout CacheWriter, isLastTry: Bool) throws -> Bool {
    do {
      return try writer.begin(isLastTry: isLastTry)
    } catch let error as SQLiteError where error.isDamage && replacesUnusableFile {
      readers.discard()
      try writer.replaceFile()
      return try writer.begin(isLastTry: isLastTry)
    }
  }

  var replacesUnusableFile: Bool { file.configuration.replacesUnusableFile }

  func discardReaders() { readers.discard() }

  func recycle(_ writer: CacheWriter) { exclusive.recycle(writer) }

  /// Notes that a transaction which writes is about to end, so that others may write.
  func noteEnd() { exclusive.noteExclusive(false) }

  /// Lends the connection that writes, when nobody writes with it. Waits for that, but not for ever: who calls this may be in the
  /// transaction that has it.
  private func withWriter<Result>(_ body: (CacheWriter) throws -> Result) throws -> Result {
    var waiting = Waiting(writeTimeout)
    while true {
      if let writer = exclusive.take() {
        defer { exclusive.recycle(writer) }
        return try registry.beginning { try body(writer) }
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
