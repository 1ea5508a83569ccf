import ApolloAPI
import ApolloSQLite
import Foundation

/// The file of a queue.
///
/// | table | a row |
/// | :-- | :-- |
/// | `entries` | a mutation in the queue. `state` is a raw value of `EntryRecord.Phase` |
/// | `files` | a file to upload with one of them |
/// | `identifiers` | a temporary identifier, and the real one once the server has given it |
/// | `lease` | the one row says which queue sends, and until when |
///
/// Every change is one transaction. With `synchronous = FULL` it survives a power loss, with
/// `NORMAL` the end of the process.
///
/// Isolation: used by one thread at a time, which holds the lock of the queue.
final class OfflineFile {
  /// The mark of a queue's file, "ApQO".
  private static let applicationID: Int64 = 0x4170_514F
  private static let version: Int64 = 1

  private let database: DatabaseConnection
  /// The name of this connection in the lease.
  let owner = UUID().uuidString

  init(url: URL, survivesPowerLoss: Bool, busyTimeout: Duration) throws {
    let timeout = Int32(clamping: busyTimeout.components.seconds * 1_000)
    database = try DatabaseConnection(path: url.path, access: .writing, busyTimeout: timeout)
    try identify()
    try database.execute("PRAGMA journal_mode = WAL")
    // What was sent is overwritten, so that it is in the file no more.
    try database.execute("PRAGMA secure_delete = ON")
    try database.execute("PRAGMA synchronous = \(survivesPowerLoss ? "FULL" : "NORMAL")")
    try database.transaction { try createTables() }
  }

