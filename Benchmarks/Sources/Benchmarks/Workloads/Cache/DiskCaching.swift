import ApolloAPI
import ApolloCache
import ApolloSQLite
import BenchmarkAPI
import CSQLite
import Foundation

/// Responses into the cache on disk and out of it, against SQLite itself doing the same to the same
/// rows.
let diskCaching: [ExperimentMaker] = [
  { try diskCaching("small.json", SmallQuery(), from: $0) },
  { try diskCaching("github.json", GitHubQuery(), from: $0) },
  { try diskCaching("friends1000.json", FriendsQuery(), from: $0) },
  { try diskCaching("feed.json", FeedQuery(), from: $0) },
]

private func diskCaching<Operation: GraphQLOperation>(
  _ file: String, _ operation: Operation, from data: BenchmarkData
) throws -> Comparison {
  let bytes = try data.bytes(of: file)
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "apollo-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let url = folder.appendingPathComponent("cache.sqlite")
  let store = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: url))
  let chain = ApolloStore(
    cache: ChainedNormalizedCache(
      try SQLiteNormalizedCache(fileURL: folder.appendingPathComponent("chain.sqlite"))))
  let raw = Lazy { try RawRows(copying: url, to: folder.appendingPathComponent("raw.sqlite")) }
  return Comparison(
    title: "SQLite cache, \(file)",
    byteCount: bytes.count,
    baseline: "SQLite in C, write",
    workloads: [
      .asynchronous("clear + decode + write") {
        try await store.clearCache()
        keep(try await store.publish(body: bytes, of: operation))
      },
      .asynchronous("decode + write what is there already") {
        keep(try await store.publish(body: bytes, of: operation))
      },
      .asynchronous("read back") { keep(try await read(operation, from: store)) },
      .asynchronous("memory in front: decode + write what is there already") {
        keep(try await chain.publish(body: bytes, of: operation))
      },
      .asynchronous("memory in front: read back") {
        keep(try await read(operation, from: chain))
      },
      Workload("SQLite in C, write") { try raw.value().write() },
      Workload("SQLite in C, point reads") { keep(try raw.value().read()) },
      Workload("decode alone") { keep(try ResponseDecoder().decode(bytes, as: operation)) },
    ])
}

/// Something that is made when it is needed for the first time.
final class Lazy<Value> {
  private let make: () throws -> Value
  private var made: Value?

  init(_ make: @escaping () throws -> Value) { self.make = make }

  func value() throws -> Value {
    if let made { return made }
    let value = try make()
    made = value
    return value
  }
}

/// The rows of a cache file, written and read by SQLite alone: WAL, prepared statements, all rows in
/// one transaction.
private final class RawRows {
  struct Failure: Error {}

  private var rows: [(key: Data, fields: Data)] = []
  private var database: OpaquePointer?
  private var insertion: OpaquePointer?
  private var selection: OpaquePointer?

  init(copying source: URL, to copy: URL) throws {
    try load(source)
    guard sqlite3_open(copy.path, &database) == SQLITE_OK else { throw Failure() }
    try run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    try run("CREATE TABLE records (key BLOB PRIMARY KEY NOT NULL, fields BLOB) WITHOUT ROWID")
    sqlite3_prepare_v2(database, "REPLACE INTO records VALUES (?1, ?2)", -1, &insertion, nil)
    sqlite3_prepare_v2(database, "SELECT fields FROM records WHERE key = ?1", -1, &selection, nil)
    try write()
  }

  private func load(_ source: URL) throws {
    var cache: OpaquePointer?
    var all: OpaquePointer?
    guard sqlite3_open(source.path, &cache) == SQLITE_OK else { throw Failure() }
    sqlite3_prepare_v2(cache, "SELECT key, fields FROM records", -1, &all, nil)
    while sqlite3_step(all) == SQLITE_ROW {
      rows.append((bytes(all, 0), bytes(all, 1)))
    }
    sqlite3_finalize(all)
    sqlite3_close(cache)
  }

  private func bytes(_ statement: OpaquePointer?, _ column: Int32) -> Data {
    guard let start = sqlite3_column_blob(statement, column) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
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
    try run("BEGIN IMMEDIATE; DELETE FROM records; COMMIT; BEGIN IMMEDIATE")
    for row in rows {
      bind(row.key, insertion, 1)
      bind(row.fields, insertion, 2)
      guard sqlite3_step(insertion) == SQLITE_DONE else { throw Failure() }
      sqlite3_reset(insertion)
    }
    try run("COMMIT")
  }

  /// Reads each row by its key, all of it, and returns how many bytes there were.
  func read() throws -> Int {
    var count = 0
    try run("BEGIN")
    for row in rows {
      bind(row.key, selection, 1)
      guard sqlite3_step(selection) == SQLITE_ROW else { throw Failure() }
      // Without asking for the value, the pages on which a long one goes on would not be read.
      if sqlite3_column_blob(selection, 0) != nil {
        count += Int(sqlite3_column_bytes(selection, 0))
      }
      sqlite3_reset(selection)
    }
    try run("COMMIT")
    return count
  }
}
