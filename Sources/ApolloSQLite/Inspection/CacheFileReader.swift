internal import ApolloAPI
package import ApolloCache
internal import CSQLite
internal import Foundation

/// A reader of a cache file that changes nothing, for tools.
///
/// Programs may use the file meanwhile: with a write-ahead log they do not wait for the reader, and
/// the reader sees one state during each call. A file of another version is not migrated, and a
/// damaged one stays in its place.
package final class CacheFileReader: Sendable {
  /// A record as its row has it.
  package struct Row: Sendable {
    package var key: RecordKey
    /// The fields, or `nil` if they cannot be read.
    package var fields: FieldMap?
    /// The fields of a record with one row for each whose rows cannot be read.
    package var unreadableFields: [FieldKey]
    /// The number of the latest write of each field, as far as it is known.
    package var writes: [FieldKey: WriteID]
    /// Indicates whether the numbers cannot be read.
    package var hasUnreadableWrites: Bool
    /// The time of the last use in seconds since 1970.
    package var lastUse: Int64?
    /// The number of bytes of the key and the fields.
    package var byteCount: Int
    /// Indicates whether the key is not UTF-8, as no key of this library is.
    package var hasUnreadableKey: Bool
  }

  package let path: String
  /// The connection, or `nil` after ``close()``.
  private let connection: Lock<DatabaseConnection?>
  /// The path of the file itself, beside which its log is, if `path` is a link.
  private let target: String
  /// Indicates whether opening the file has made its log, which is empty and goes with the reader.
  private let hasMadeLog: Bool
  /// The file that was opened.
  private let identity: Identity?

  /// The time that a statement waits for other connections, in milliseconds.
  private let busyTimeout: Int32

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - busyTimeout: The time after which a file that another program locks counts as locked.
  /// - Throws: ``CacheFileError``
  package init(path: String, busyTimeout: Duration = .seconds(10)) throws(CacheFileError) {
    self.path = path
    let target = Self.target(of: path)
    self.target = target
    let timeout = Int32(clamping: busyTimeout.components.seconds * 1_000)
    self.busyTimeout = timeout
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .missing(path: path)
    }
    guard !isFolder.boolValue,
      (try? FileManager.default.attributesOfItem(atPath: target))?[.type]
        as? FileAttributeType == .typeRegular
    else { throw .notAFile(path: path) }
    let hadLog = Self.exists(target + "-wal")
    identity = Self.identity(of: target)
    var isOpen = false
    // A file that is refused stays alone, too.
    defer {
      if !isOpen, !hadLog { Self.removeLog(of: target, path, busyTimeout: timeout) }
    }
    do {
      connection = Lock(try Self.open(path, target, busyTimeout: timeout))
      hasMadeLog = !hadLog && Self.exists(target + "-wal")
      isOpen = true
    } catch let error as CacheFileError {
      throw error
    } catch let error as SQLiteError {
      throw CacheFileError(error, reading: path)
    } catch {
      throw .failed(
        path: path, SQLiteError(code: 1, message: "\(error)", activity: ""), isWriting: false)
    }
  }

  private static func target(of path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// The identity of a file. Another one has its path after it was deleted or replaced.
  private struct Identity: Equatable {
    var device: UInt64
    var inode: UInt64
  }

  private static func identity(of path: String) -> Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
  }

  /// Indicates whether the path leads to another file now, or to none.
  package var isReplaced: Bool { Self.identity(of: target) != identity }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  deinit { close() }

  /// Closes the file, and removes the log that opening it has made. Nothing can be read afterwards.
  ///
  /// A program that is about to exit calls this, because other threads may keep the reader.
  package func close() {
    connection.withLock { connection in
      guard connection != nil else { return }
      defer { connection = nil }
      guard hasMadeLog, !isReplaced else { return }
      connection = Self.removeLog(of: target, path, busyTimeout: busyTimeout)
    }
  }

  /// Removes an empty log, as far as this process may.
  ///
  /// The last connection that may write removes the log. One that may only read leaves an empty one
  /// behind. A log with contents is that of a program.
  ///
  /// - Returns: The connection that removes the log when it ends, as the last one.
  @discardableResult
  private static func removeLog(
    of target: String, _ path: String, busyTimeout: Int32
  ) -> DatabaseConnection? {
    guard byteCount(of: target + "-wal") == 0, FileManager.default.isWritableFile(atPath: target),
      // A log that cannot be removed is harmless.
      let writer = try? DatabaseConnection(path: path, access: .reading, busyTimeout: busyTimeout)
    else { return nil }
    _ = try? writer.integer("SELECT count(*) FROM sqlite_schema")
    return writer
  }

  /// Runs `body` with the connection.
  private func withConnection<Result>(
    _ body: (DatabaseConnection) throws -> Result
  ) throws -> Result {
    try connection.withLock { connection throws in
      do {
        guard let connection else {
          throw SQLiteError(code: SQLITE_MISUSE, message: "the reader was closed", activity: "")
        }
        return try body(connection)
      } catch let error as SQLiteError {
        throw CacheFileError(error, reading: path)
      }
    }
  }

  /// Opens the file and checks that it is a cache of this version.
  private static func open(
    _ path: String, _ target: String, busyTimeout: Int32
  ) throws -> DatabaseConnection {
    let database = try DatabaseConnection(
      path: path, access: .inspecting, busyTimeout: busyTimeout)
    do {
      try identify(database, path)
      return database
    } catch let error as SQLiteError
      where [SQLITE_CANTOPEN, SQLITE_READONLY].contains(error.primaryCode)
      && canBeReadAlone(target)
    {
      let address = URL(fileURLWithPath: path).absoluteString + "?immutable=1"
      let database = try DatabaseConnection(
        path: address, isURI: true, access: .inspecting, busyTimeout: busyTimeout)
      try identify(database, path)
      return database
    }
  }

  /// Returns whether a file has all of its contents, and no program writes it: in a folder that
  /// cannot be written to, SQLite cannot make the index of a log, and there is neither a log nor
  /// the journal of a write that was interrupted.
  private static func canBeReadAlone(_ target: String) -> Bool {
    let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
    return !FileManager.default.isWritableFile(atPath: folder)
      && !exists(target + "-wal") && !exists(target + "-journal")
  }

  private static func identify(_ database: DatabaseConnection, _ path: String) throws {
    let current = TableSchema.current.version
    try database.execute("BEGIN")
    defer { database.rollBack() }
    let application = try database.integer("PRAGMA application_id") ?? 0
    let version = try database.integer("PRAGMA user_version") ?? 0
    let tableCount = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    guard application == TableSchema.applicationID else {
      // As a program leaves it that ends before it has made the tables.
      let isEmpty = application == 0 && version == 0 && tableCount == 0
      throw isEmpty ? CacheFileError.empty(path: path) : .notACache(path: path)
    }
    guard version >= current else {
      throw CacheFileError.older(path: path, version: version, current: current)
    }
    guard version == current else {
      throw CacheFileError.newer(path: path, version: version, current: current)
    }
    _ = try database.statement(uncached: "SELECT key, fields, writes, used FROM records")
    _ = try database.statement(uncached: "SELECT record, field, value, write FROM wide_fields")
    _ = try database.statement(uncached: "SELECT id, fields FROM shapes")
  }

  // MARK: - Reading

  /// Runs `body` with the records of one moment.
  ///
  /// - Throws: ``CacheFileError``, and the errors of `body`.
  package func read<Result>(_ body: (CacheFileState) throws -> Result) throws -> Result {
    try withConnection { database throws in
      try database.execute("BEGIN")
      defer { database.rollBack() }
      return try body(CacheFileState(database))
    }
  }

  /// Returns a number that is another one after each commit of other connections.
  ///
  /// - Throws: ``CacheFileError``
  package func version() throws -> Int64 {
    try withConnection { try $0.integer("PRAGMA data_version") ?? 0 }
  }

  /// Returns the journal mode of the file, or `nil` if SQLite does not say it.
  ///
  /// - Throws: ``CacheFileError``
  func journalMode() throws -> JournalMode? {
    try withConnection { database throws in
      let statement = try database.statement(uncached: "PRAGMA journal_mode")
      guard try statement.step() else { return nil }
      return JournalMode(rawValue: statement.text(0).uppercased())
    }
  }

  /// Returns the number of bytes of the file and its log.
  package var fileByteCount: Int64 {
    ["", "-wal"].reduce(0) { $0 + (Self.byteCount(of: target + $1) ?? 0) }
  }

  private static func byteCount(of path: String) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.int64Value
  }

  /// The version of the tables that this library reads.
  package static var tableVersion: Int64 { TableSchema.current.version }
}

