internal import ApolloAPI
internal import ApolloCache
internal import CSQLite

/// A connection to a database file, with its prepared statements.
///
/// Not thread-safe: its owner uses it from one thread at a time. Only ``interrupt()`` and
/// ``allowStatements()`` may be called from any thread.
package final class DatabaseConnection {
  package let path: String
  private let handle: OpaquePointer
  private var statements: [StaticString.Key: Statement] = [:]
  /// A flag of our own, because SQLite forgets an interruption that comes between two statements.
  private let isInterrupted = Lock(false)

  package enum Access {
    case reading
    case writing
    /// Opens the file as one that this process may not write.
    case inspecting
  }

  /// Opens a database file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - isURI: Whether the path is a URI with parameters.
  ///   - access: `writing` creates the file if it does not exist.
  ///   - busyTimeout: The time that a statement waits for other connections, in milliseconds.
  /// - Throws: ``SQLiteError`` if the file cannot be opened. A file that is no database fails
  ///   at the first statement.
  package init(
    path: String, isURI: Bool = false, access: Access, busyTimeout: Int32
  ) throws(SQLiteError) {
    var opened: OpaquePointer?
    // Readers open for writing too, because a reader may have to recover the log after a crash.
    // NOMUTEX because the connection has one owner.
    let flags =
      (access == .inspecting ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_NOMUTEX
      | (access == .writing ? SQLITE_OPEN_CREATE : 0) | (isURI ? SQLITE_OPEN_URI : 0)
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw SQLiteError(code: code, message: message, activity: "Opening \(path)")
    }
    handle = opened
    self.path = path
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, busyTimeout)
  }

  deinit {
    statements = [:]  // finalized before the connection closes
    sqlite3_close_v2(handle)
  }

  /// Sets the time that a statement waits for other connections, in milliseconds.
  func setBusyTimeout(_ milliseconds: Int32) {
    sqlite3_busy_timeout(handle, milliseconds)
  }

  /// Returns an error with `code` and SQLite's message about the last call.
  func error(code: Int32, during activity: String) -> SQLiteError {
    SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)), activity: activity)
  }

  /// Runs statements without parameters or results.
  package func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code: code, during: "Running `\(sql)` on \(path)") }
  }

  /// Returns the statement for `sql`, compiled at its first use on this connection.
  ///
  /// Each call returns the same statement, so a caller runs it to its end, or resets it, before the
  /// next call.
  package func statement(_ sql: StaticString) throws(SQLiteError) -> Statement {
    if let statement = statements[sql.key] { return statement }
    let statement = try Statement(sql.description, handle: handle, connection: self)
    statements[sql.key] = statement
    return statement
  }

  /// Returns a new statement for `sql`, for a single use.
  package func statement(uncached sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, handle: handle, connection: self)
  }

  /// Returns the single integer of a query, or `nil` if it has no row.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try statement(uncached: sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The path of the write-ahead log, or `nil` for a database without a file.
  ///
  /// SQLite has the log beside the file itself, to which ``path`` may be a link.
  package var logPath: String? {
    guard let file = sqlite3_db_filename(handle, "main"), file.pointee != 0,
      let log = sqlite3_filename_wal(file)
    else { return nil }
    return String(cString: log)
  }

  /// The key of the row that was inserted last.
  package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

  /// The number of rows that this connection has changed.
  package var changedRowCount: Int32 { sqlite3_total_changes(handle) }

  /// Runs `body` in a transaction. Commits if it returns, and rolls back if it throws.
  ///
  /// The transaction begins with `IMMEDIATE`, because one that reads first and writes later fails
  /// without waiting if another connection has written in between.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  // MARK: - Interrupting

  /// Ends the running statement. From now to ``allowStatements()``,
  /// ``checkIsNotInterrupted()`` throws, which each ``Statement`` calls before it runs. May be
  /// called from any thread while the connection is alive.
  func interrupt() {
    isInterrupted.withLock { $0 = true }
    sqlite3_interrupt(handle)
  }

  /// Allows statements again after ``interrupt()``. May be called from any thread.
  func allowStatements() {
    isInterrupted.withLock { $0 = false }
  }

  /// Throws ``SQLiteError/suspended`` from ``interrupt()`` to ``allowStatements()``.
  func checkIsNotInterrupted() throws(SQLiteError) {
    if isInterrupted.withLock({ $0 }) { throw .suspended }
  }

  /// Ends the transaction, if there is one, without its changes.
  package func rollBack() {
    // Some errors have rolled back already. An interruption may end the first ROLLBACK, but not the
    // second.
    for _ in 0..<2 where sqlite3_get_autocommit(handle) == 0 {
      // If it fails again, closing the connection rolls back.
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }
  }
}

extension StaticString {
  /// The identity of a literal: its address. The same text in two places is compiled twice.
  struct Key: Hashable {
    fileprivate let address: UnsafePointer<UInt8>
  }

  fileprivate var key: Key { Key(address: utf8Start) }
}
