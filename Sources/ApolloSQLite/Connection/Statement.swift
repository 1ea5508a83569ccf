internal import ApolloAPI
internal import ApolloCache
internal import CSQLite

/// A compiled statement. Its parameters count from 1, its columns from 0.
package final class Statement {
  private let handle: OpaquePointer
  /// Unchecked for speed. The statement must not outlive its connection.
  private unowned(unsafe) let connection: DatabaseConnection

  /// Compiles a statement, which must not outlive `connection`.
  init(_ sql: String, handle database: OpaquePointer, connection: DatabaseConnection)
    throws(SQLiteError)
  {
    var compiled: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
    guard code == SQLITE_OK, let compiled else {
      throw connection.error(code: code, during: "Compiling `\(sql)` for \(connection.path)")
    }
    handle = compiled
    self.connection = connection
  }

  deinit {
    sqlite3_finalize(handle)
  }

  // MARK: - Running

  /// Advances to the next row. Returns `false` at the end, and makes the statement ready to be
  /// bound again.
  package func step() throws(SQLiteError) -> Bool {
    do {
      try connection.checkIsNotInterrupted()
    } catch {
      reset()
      throw error
    }
    let code = sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      reset()
      return false
    default:
      let error = connection.error(
        code: code,
        during: "Running `\(String(cString: sqlite3_sql(handle)))` on \(connection.path)")
      reset()
      throw error
    }
  }

  /// Runs the statement to its end.
  package func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Makes the statement ready to be bound again, and ends its reading.
  package func reset() {
    sqlite3_reset(handle)
  }

  // MARK: - Parameters

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else {
      throw connection.error(code: code, during: "Binding a value for \(connection.path)")
    }
  }

  /// The constant that makes SQLite copy a value: in C, the pointer −1.
  private static let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  package func bind(_ value: Int64, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, index, value))
  }

  package func bind(_ value: Double, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, index, value))
  }

  package func bind(text: String, at index: Int32) throws(SQLiteError) {
    // With its length, because text may contain NUL.
    try check(sqlite3_bind_text(handle, index, text, Int32(text.utf8.count), Self.copies))
  }

  package func bindNull(at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, index))
  }

  package func bind(_ bytes: [UInt8], at index: Int32) throws(SQLiteError) {
    // A null pointer would mean NULL rather than an empty blob.
    guard !bytes.isEmpty else { return try check(sqlite3_bind_zeroblob(handle, index, 0)) }
    let code = bytes.withUnsafeBytes {
      sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), Self.copies)
    }
    try check(code)
  }

  /// Binds the UTF-8 of a text as a blob, because bytes compare equally everywhere, and any text
  /// can be a key, even with NUL in it.
  func bind(bytesOf text: String, at index: Int32) throws(SQLiteError) {
    var text = text
    let code = text.withUTF8 { bytes in
      bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), Self.copies)
    }
    try check(code)
  }

  /// Binds bytes without copying them, while `body` runs the statement.
  func with<Result>(
    _ bytes: UnsafeRawBufferPointer, at index: Int32, _ body: (Statement) throws -> Result
  ) throws -> Result {
    // SQLite keeps the address after `body`, but uses it only when the statement runs, and every
    // run binds it again.
    let code =
      bytes.isEmpty
      ? sqlite3_bind_zeroblob(handle, index, 0)
      : sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
    try check(code)
    return try body(self)
  }

  /// Binds the bytes of a key without copying them, while `body` runs the statement.
  func with<Result>(_ key: RecordKey, at index: Int32, _ body: (Statement) throws -> Result) throws
    -> Result
  {
    try key.identity.withBytes { bytes throws in try with(bytes, at: index, body) }
  }

  // MARK: - Columns

  package func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  package func double(_ column: Int32) -> Double {
    sqlite3_column_double(handle, column)
  }

  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// Runs `body` with the bytes of a blob or a text, which are valid until the statement continues.
  package func withBytes<Result, Failure: Error>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  package func text(_ column: Int32) -> String {
    withBytes(column) { String(decoding: $0, as: UTF8.self) }
  }
}
