import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation

#if canImport(Darwin)
  import Darwin
#endif

/// The file of a queue.
///
/// | table | a row |
/// | :-- | :-- |
/// | `entries` | a mutation in the queue. `state` is a raw value of `EntryRecord.Phase` |
/// | `files` | a file to upload with one of them |
/// | `identifiers` | a temporary identifier, and the real one once the server has given it |
/// | `removed` | the one row has the largest number of a mutation that was removed, so that no number is given twice |
/// | `lease` | the one row says which queue sends, and until when |
/// | `unnamed` | the one row has the stored name of the session without a name |
///
/// Every change is one transaction. With `synchronous = FULL` it survives a power loss, with
/// `NORMAL` the end of the process. On Apple platforms, `FULL` leaves it in the cache of the drive,
/// which ``flushDrive()`` empties.
///
/// Isolation: used by one thread at a time. Its owner is an actor, or a lock.
final class OfflineFile {
  /// The mark of a queue's file, "ApQO".
  private static let applicationID: Int64 = 0x4170_514F
  private static let version: Int64 = 1

  let database: DatabaseConnection
  /// The name of this connection in the lease.
  let owner = UUID().uuidString
  private let survivesPowerLoss: Bool

  init(url: URL, survivesPowerLoss: Bool, busyTimeout: Duration) throws {
    self.survivesPowerLoss = survivesPowerLoss
    database = try DatabaseConnection(
      path: url.path, access: .writing, busyTimeout: busyTimeout.inMilliseconds)
    try identify()
    try useLog(busyTimeout)
    // What was sent is overwritten, so that it is in the file no more.
    try database.execute("PRAGMA secure_delete = ON")
    try database.execute("PRAGMA synchronous = \(survivesPowerLoss ? "FULL" : "NORMAL")")
    // Keeps the drive from storing the file before the log. Has no effect on Linux.
    try database.execute("PRAGMA fullfsync = \(survivesPowerLoss ? "ON" : "OFF")")
    try database.transaction { try createTables() }
  }

  deinit {
    // The lease ends by itself if this fails. This runs wherever the queue is released, so it does
    // not wait for another process.
    try? database.execute("PRAGMA busy_timeout = 100")
    try? removeLease()
  }

  /// Switches to a write-ahead log. Another process may be making the file as well: SQLite ignores
  /// the busy timeout here.
  private func useLog(_ busyTimeout: Duration) throws {
    var waiting = Waiting(busyTimeout)
    while true {
      do {
        return try database.execute("PRAGMA journal_mode = WAL")
      } catch {
        guard error.isBusy, !waiting.isOver else { throw error }
      }
      waiting.block()
    }
  }

  /// Checks that the file is a queue or empty. A damaged one is an error: nothing replaces it.
  ///
  /// All is read at one moment, because another process may be making the file.
  private func identify() throws {
    try database.execute("BEGIN")
    defer { database.rollBack() }
    let application = try database.integer("PRAGMA application_id") ?? 0
    let version = try database.integer("PRAGMA user_version") ?? 0
    let tableCount = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    let isEmpty = application == 0 && version == 0 && tableCount == 0
    guard isEmpty || (application == Self.applicationID && version <= Self.version) else {
      throw OfflineError(
        .foreignFile,
        "The file at \(database.path) is not a queue of this version. Choose another file.")
    }
  }

