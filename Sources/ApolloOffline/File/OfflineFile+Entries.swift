import ApolloAPI
import ApolloSQLite

extension OfflineFile {
  /// Reads the mutations of a session in their order, and how many there are of all sessions.
  ///
  /// All in one pass over the table: a file has few sessions, and an index would cost each addition
  /// a further page.
  func readEntries(of session: String, into contents: inout FileContents) throws {
    let statement = try database.statement(
      """
      SELECT id, lane, operation, state, attempts, revision, arrived, time, bytes, key IS NOT NULL,
        conflict, uncertainty, subject, needs, creates, visible, failure, session
      FROM entries ORDER BY id
      """)
    defer { statement.reset() }
    let name = Array(session.utf8)
    // Most mutations share a few texts.
    var texts: [String: String] = [:]
    func shared(_ text: String) -> String {
      if let known = texts[text] { return known }
      texts[text] = text
      return text
    }
    while try statement.step() {
      contents.size.count += 1
      contents.size.byteCount += statement.integer(8)
      guard statement.withBytes(17, { $0.elementsEqual(name) }) else {
        if statement.withBytes(17, { $0.starts(with: Self.startOfUnnamed) }) {
          contents.hasOtherUnnamedSessions = true
        }
        continue
      }
      contents.entries.append(
        EntryRecord(
          id: statement.integer(0), lane: shared(statement.text(1)),
          operationName: shared(statement.text(2)),
          standing: EntryRecord.Standing(
            phase: EntryRecord.Phase(rawValue: statement.integer(3)) ?? .uncertain,
            attempts: statement.integer(4), revision: statement.integer(5)),
          mayHaveArrived: statement.integer(6) != 0,
          time: statement.double(7), byteCount: statement.integer(8),
          isKeyed: statement.integer(9) != 0,
          conflict: OfflineConflictRule(rawValue: Int(clamping: statement.integer(10))) ?? .stop,
          uncertainty: OfflineUncertainty(rawValue: Int(clamping: statement.integer(11))) ?? .ask,
          subject: statement.isNull(12) ? nil : statement.text(12),
          needs: statement.isNull(13) ? [] : try Self.texts(statement.text(13)),
          creates: statement.isNull(14) ? [:] : try Self.paths(statement.text(14)),
          isVisible: statement.integer(15) != 0,
          failure: statement.isNull(16)
            ? nil : statement.withBytes(16) { OfflineFailure(bytes: Array($0)) }))
    }
  }

  private static func texts(_ json: String) throws -> [String] {
    try JSONValue(jsonBytes: Array(json.utf8)).arrayValue?.compactMap(\.stringValue) ?? []
  }

  private static func paths(_ json: String) throws -> [String: [String]] {
    (try JSONValue(jsonBytes: Array(json.utf8)).objectValue ?? [:]).mapValues {
      $0.arrayValue?.compactMap(\.stringValue) ?? []
    }
  }

  private static func text(_ texts: [String]) -> String? {
    texts.isEmpty ? nil : JSONValue.array(texts.map(JSONValue.string)).description
  }

  /// The names of sessions without a name begin so.
  private static let startOfUnnamed = Array("unnamed ".utf8)

