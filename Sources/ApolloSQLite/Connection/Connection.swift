internal import ApolloAPI
internal import ApolloCache
internal import CSQLite

/// A connection to a database file, with its prepared statements.
///
/// Not thread-safe: its owner uses it from one thread at a time. Only ``interrupt()`` may be called
/// from any thread.
final class Connection {
  private let handle: OpaquePointer
  private var statements: [StaticString.Key: Statement] = [:]
  let path: String
  private let isInterrupted = Lock(false)

  enum Access {
    case reading
    case writing
  }

  /// Opens a file. Creates it if `access` is writing.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - access: The purpose of the connection.
  ///   - busyTimeout: The time that a statement waits for other connections, in milliseconds.
  /// - Throws: ``SQLiteError``
  init(path: String, access: Access, busyTimeout: Int32) throws(SQLiteError) {
    var opened: OpaquePointer?
    // Readers open for writing too, because a reader may have to recover the log after a crash.
    // NOMUTEX because the connection has one owner.
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (access == .writing ? SQLITE_OPEN_CREATE : 0)
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

  /// Sets the time that a statement waits for other connections, in milliseconds.
  func setBusyTimeout(_ milliseconds: Int32) {
    sqlite3_busy_timeout(handle, milliseconds)
  }

  deinit {
    statements = [:]  // finalized before the connection closes
    sqlite3_close_v2(handle)
  }

  /// Returns the error of the last call.
  func error(_ code: Int32, _ activity: String) -> SQLiteError {
    SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)), activity: activity)
  }

  /// Runs statements without parameters and results.
  func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, "Running `\(sql)` on \(path)") }
  }

  /// Returns the statement for `sql`, which is compiled once for each connection.
  func statement(_ sql: StaticString) throws(SQLiteError) -> Statement {
    if let statement = statements[sql.key] { return statement }
    let statement = try Statement(sql.description, handle: handle, connection: self)
    statements[sql.key] = statement
    return statement
  }

  /// Returns a statement that is used once.
  func statement(uncached sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, handle: handle, connection: self)
  }

  /// Returns the single integer of a query, or `nil` if it has no row.
  func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try statement(uncached: sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Runs `body` in a transaction that may write from its start.
  ///
  /// (A transaction that starts by reading and writes later fails at once if another one has
  /// written in between, whatever the busy timeout.)
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
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

  /// Ends the running statement, and lets no statement continue until ``allowStatements()``. May be
  /// called from any thread while the connection is alive.
  func interrupt() {
    isInterrupted.withLock { $0 = true }
    sqlite3_interrupt(handle)
  }

  func allowStatements() {
    isInterrupted.withLock { $0 = false }
  }

  /// Throws after an interruption. SQLite itself forgets one that comes between two statements.
  func checkIsNotInterrupted() throws(SQLiteError) {
    if isInterrupted.withLock({ $0 }) { throw .suspended }
  }

  /// Ends the transaction, if there is one, without its changes.
  func rollBack() {
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
