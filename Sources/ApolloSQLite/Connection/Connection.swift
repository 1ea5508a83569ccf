internal import ApolloAPI
internal import ApolloCache
internal import CSQLite

/// One connection to a database file, and the statements it has prepared.
///
/// Not thread-safe: whoever owns it uses it from one thread at a time. Only ``interrupt()`` may be
/// called from any.
final class Connection {
  private let handle: OpaquePointer
  private var statements: [StaticString.Key: Statement] = [:]
  let path: String
  private let isInterrupted = Lock(false)

  enum Access {
    case reading
    case writing
  }

  /// Opens a file, and creates it where `access` is writing.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - access: whether for reading or for writing.
  ///   - busyTimeout: how long a statement waits for other connections, in milliseconds.
  /// - Throws: ``SQLiteError``
  init(path: String, access: Access, busyTimeout: Int32) throws(SQLiteError) {
    var opened: OpaquePointer?
    // Readers open for writing too: a reader may be the one that has to recover the log after a
    // crash. NOMUTEX, since an owner is the mutex.
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

  /// Sets how long a statement waits for other connections, in milliseconds.
  func setBusyTimeout(_ milliseconds: Int32) {
    sqlite3_busy_timeout(handle, milliseconds)
  }

  deinit {
    statements = [:]  // finalized before the connection closes
    sqlite3_close_v2(handle)
  }

  /// What went wrong last.
  func error(_ code: Int32, _ activity: String) -> SQLiteError {
    SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)), activity: activity)
  }

  /// Runs statements that take and return nothing.
  func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, "Running `\(sql)` on \(path)") }
  }

  /// The statement for `sql`, which is compiled once for each connection, ready to be bound.
  func statement(_ sql: StaticString) throws(SQLiteError) -> Statement {
    if let statement = statements[sql.key] { return statement }
    let statement = try Statement(sql.description, handle: handle, connection: self)
    statements[sql.key] = statement
    return statement
  }

  /// A statement that is used once.
  func statement(uncached sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, handle: handle, connection: self)
  }

  /// The single integer that a query returns, or nil.
  func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try statement(uncached: sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Runs `body` in a transaction that has the right to write from its start.
  ///
  /// A transaction that begins by reading and writes later fails at once if another one wrote in
  /// between, whatever the busy timeout.
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

  /// Ends the statement that is running, and lets none go on, until ``allowStatements()``. May be
  /// called from any thread, by who keeps the connection alive.
  func interrupt() {
    isInterrupted.withLock { $0 = true }
    sqlite3_interrupt(handle)
  }

  func allowStatements() {
    isInterrupted.withLock { $0 = false }
  }

  /// SQLite itself forgets an interruption that comes between two statements.
  func checkIsNotInterrupted() throws(SQLiteError) {
    if isInterrupted.withLock({ $0 }) { throw .suspended }
  }

  /// Leaves any transaction without its changes.
  func rollBack() {
    // Some errors have rolled back already. An interruption that comes just when this begins ends this instead, and only this.
    for _ in 0..<2 where sqlite3_get_autocommit(handle) == 0 {
      // If it fails again, closing the connection rolls back.
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }
  }
}

extension StaticString {
  /// The address of a literal identifies it; the same text in two places is merely compiled twice.
  struct Key: Hashable {
    fileprivate let address: UnsafePointer<UInt8>
  }

  fileprivate var key: Key { Key(address: utf8Start) }
}
