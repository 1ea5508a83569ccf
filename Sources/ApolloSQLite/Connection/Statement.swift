internal import ApolloAPI
internal import ApolloCache
internal import CSQLite

/// A compiled statement. Its parameters count from 1, its columns from 0.
final class Statement {
  private let handle: OpaquePointer
  /// Unchecked, because the statement must not outlive it anyway, and it is asked at each step.
  private unowned(unsafe) let connection: Connection

  /// The statement must not outlive `connection`.
  init(_ sql: String, handle database: OpaquePointer, connection: Connection) throws(SQLiteError) {
    var compiled: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
    guard code == SQLITE_OK, let compiled else {
      throw connection.error(code, "Compiling `\(sql)` for \(connection.path)")
    }
    handle = compiled
    self.connection = connection
  }

  deinit {
    sqlite3_finalize(handle)
  }

  // MARK: - Running

  /// Goes on to the next row; false at the end, where the statement is ready to be bound again.
  func step() throws(SQLiteError) -> Bool {
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
        code, "Running `\(String(cString: sqlite3_sql(handle)))` on \(connection.path)")
      reset()
      throw error
    }
  }

  /// Runs the statement to its end.
  func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Makes the statement ready to be bound again, and gives back what it reads.
  func reset() {
    sqlite3_reset(handle)
  }

  // MARK: - Parameters

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else {
      throw connection.error(code, "Binding a value for \(connection.path)")
    }
  }

  /// SQLite's request to copy a value at once, which C spells as the pointer −1.
  private static let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  func bind(_ value: Int64, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, index, value))
  }

  func bindNull(at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, index))
  }

  func bind(_ bytes: [UInt8], at index: Int32) throws(SQLiteError) {
    // A null pointer would mean NULL rather than an empty blob.
    guard !bytes.isEmpty else { return try check(sqlite3_bind_zeroblob(handle, index, 0)) }
    let code = bytes.withUnsafeBytes {
      sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), Self.copies)
    }
    try check(code)
  }

  /// Binds the UTF-8 of a text as a blob: bytes compare alike everywhere, and any text can be a
  /// key, with NUL in it too.
  func bind(bytesOf text: String, at index: Int32) throws(SQLiteError) {
    var text = text
    let code = text.withUTF8 { bytes in
      bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), Self.copies)
    }
    try check(code)
  }

  /// Binds bytes while `body` runs the statement to where it needs them no more, without copying
  /// them.
  func with<Result>(
    _ bytes: UnsafeRawBufferPointer, at index: Int32, _ body: (Statement) throws -> Result
  ) throws -> Result {
    // SQLite keeps the address past the end of `body`, but looks at it only when the statement is
    // run, and whoever runs it binds it anew.
    let code =
      bytes.isEmpty
      ? sqlite3_bind_zeroblob(handle, index, 0)
      : sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
    try check(code)
    return try body(self)
  }

  /// The same for the bytes of a key.
  func with<Result>(_ key: RecordKey, at index: Int32, _ body: (Statement) throws -> Result) throws
    -> Result
  {
    try key.identity.withBytes { bytes throws in try with(bytes, at: index, body) }
  }

  // MARK: - Columns

  func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// Hands out the bytes of a blob or a text, which are valid until the statement goes on.
  func withBytes<Result, Failure: Error>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  func text(_ column: Int32) -> String {
    withBytes(column) { String(decoding: $0, as: UTF8.self) }
  }
}