  /// Adds a mutation and returns its number, which no other one has had. The caller has begun a
  /// transaction.
  func add(_ entry: NewEntry, session: String, time: Double) throws -> Int64 {
    let statement = try database.statement(
      """
      INSERT INTO entries (id, session, lane, operation, state, attempts, revision, arrived, time,
        bytes, key, conflict, uncertainty, subject, needs, creates, visible, payload)
      VALUES (
        1 + max(
          coalesce((SELECT max(id) FROM entries), 0),
          coalesce((SELECT largest FROM removed), 0)),
        ?, ?, ?, 0, 0, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    let rules = entry.rules
    try statement.bind(text: session, at: 1)
    try statement.bind(text: rules.lane, at: 2)
    try statement.bind(text: entry.operationName, at: 3)
    try statement.bind(time, at: 4)
    try statement.bind(entry.byteCount, at: 5)
    try bind(entry.key, to: statement, at: 6)
    try statement.bind(Int64(rules.conflict.rawValue), at: 7)
    try statement.bind(Int64(rules.uncertainty.rawValue), at: 8)
    try bind(rules.superseding.subject, to: statement, at: 9)
    try bind(Self.text(entry.needs), to: statement, at: 10)
    let creates = JSONValue.object(rules.creates.mapValues { .array($0.map(JSONValue.string)) })
    try bind(rules.creates.isEmpty ? nil : creates.description, to: statement, at: 11)
    try statement.bind(Int64(entry.isVisible ? 1 : 0), at: 12)
    try statement.bind(entry.payload, at: 13)
    try statement.run()
    let id = database.lastInsertedKey
    for (position, file) in entry.files.enumerated() { try add(file, position, to: id) }
    for temporary in rules.creates.keys.sorted() {
      try add(temporary, creator: id, session: session)
    }
    return id
  }

  private func add(_ file: StoredFile, _ position: Int, to id: Int64) throws {
    let statement = try database.statement("INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?)")
    try statement.bind(id, at: 1)
    try statement.bind(Int64(position), at: 2)
    try statement.bind(text: file.fieldName, at: 3)
    try statement.bind(text: file.originalName, at: 4)
    try statement.bind(text: file.mimeType, at: 5)
    try bind(file.path, to: statement, at: 6)
    try bind(file.content, to: statement, at: 7)
    try statement.run()
  }

  /// The standing of a mutation of a session.
  struct Stored {
    var standing: EntryRecord.Standing
    var mayHaveArrived: Bool
  }

  /// Returns the standing of a mutation, or `nil` if the session has no such mutation.
  func stored(_ id: Int64, session: String) throws -> Stored? {
    let statement = try database.statement(
      "SELECT state, attempts, revision, arrived FROM entries WHERE id = ? AND session = ?")
    defer { statement.reset() }
    try statement.bind(id, at: 1)
    try statement.bind(text: session, at: 2)
    guard try statement.step(), let phase = EntryRecord.Phase(rawValue: statement.integer(0))
    else { return nil }
    return Stored(
      standing: EntryRecord.Standing(
        phase: phase, attempts: statement.integer(1), revision: statement.integer(2)),
      mayHaveArrived: statement.integer(3) != 0)
  }

  /// Stores everything about a mutation that can change, but its contents.
  func update(_ entry: EntryRecord) throws {
    let statement = try database.statement(
      """
      UPDATE entries SET state = ?, attempts = ?, revision = ?, arrived = ?, failure = ?, time = ?,
        bytes = ?, needs = ?, visible = ?
      WHERE id = ?
      """)
    try statement.bind(entry.phase.rawValue, at: 1)
    try statement.bind(entry.standing.attempts, at: 2)
    try statement.bind(entry.standing.revision, at: 3)
    try statement.bind(Int64(entry.mayHaveArrived ? 1 : 0), at: 4)
    try bind(entry.failure?.bytes, to: statement, at: 5)
    try statement.bind(entry.time, at: 6)
    try statement.bind(entry.byteCount, at: 7)
    try bind(Self.text(entry.needs), to: statement, at: 8)
    try statement.bind(Int64(entry.isVisible ? 1 : 0), at: 9)
    try statement.bind(entry.id, at: 10)
    try statement.run()
  }

  /// Replaces the contents and the key of a mutation.
  func update(_ id: Int64, _ contents: NewContents) throws {
    let statement = try database.statement(
      "UPDATE entries SET payload = coalesce(?, payload), key = ? WHERE id = ?")
    try bind(contents.payload, to: statement, at: 1)
    try bind(contents.key, to: statement, at: 2)
    try statement.bind(id, at: 3)
    try statement.run()
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

  /// Removes a mutation with its files, and the identifiers for which it has brought no real ones.
  func remove(_ id: Int64) throws {
    try noteRemoval(of: id)
    if try createsObjects(id) {
      let statement = try database.statement(
        "DELETE FROM identifiers WHERE creator = ? AND real IS NULL")
      try statement.bind(id, at: 1)
      try statement.run()
    }
    for statement in [
      try database.statement("DELETE FROM entries WHERE id = ?"),
      try database.statement("DELETE FROM files WHERE entry = ?"),
    ] {
      try statement.bind(id, at: 1)
      try statement.run()
    }
  }

  private func createsObjects(_ id: Int64) throws -> Bool {
    let statement = try database.statement("SELECT creates IS NOT NULL FROM entries WHERE id = ?")
    defer { statement.reset() }
    try statement.bind(id, at: 1)
    return try statement.step() && statement.integer(0) != 0
  }

  /// Keeps the number of a mutation from being given again. That is needed only if it is the
  /// largest one.
  private func noteRemoval(of id: Int64) throws {
    let statement = try database.statement(
      """
      INSERT OR REPLACE INTO removed SELECT 0, id FROM entries
      WHERE id = ? AND id = (SELECT max(id) FROM entries)
        AND id > coalesce((SELECT largest FROM removed), 0)
      """)
    try statement.bind(id, at: 1)
    try statement.run()
  }

  /// Does the same for all mutations to which a condition applies.
  func noteRemoval(where condition: String) throws {
    try database.execute(
      """
      INSERT OR REPLACE INTO removed
      SELECT 0, max(coalesce(max(id), 0), coalesce((SELECT largest FROM removed), 0))
      FROM entries WHERE \(condition)
      """)
  }
}
