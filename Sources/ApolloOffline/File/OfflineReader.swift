import ApolloAPI
import ApolloSQLite

/// A second connection to the file of a queue, which reads the contents of mutations for their
/// optimistic layers.
///
/// A store computes its layers on any thread, and must not wait for the queue, which may wait for
/// the disk. In the write-ahead log, readers and the writer do not wait for each other.
final class OfflineReader: Sendable {
  private let database: Lock<DatabaseConnection?>
  private let path: String
  /// In milliseconds.
  private let busyTimeout: Int32

  init(path: String, busyTimeout: Duration) {
    self.path = path
    self.busyTimeout = busyTimeout.inMilliseconds
    database = Lock(nil)
  }

  /// Returns the sealed contents of a mutation, or `nil` if it is not there.
  func payload(of id: Int64) throws -> [UInt8]? {
    try database.withLock { connection -> [UInt8]? in
      let database: DatabaseConnection
      if let connection {
        database = connection
      } else {
        database = try DatabaseConnection(path: path, access: .reading, busyTimeout: busyTimeout)
        try database.execute("PRAGMA query_only = ON")
        connection = database
      }
      let statement = try database.statement("SELECT payload FROM entries WHERE id = ?")
      defer { statement.reset() }
      try statement.bind(id, at: 1)
      return try statement.step() ? statement.withBytes(0) { Array($0) } : nil
    }
  }
}