/// The records of a cache file at one moment, during ``CacheFileReader/read(_:)``.
package final class CacheFileState {
  private let database: DatabaseConnection
  private let shapes: ShapeNumbers
  private let stamps: WriteStamps
  private var facts: [WriteID: WriteFacts?] = [:]

  init(_ database: DatabaseConnection) {
    self.database = database
    shapes = ShapeNumbers(database)
    stamps = WriteStamps(database, shapes)
  }

  /// Calls `body` with each record, in the order of the keys' bytes.
  package func forEachRow(_ body: (CacheFileReader.Row) throws -> Void) throws {
    let statement = try database.statement(
      uncached: "SELECT key, fields, writes, used FROM records ORDER BY key")
    while try statement.step() { try body(try row(in: statement)) }
  }

  /// Returns a record, or `nil` if there is none.
  package func row(of key: RecordKey) throws -> CacheFileReader.Row? {
    let statement = try database.statement(
      uncached: "SELECT key, fields, writes, used FROM records WHERE key = ?1")
    return try statement.with(key, at: 1) { statement throws in
      try statement.step() ? try row(in: statement) : nil
    }
  }

  private func row(in statement: Statement) throws -> CacheFileReader.Row {
    let key = statement.withBytes(0) { RecordKey(bytes: $0) }
    var row = CacheFileReader.Row(
      key: key, fields: nil, unreadableFields: [], writes: [:], hasUnreadableWrites: false,
      lastUse: statement.isNull(3) ? nil : statement.integer(3),
      byteCount: statement.withBytes(0) { $0.count },
      hasUnreadableKey: statement.withBytes(0) { String(validating: $0, as: UTF8.self) == nil })
    if statement.isNull(1) {
      try readFields(of: &row)
    } else {
      row.byteCount += statement.withBytes(1) { $0.count }
      row.fields = try statement.withBytes(1) { try decode($0) { try $0.object() } }
      if !statement.isNull(2) {
        let writes = try statement.withBytes(2) { try decode($0) { try $0.object() } }
        for (field, value) in writes ?? FieldMap() {
          if case .int(let number) = value { row.writes[field] = WriteID(number) }
        }
        row.hasUnreadableWrites = writes == nil || row.writes.count != writes?.count
      }
    }
    return row
  }

  /// Reads a record with one row for each field.
  private func readFields(of row: inout CacheFileReader.Row) throws {
    let statement = try database.statement(
      uncached: "SELECT field, value, write FROM wide_fields WHERE record = ?1")
    var fields: [(FieldKey, CacheValue)] = []
    try statement.bind(bytesOf: row.key.rawValue, at: 1)
    while try statement.step() {
      let field = FieldKey(statement.text(0))
      row.byteCount += statement.withBytes(0) { $0.count } + statement.withBytes(1) { $0.count }
      guard let value = try statement.withBytes(1, { try decode($0) { try $0.value() } }) else {
        row.unreadableFields.append(field)
        continue
      }
      fields.append((field, value))
      if !statement.isNull(2) { row.writes[field] = WriteID(statement.integer(2)) }
    }
    row.fields = FieldMap(fields)
  }

  /// Reads bytes to their end, or returns `nil` if they are damaged.
  private func decode<Value>(
    _ bytes: UnsafeRawBufferPointer, _ read: (inout RowReader) throws -> Value
  ) throws -> Value? {
    var reader = RowReader(bytes, shapes: shapes)
    do {
      let value = try read(&reader)
      return reader.isAtEnd ? value : nil
    } catch is DamagedRow {
      return nil
    }
  }

  /// Returns the facts about a write, or `nil` if the file does not have them.
  package func facts(about write: WriteID) throws -> WriteFacts? {
    if let known = facts[write] { return known }
    let found = try stamps.facts(about: write)
    facts[write] = found
    return found
  }

  /// Returns the problems that SQLite finds in the structure of the file, and fields without a
  /// record.
  package func problems() throws -> [String] {
    do {
      return try findProblems()
    } catch let error as SQLiteError where error.primaryCode == SQLITE_CORRUPT {
      // The structure is damaged in a place that the search for damage needs.
      return [error.message]
    }
  }

  private func findProblems() throws -> [String] {
    let lost = try database.integer(
      "SELECT count(*) FROM wide_fields WHERE record NOT IN (SELECT key FROM records)")
    let problems = try DatabaseFile.problems(in: database, atMost: 100)
    guard let lost, lost > 0 else { return problems }
    return problems + ["\(lost) fields are of records that do not exist"]
  }
}
