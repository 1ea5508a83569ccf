#if SQLITE
  import ApolloCache
  import CSQLite
  import CacheInspection
  import CacheLocations
  import Foundation

  /// A folder that goes when its last reference goes.
  final class CacheFolder: Sendable {
    let url: URL

    init() throws {
      url = FileManager.default.temporaryDirectory.appendingPathComponent(
        "cache-inspection-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
      try? FileManager.default.removeItem(at: url)  // the system cleans up leftovers
    }

    func path(_ name: String = "cache.sqlite") -> String { url.appendingPathComponent(name).path }

    /// Imports lines of a dump into a file.
    @discardableResult
    func file(_ name: String = "cache.sqlite", _ lines: String...) async throws -> CacheLocation {
      let location = CacheLocation.file(path: path(name))
      _ = try await CacheImport.run(Array(lines.joined(separator: "\n").utf8), into: location)
      return location
    }

    /// The names and bytes of all files.
    var contents: [String: Data] {
      get throws {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
          contents[name] = try Data(contentsOf: url.appendingPathComponent(name))
        }
        return contents
      }
    }

    /// Runs SQL on a file, as another program.
    func execute(_ sql: String, on name: String = "cache.sqlite") throws {
      var database: OpaquePointer?
      defer { sqlite3_close(database) }
      guard sqlite3_open(path(name), &database) == SQLITE_OK,
        sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
      else { throw SQLFailure(message: String(cString: sqlite3_errmsg(database))) }
    }

    /// Runs `body` while another program has the file for itself.
    func executeExclusively(_ body: () throws -> Void) throws {
      var database: OpaquePointer?
      defer { sqlite3_close(database) }
      guard sqlite3_open(path(), &database) == SQLITE_OK,
        sqlite3_exec(database, "BEGIN EXCLUSIVE", nil, nil, nil) == SQLITE_OK
      else { throw SQLFailure(message: String(cString: sqlite3_errmsg(database))) }
      try body()
    }

    /// Copies the file in the middle of a write without a log, with the journal. The copy is what a
    /// program leaves that is killed then.
    func interruptAWrite(leaving name: String) throws {
      try copy(
        as: name, "-journal",
        while: """
          PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN;
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
          INSERT INTO records (key, fields) SELECT CAST('K' || i AS BLOB), zeroblob(500) FROM n
          """)
    }

    /// Copies the file with a log that has another record. The copy is what a program leaves that
    /// is killed after a write.
    func copyWithLog(as name: String) throws {
      try copy(
        as: name, "-wal",
        while: """
          PRAGMA journal_mode = WAL;
          INSERT INTO records (key, fields) SELECT CAST('K' AS BLOB), fields FROM records LIMIT 1
          """)
    }

    private func copy(as name: String, _ companion: String, while sql: String) throws {
      var database: OpaquePointer?
      defer { sqlite3_close(database) }
      guard sqlite3_open(path(), &database) == SQLITE_OK,
        sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
      else { throw SQLFailure(message: String(cString: sqlite3_errmsg(database))) }
      for suffix in ["", companion] {
        try FileManager.default.copyItem(
          atPath: path() + suffix, toPath: path(name) + suffix)
      }
    }

    struct SQLFailure: Error {
      let message: String
    }
  }
#endif