  /// Checks that the file is a queue or empty. A damaged one is an error: nothing replaces it.
  private func identify() throws {
    let application = try database.integer("PRAGMA application_id") ?? 0
    let version = try database.integer("PRAGMA user_version") ?? 0
    let tableCount = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    let isEmpty = application == 0 && tableCount == 0
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
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session TEXT NOT NULL, lane TEXT NOT NULL, operation TEXT NOT NULL,
        state INTEGER NOT NULL, attempts INTEGER NOT NULL, arrived INTEGER NOT NULL,
        time REAL NOT NULL, bytes INTEGER NOT NULL, key TEXT,
        conflict INTEGER NOT NULL, uncertainty INTEGER NOT NULL,
        subject TEXT, needs TEXT, creates TEXT, visible INTEGER NOT NULL, failure BLOB,
        payload BLOB NOT NULL
      );
      CREATE INDEX entries_by_session ON entries (session, id);
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
        id INTEGER PRIMARY KEY, owner TEXT NOT NULL, process INTEGER NOT NULL, expires REAL NOT NULL
      );
      PRAGMA application_id = \(Self.applicationID);
      PRAGMA user_version = \(Self.version);
      """)
  }

  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try database.transaction(body)
  }

  /// A number that changes with each commit of another connection.
  func foreignCommitCount() throws -> Int64 {
    let statement = try database.statement("PRAGMA data_version")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }
}

// MARK: - Entries

extension OfflineFile {
  /// Returns the mutations of a session in their order.
  func entries(of session: String) throws -> [EntryRecord] {
    let statement = try database.statement(
      """
      SELECT id, lane, operation, state, attempts, arrived, time, bytes, key IS NOT NULL, conflict,
        uncertainty, subject, needs, creates, failure, visible
      FROM entries WHERE session = ? ORDER BY id
      """)
    defer { statement.reset() }
    try statement.bind(text: session, at: 1)
    // Most mutations share a few texts.
    var texts: [String: String] = [:]
    func shared(_ text: String) -> String {
      if let known = texts[text] { return known }
      texts[text] = text
      return text
    }
    var entries: [EntryRecord] = []
    while try statement.step() {
      entries.append(
        EntryRecord(
          id: statement.integer(0), lane: shared(statement.text(1)),
          operationName: shared(statement.text(2)),
          phase: EntryRecord.Phase(rawValue: statement.integer(3)) ?? .uncertain,
          attempts: statement.integer(4), mayHaveArrived: statement.integer(5) != 0,
          time: statement.double(6), byteCount: statement.integer(7),
          isKeyed: statement.integer(8) != 0,
          conflict: OfflineConflictRule(rawValue: Int(statement.integer(9))) ?? .stop,
          uncertainty: OfflineUncertainty(rawValue: Int(statement.integer(10))) ?? .ask,
          subject: statement.isNull(11) ? nil : statement.text(11),
          needs: statement.isNull(12) ? [] : try Self.texts(statement.text(12)),
          creates: statement.isNull(13) ? [:] : try Self.paths(statement.text(13)),
          isVisible: statement.integer(15) != 0,
          failure: statement.isNull(14)
            ? nil : statement.withBytes(14) { OfflineFailure(bytes: Array($0)) }))
    }
    return entries
  }

  private static func texts(_ json: String) throws -> [String] {
    try JSONValue(jsonBytes: Array(json.utf8)).arrayValue?.compactMap(\.stringValue) ?? []
  }

  private static func paths(_ json: String) throws -> [String: [String]] {
    (try JSONValue(jsonBytes: Array(json.utf8)).objectValue ?? [:]).mapValues {
      $0.arrayValue?.compactMap(\.stringValue) ?? []
    }
  }

  /// Adds a mutation and returns its number.
  func add(_ entry: NewEntry, session: String, time: Double) throws -> Int64 {
    let statement = try database.statement(
      """
      INSERT INTO entries (session, lane, operation, state, attempts, arrived, time, bytes, key,
        conflict, uncertainty, subject, needs, creates, payload, visible)
      VALUES (?, ?, ?, 0, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
      """)
    defer { statement.reset() }
    try statement.bind(text: session, at: 1)
    try statement.bind(text: entry.lane, at: 2)
    try statement.bind(text: entry.operationName, at: 3)
    try statement.bind(time, at: 4)
    try statement.bind(entry.byteCount, at: 5)
    try bind(entry.key, to: statement, at: 6)
    try statement.bind(Int64(entry.rules.conflict.rawValue), at: 7)
    try statement.bind(Int64(entry.rules.uncertainty.rawValue), at: 8)
    try bind(entry.rules.superseding.subject, to: statement, at: 9)
    let needs = JSONValue.array(entry.needs.map(JSONValue.string))
    try bind(entry.needs.isEmpty ? nil : needs.description, to: statement, at: 10)
    let creates = JSONValue.object(
      entry.rules.creates.mapValues { .array($0.map(JSONValue.string)) })
    try bind(entry.rules.creates.isEmpty ? nil : creates.description, to: statement, at: 11)
    try statement.bind(entry.payload, at: 12)
    try statement.bind(Int64(entry.isVisible ? 1 : 0), at: 13)
    guard try statement.step() else { return 0 }
    let id = statement.integer(0)
    while try statement.step() {}
    for (position, file) in entry.files.enumerated() { try add(file, position, to: id) }
    for temporary in entry.rules.creates.keys.sorted() {
      let statement = try database.statement(
        "INSERT OR REPLACE INTO identifiers (session, temporary, creator) VALUES (?, ?, ?)")
      try statement.bind(text: session, at: 1)
      try statement.bind(text: temporary, at: 2)
      try statement.bind(id, at: 3)
      try statement.run()
    }
    return id
  }

  private func bind(_ text: String?, to statement: Statement, at index: Int32) throws {
    guard let text else { return try statement.bindNull(at: index) }
    try statement.bind(text: text, at: index)
  }

  private func add(_ file: StoredFile, _ position: Int, to id: Int64) throws {
    let statement = try database.statement("INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?)")
    try statement.bind(id, at: 1)
    try statement.bind(Int64(position), at: 2)
    try statement.bind(text: file.fieldName, at: 3)
    try statement.bind(text: file.originalName, at: 4)
    try statement.bind(text: file.mimeType, at: 5)
    try bind(file.path, to: statement, at: 6)
    if let content = file.content {
      try statement.bind(content, at: 7)
    } else {
      try statement.bindNull(at: 7)
    }
    try statement.run()
  }

  /// Stores the state of a mutation, unless another queue has begun a later attempt.
  func update(_ entry: EntryRecord) throws {
    let statement = try database.statement(
      """
      UPDATE entries SET state = ?1, attempts = ?2, arrived = ?3, failure = ?4
      WHERE id = ?5 AND attempts <= ?2
      """)
    try statement.bind(entry.phase.rawValue, at: 1)
    try statement.bind(entry.attempts, at: 2)
    try statement.bind(Int64(entry.mayHaveArrived ? 1 : 0), at: 3)
    if let failure = entry.failure {
      try statement.bind(failure.bytes, at: 4)
    } else {
      try statement.bindNull(at: 4)
    }
    try statement.bind(entry.id, at: 5)
    try statement.run()
  }

  /// Replaces the contents and the key of a mutation.
  func update(_ id: Int64, payload: [UInt8]?, key: String?) throws {
    let statement = try database.statement(
      "UPDATE entries SET payload = coalesce(?, payload), key = ? WHERE id = ?")
    if let payload {
      try statement.bind(payload, at: 1)
    } else {
      try statement.bindNull(at: 1)
    }
    try bind(key, to: statement, at: 2)
    try statement.bind(id, at: 3)
    try statement.run()
  }

  /// Returns the state and the number of attempts in the file, or `nil` if the mutation is not
  /// there.
  func standing(of id: Int64) throws -> (phase: EntryRecord.Phase?, attempts: Int64)? {
    let statement = try database.statement("SELECT state, attempts FROM entries WHERE id = ?")
    defer { statement.reset() }
    try statement.bind(id, at: 1)
    guard try statement.step() else { return nil }
    return (EntryRecord.Phase(rawValue: statement.integer(0)), statement.integer(1))
  }

  /// Returns the sealed contents and the key of a mutation, or `nil` if it is not there.
  func contents(of id: Int64) throws -> (payload: [UInt8], key: String?)? {
    let statement = try database.statement("SELECT payload, key FROM entries WHERE id = ?")
    defer { statement.reset() }
    try statement.bind(id, at: 1)
    guard try statement.step() else { return nil }
    return (
      statement.withBytes(0) { Array($0) }, statement.isNull(1) ? nil : statement.text(1)
    )
  }

  func files(of id: Int64) throws -> [StoredFile] {
    let statement = try database.statement(
      "SELECT field, name, type, path, content FROM files WHERE entry = ? ORDER BY position")
    defer { statement.reset() }
    try statement.bind(id, at: 1)
    var files: [StoredFile] = []
    while try statement.step() {
      files.append(
        StoredFile(
          fieldName: statement.text(0), originalName: statement.text(1),
          mimeType: statement.text(2),
          content: statement.isNull(4) ? nil : statement.withBytes(4) { Array($0) },
          path: statement.isNull(3) ? nil : statement.text(3)))
    }
    return files
  }

  func remove(_ id: Int64) throws {
    for statement in [
      try database.statement("DELETE FROM entries WHERE id = ?"),
      try database.statement("DELETE FROM files WHERE entry = ?"),
    ] {
      try statement.bind(id, at: 1)
      try statement.run()
    }
  }

  /// Removes everything of a session.
  func removeAll(of session: String) throws {
    for statement in [
      try database.statement(
        "DELETE FROM files WHERE entry IN (SELECT id FROM entries WHERE session = ?)"),
      try database.statement("DELETE FROM entries WHERE session = ?"),
      try database.statement("DELETE FROM identifiers WHERE session = ?"),
    ] {
      try statement.bind(text: session, at: 1)
      try statement.run()
    }
  }

  /// Removes from the log what is not in the file any more.
  func truncateLog() throws { try database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }

  /// The number of mutations of all sessions, and their bytes.
  func size() throws -> (count: Int64, byteCount: Int64) {
    let statement = try database.statement("SELECT count(*), total(bytes) FROM entries")
    defer { statement.reset() }
    guard try statement.step() else { return (0, 0) }
    return (statement.integer(0), statement.integer(1))
  }
}

// MARK: - Identifiers

extension OfflineFile {
  /// Returns the temporary identifiers of a session with their creators and the real ones.
  func identifiers(of session: String) throws -> [(String, creator: Int64, real: String?)] {
    let statement = try database.statement(
      "SELECT temporary, creator, real FROM identifiers WHERE session = ?")
    defer { statement.reset() }
    try statement.bind(text: session, at: 1)
    var identifiers: [(String, creator: Int64, real: String?)] = []
    while try statement.step() {
      identifiers.append(
        (
          statement.text(0), statement.integer(1), statement.isNull(2) ? nil : statement.text(2)
        ))
    }
    return identifiers
  }

  func resolve(_ temporary: String, to real: String, session: String) throws {
    let statement = try database.statement(
      "UPDATE identifiers SET real = ? WHERE session = ? AND temporary = ?")
    try statement.bind(text: real, at: 1)
    try statement.bind(text: session, at: 2)
    try statement.bind(text: temporary, at: 3)
    try statement.run()
  }
}

// MARK: - Lease

extension OfflineFile {
  /// The right of one queue to send.
  struct Lease {
    let owner: String
    let process: Int64
    let expires: Double
  }

  func lease() throws -> Lease? {
    let statement = try database.statement("SELECT owner, process, expires FROM lease")
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Lease(
      owner: statement.text(0), process: statement.integer(1), expires: statement.double(2))
  }

  func setLease(process: Int64, expires: Double) throws {
    let statement = try database.statement("INSERT OR REPLACE INTO lease VALUES (0, ?, ?, ?)")
    try statement.bind(text: owner, at: 1)
    try statement.bind(process, at: 2)
    try statement.bind(expires, at: 3)
    try statement.run()
  }

  /// Gives the lease up, unless another queue has it.
  func removeLease() throws {
    let statement = try database.statement("DELETE FROM lease WHERE owner = ?")
    try statement.bind(text: owner, at: 1)
    try statement.run()
  }
}
