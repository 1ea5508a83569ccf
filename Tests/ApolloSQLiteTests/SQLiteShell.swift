import CSQLite
import Foundation

/// SQLite without the cache, to do to files what others might do.
enum SQLiteShell {
  struct Failure: Error {
    let message: String
  }

  static func run(_ sql: String, on file: URL) throws {
    let connection = try Connection(file)
    try connection.run(sql)
  }

  /// A connection that stays open.
  final class Connection {
    private var handle: OpaquePointer?

    init(_ file: URL) throws {
      guard sqlite3_open(file.path, &handle) == SQLITE_OK else {
        throw Failure(message: "cannot open")
      }
    }

    deinit { sqlite3_close(handle) }

    func run(_ sql: String) throws {
      guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
        throw Failure(message: String(cString: sqlite3_errmsg(handle)))
      }
    }
  }
}
