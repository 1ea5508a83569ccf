import CSQLite
import Foundation

/// Rows of a key and some bytes, written and read by SQLite alone: WAL, prepared statements, all
/// rows in one transaction.
final class RawRows {
  struct Row {
    var key: Data
    var fields: Data
  }
  struct Failure: Error {}

  private let rows: [Row]
  private var database: OpaquePointer?
  private var insertion: OpaquePointer?
  private var selection: OpaquePointer?

  /// Makes a new file with these rows.
  ///
  /// - Parameters:
  ///   - rows: The rows, with different keys.
  ///   - file: The path of the file.
  ///   - replacing: `false` to write rows that cannot be there yet, with `INSERT`.
  /// - Throws: ``Failure`` when SQLite fails.
  init(_ rows: [Row], in file: URL, replacing: Bool = true) throws {
    self.rows = rows
    guard sqlite3_open(file.path, &database) == SQLITE_OK else { throw Failure() }
    try run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    try run("CREATE TABLE records (key BLOB PRIMARY KEY NOT NULL, fields BLOB) WITHOUT ROWID")
    let verb = replacing ? "REPLACE" : "INSERT"
    sqlite3_prepare_v2(database, "\(verb) INTO records VALUES (?1, ?2)", -1, &insertion, nil)
    sqlite3_prepare_v2(database, "SELECT fields FROM records WHERE key = ?1", -1, &selection, nil)
    if replacing { try write() } else { try insert() }
  }

  deinit {
    sqlite3_finalize(insertion)
    sqlite3_finalize(selection)
    sqlite3_close(database)
  }

  /// The number of rows and their size: `1 row, 351 KB`.
  var sizeDescription: String {
    let byteCount = rows.reduce(0) { $0 + $1.key.count + $1.fields.count }
    return "\(rows.count) row\(rows.count == 1 ? "" : "s"), "
      + String(format: "%.1f KB", Double(byteCount) / 1e3)
  }

  private func run(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw Failure() }
  }

  private func bind(_ data: Data, _ statement: OpaquePointer?, _ index: Int32) {
    data.withUnsafeBytes { bytes in
      _ = sqlite3_bind_blob(
        statement, index, bytes.baseAddress, Int32(bytes.count),
        unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
  }

  /// Empties the table and writes all rows: two transactions, as the cache is cleared in one and
  /// written to in another.
  func write() throws {
    try run("BEGIN IMMEDIATE; DELETE FROM records; COMMIT")
    try insert()
  }

  private func insert() throws {
    try run("BEGIN IMMEDIATE")
    for row in rows {
      bind(row.key, insertion, 1)
      bind(row.fields, insertion, 2)
      guard sqlite3_step(insertion) == SQLITE_DONE else { throw Failure() }
      sqlite3_reset(insertion)
    }
    try run("COMMIT")
  }

  /// Writes all rows to a new file, which is removed afterwards: nothing is deleted before.
  static func write(_ rows: [Row], toNewFile file: URL) throws {
    defer { removeDatabase(file) }
    withExtendedLifetime(try RawRows(rows, in: file, replacing: false)) {}
  }

  /// Removes a database with its log.
  static func removeDatabase(_ file: URL) {
    for ending in ["", "-wal", "-shm"] {
      // A database that is closed may have no log.
      try? FileManager.default.removeItem(atPath: file.path + ending)
    }
  }

  /// Reads each row by its key, in full, and returns the number of bytes.
  func read() throws -> Int {
    var count = 0
    try run("BEGIN")
    for row in rows {
      bind(row.key, selection, 1)
      guard sqlite3_step(selection) == SQLITE_ROW else { throw Failure() }
      // SQLite reads the overflow pages of a long value only when the value is requested.
      if sqlite3_column_blob(selection, 0) != nil {
        count += Int(sqlite3_column_bytes(selection, 0))
      }
      sqlite3_reset(selection)
    }
    try run("COMMIT")
    return count
  }
}

// MARK: - Where rows come from

extension RawRows {
  /// The rows that the cache itself has written to a file.
  static func copied(from file: URL) throws -> [Row] {
    var cache: OpaquePointer?
    var all: OpaquePointer?
    guard sqlite3_open(file.path, &cache) == SQLITE_OK else { throw Failure() }
    defer { sqlite3_close(cache) }
    sqlite3_prepare_v2(cache, "SELECT key, fields FROM records", -1, &all, nil)
    defer { sqlite3_finalize(all) }
    var rows: [Row] = []
    while sqlite3_step(all) == SQLITE_ROW {
      rows.append(Row(key: bytes(all, 0), fields: bytes(all, 1)))
    }
    return rows
  }

  private static func bytes(_ statement: OpaquePointer?, _ column: Int32) -> Data {
    guard let start = sqlite3_column_blob(statement, column) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
  }
}
