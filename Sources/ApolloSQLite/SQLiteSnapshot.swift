internal import ApolloAPI
internal import ApolloCache

/// The records of a file at one moment.
///
/// Each record is one lookup with a prepared statement. A statement for many keys takes SQLite
/// about as long for each of them (1.3 µs against 1.7 µs with 128 keys), and its results would have
/// to be reordered.
final class SQLiteSnapshot: RowSnapshot, InterruptibleTransaction {
  /// The connection, or `nil` after an interruption. The lock is held while it is used.
  private let reader: Lock<ReaderPool.Reader?>
  /// The connection of the reader, for interrupting it.
  ///
  /// `nonisolated(unsafe)` because only ``DatabaseConnection/interrupt()`` and
  /// ``DatabaseConnection/allowStatements()`` are called, which are safe on any thread.
  nonisolated(unsafe) private let connection: DatabaseConnection
  private let pool: ReaderPool
  private let registry: TransactionRegistry

  /// Takes a snapshot, or returns `nil` if all connections are in use.
  ///
  /// - Throws: ``SQLiteError``, also while the cache is suspended.
  static func begin(_ pool: ReaderPool, _ registry: TransactionRegistry) throws -> SQLiteSnapshot? {
    try registry.starting {
      guard let reader = try pool.take() else { return nil }
      return try SQLiteSnapshot(reader, pool, registry)
    }
  }

  private init(
    _ reader: ReaderPool.Reader, _ pool: ReaderPool, _ registry: TransactionRegistry
  ) throws {
    self.pool = pool
    self.registry = registry
    connection = reader.rows.database
    self.reader = Lock(reader)
    do {
      try connection.statement("BEGIN").run()
      // A transaction sees the state at its first statement that reads.
      try connection.statement("PRAGMA data_version").run()
      try registry.begin(self)
    } catch {
      end()
      throw error
    }
  }

  deinit { end() }

  private func end() {
    let ended = reader.withLock { reader -> ReaderPool.Reader? in
      guard let ending = reader.take() else { return nil }
      ending.rows.database.rollBack()  // nothing was written
      ending.rows.database.allowStatements()
      return ending
    }
    registry.end(self)  // only after it has released its lock
    // Outside of the lock, because the pool may continue with an erasure, which copies the file.
    if let ended { pool.recycle(ended) }
  }

  func interrupt() {
    connection.interrupt()  // so that a statement that is running releases the lock soon
    end()
    connection.allowStatements()  // also if the transaction had just ended
  }

  private func read<Result>(_ body: (inout RecordRows) throws -> Result) throws -> Result {
    try reader.withLock { reader throws in
      guard reader != nil else { throw SQLiteError.suspended }
      return try body(&reader!.rows)  // checked above
    }
  }

  func fields(of key: RecordKey) throws -> FieldMap? {
    try read { try $0.fields(of: key) }
  }

  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try read { try $0.fields(of: key, among: wanted) }
  }

  func recordKeys() throws -> [RecordKey]? {
    try read { try $0.keys() }
  }

  var keepsWrites: Bool { true }

  func writes(of key: RecordKey, among fields: [FieldKey]) throws -> [FieldKey: WriteID] {
    try read { try $0.writes(of: key, among: fields) }
  }

  func facts(about write: WriteID) throws -> WriteFacts? {
    try read { try $0.stamps.facts(about: write) }
  }

  func lastUses() throws -> [RecordKey: Int64] {
    try read { try $0.lastUses() }
  }

  func load(_ key: RecordKey, into buffer: RowBuffer) throws -> RowForm? {
    try read { try $0.load(key, into: buffer) }
  }

  func shape(numbered number: Int64) throws -> RecordShape {
    try read { try $0.shape(numbered: number) }
  }
}