  private func createTables() throws {
    guard try database.integer("PRAGMA user_version") == 0 else { return }
    try database.execute(
      """
      CREATE TABLE entries (
        id INTEGER PRIMARY KEY,
        session TEXT NOT NULL, lane TEXT NOT NULL, operation TEXT NOT NULL,
        state INTEGER NOT NULL, attempts INTEGER NOT NULL, revision INTEGER NOT NULL,
        arrived INTEGER NOT NULL, time REAL NOT NULL, bytes INTEGER NOT NULL, key TEXT,
        conflict INTEGER NOT NULL, uncertainty INTEGER NOT NULL,
        subject TEXT, needs TEXT, creates TEXT, visible INTEGER NOT NULL, failure BLOB,
        payload BLOB NOT NULL
      );
      CREATE TABLE removed (id INTEGER PRIMARY KEY, largest INTEGER NOT NULL);
      CREATE TABLE files (
        entry INTEGER NOT NULL, position INTEGER NOT NULL, field TEXT NOT NULL,
        name TEXT NOT NULL, type TEXT NOT NULL, path TEXT, content BLOB,
        PRIMARY KEY (entry, position)
      );
      CREATE TABLE identifiers (
        session TEXT NOT NULL, temporary TEXT NOT NULL, creator INTEGER NOT NULL, real TEXT,
        PRIMARY KEY (session, temporary)
      );
      CREATE TABLE lease (
        id INTEGER PRIMARY KEY, owner TEXT NOT NULL, process INTEGER NOT NULL,
        space TEXT NOT NULL, duration REAL NOT NULL, expires REAL NOT NULL
      );
      CREATE TABLE unnamed (id INTEGER PRIMARY KEY, session TEXT NOT NULL);
      PRAGMA application_id = \(Self.applicationID);
      PRAGMA user_version = \(Self.version);
      """)
  }

  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    // Prepared once, unlike those of the connection's own function.
    try database.statement("BEGIN IMMEDIATE").run()
    do {
      let changedRowCount = database.changedRowCount
      let result = try body()
      try database.statement("COMMIT").run()
      if survivesPowerLoss, database.changedRowCount != changedRowCount { flushDrive() }
      return result
    } catch {
      database.rollBack()
      throw error
    }
  }

  /// Waits until the drive has written what was committed.
  ///
  /// On Apple platforms, `fsync` returns when the drive has the data in its cache. The system's
  /// SQLite only adds a barrier for `PRAGMA fullfsync` (https://bonsaidb.io/blog/acid-on-apple/).
  /// `F_FULLFSYNC` of any file empties the drive's cache. It is that of the log, because closing a
  /// further descriptor of the database would release SQLite's locks
  /// (https://sqlite.org/howtocorrupt.html, section 2.2). SQLite never locks the log.
  private func flushDrive() {
    #if canImport(Darwin)
      guard let log = database.logPath else { return }
      let descriptor = open(log, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      // Some volumes cannot do more than `fsync`, and no error undoes the commit.
      _ = fcntl(descriptor, F_FULLFSYNC)
      close(descriptor)
    #endif
  }

  /// A number that changes with each commit of another connection.
  func foreignCommitCount() throws -> Int64 {
    let statement = try database.statement("PRAGMA data_version")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  func bind(_ text: String?, to statement: Statement, at index: Int32) throws {
    guard let text else { return try statement.bindNull(at: index) }
    try statement.bind(text: text, at: index)
  }

  func bind(_ bytes: [UInt8]?, to statement: Statement, at index: Int32) throws {
    guard let bytes else { return try statement.bindNull(at: index) }
    try statement.bind(bytes, at: index)
  }

  /// Removes from the log what is not in the file any more.
  ///
  /// - Returns: `false` if another connection reads from it.
  func emptiesLog() throws -> Bool {
    try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0
  }
}

// MARK: - Sessions

extension OfflineFile {
  /// Returns the stored name of a user's session. No session without a name can have it.
  static func storedName(of name: String) -> String { "user \(name)" }

  /// Returns the stored name of the session without a name, if there is one.
  func currentUnnamedSession() throws -> String? {
    let statement = try database.statement("SELECT session FROM unnamed")
    return try first(of: statement)
  }

  /// Removes everything of the sessions without a name that have ended.
  func removeEndedUnnamedSessions() throws {
    let current = "(SELECT coalesce(max(session), 'unnamed ') FROM unnamed)"
    let ended = """
      ((session >= 'unnamed ' AND session < \(current))
        OR (session > \(current) AND session < 'unnamed!'))
      """
    try noteRemoval(where: ended)
    try database.execute(
      """
      DELETE FROM files WHERE entry IN (SELECT id FROM entries WHERE \(ended));
      DELETE FROM entries WHERE \(ended);
      DELETE FROM identifiers WHERE \(ended);
      """)
  }

  /// Returns the stored name of the session without a name, which is made if there is none.
  func unnamedSession() throws -> String {
    if let name = try currentUnnamedSession() { return name }
    let new = "unnamed \(UUID().uuidString)"
    let insertion = try database.statement("INSERT INTO unnamed VALUES (0, ?)")
    try insertion.bind(text: new, at: 1)
    try insertion.run()
    return new
  }

  private func first(of statement: Statement) throws -> String? {
    defer { statement.reset() }
    return try statement.step() ? statement.text(0) : nil
  }

  /// Removes everything of a session, and the name of one without a name.
  func removeAll(of session: String) throws {
    for statement in [
      try database.statement(
        """
        INSERT OR REPLACE INTO removed
        SELECT 0, max(coalesce(max(id), 0), coalesce((SELECT largest FROM removed), 0))
        FROM entries WHERE session = ?
        """),
      try database.statement(
        "DELETE FROM files WHERE entry IN (SELECT id FROM entries WHERE session = ?)"),
      try database.statement("DELETE FROM entries WHERE session = ?"),
      try database.statement("DELETE FROM identifiers WHERE session = ?"),
      try database.statement("DELETE FROM unnamed WHERE session = ?"),
    ] {
      try statement.bind(text: session, at: 1)
      try statement.run()
    }
  }

  /// Reads the mutations of a session. The caller has begun a transaction.
  func contents(of session: String) throws -> FileContents {
    var contents = FileContents()
    contents.foreignCommitCount = try foreignCommitCount()
    try readEntries(of: session, into: &contents)
    contents.identifiers = try identifiers(of: session)
    return contents
  }
}

// MARK: - Identifiers

extension OfflineFile {
  private func identifiers(of session: String) throws -> [StoredIdentifier] {
    let statement = try database.statement(
      "SELECT temporary, creator, real FROM identifiers WHERE session = ?")
    defer { statement.reset() }
    try statement.bind(text: session, at: 1)
    var identifiers: [StoredIdentifier] = []
    while try statement.step() {
      identifiers.append(
        StoredIdentifier(
          temporary: statement.text(0), creator: statement.integer(1),
          real: statement.isNull(2) ? nil : statement.text(2)))
    }
    return identifiers
  }

  func add(_ temporary: String, creator: Int64, session: String) throws {
    let statement = try database.statement(
      "INSERT INTO identifiers (session, temporary, creator) VALUES (?, ?, ?)")
    try statement.bind(text: session, at: 1)
    try statement.bind(text: temporary, at: 2)
    try statement.bind(creator, at: 3)
    try statement.run()
  }

  func resolve(_ temporary: String, to real: String, session: String) throws {
    let statement = try database.statement(
      "UPDATE identifiers SET real = ? WHERE session = ? AND temporary = ?")
    try statement.bind(text: real, at: 1)
    try statement.bind(text: session, at: 2)
    try statement.bind(text: temporary, at: 3)
    try statement.run()
  }

  func forget(_ temporary: String, session: String) throws {
    let statement = try database.statement(
      "DELETE FROM identifiers WHERE session = ? AND temporary = ?")
    try statement.bind(text: session, at: 1)
    try statement.bind(text: temporary, at: 2)
    try statement.run()
  }
}

// MARK: - Lease

extension OfflineFile {
  /// The right of one queue to send.
  struct Lease {
    let owner: String
    let process: Int64
    /// The processes that know this one by its number.
    let space: String
    /// The time from its beginning to its end, in seconds.
    let duration: Double
    /// In seconds since 1970.
    let expires: Double
  }

  func lease() throws -> Lease? {
    let statement = try database.statement(
      "SELECT owner, process, space, duration, expires FROM lease")
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Lease(
      owner: statement.text(0), process: statement.integer(1), space: statement.text(2),
      duration: statement.double(3), expires: statement.double(4))
  }

  func setLease(of process: ProcessIdentity, from date: Double, duration: Double) throws {
    let statement = try database.statement("INSERT OR REPLACE INTO lease VALUES (0, ?, ?, ?, ?, ?)")
    try statement.bind(text: owner, at: 1)
    try statement.bind(process.number, at: 2)
    try statement.bind(text: process.space, at: 3)
    try statement.bind(duration, at: 4)
    try statement.bind(date + duration, at: 5)
    try statement.run()
  }

  /// Gives the lease up, unless another queue has it.
  func removeLease() throws {
    let statement = try database.statement("DELETE FROM lease WHERE owner = ?")
    try statement.bind(text: owner, at: 1)
    try statement.run()
  }
}
