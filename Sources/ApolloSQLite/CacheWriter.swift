internal import ApolloCache

/// The one connection of a cache that writes.
///
/// `@unchecked Sendable` because it is either on the desk of the cache, behind a lock, or with one
/// session.
struct CacheWriter: @unchecked Sendable {
  private let file: DatabaseFile
  private var identity: DatabaseFile.Identity?
  private var rows: RecordRows
  /// What SQLite says of the state of the file: changes with each commit of another connection.
  private var dataVersion: Int64?
  /// Whether others have written since this writer committed last.
  private var hasForeignWrites = false

  init(_ file: DatabaseFile) throws {
    self.file = file
    rows = try Self.open { try file.openForWriting() }
    identity = file.identity
    dataVersion = try Self.dataVersion(rows.database)
  }

  /// The connection does not wait for others: who wants to write asks again, and may do something
  /// else meanwhile.
  private static func open(_ open: () throws -> Connection) throws -> RecordRows {
    let database = try open()
    database.setBusyTimeout(0)
    return RecordRows(database)
  }

  /// Nil if somebody has the file for himself: he may write anything.
  private static func dataVersion(_ database: Connection) throws -> Int64? {
    do {
      let statement = try database.statement("PRAGMA data_version")
      defer { statement.reset() }
      return try statement.step() ? statement.integer(0) : nil
    } catch {
      guard error.isBusy else { throw error }
      return nil
    }
  }

  var connection: Connection { rows.database }

  // MARK: - The file

  /// Begins anew because the file turned out to be damaged.
  mutating func replaceFile() throws {
    // Somebody else may have replaced it already: theirs is not damaged.
    if try reopenIfReplaced() { return }
    rollBack()
    rows = try Self.open { try file.replace(identity) }
    identity = file.identity
    dataVersion = try Self.dataVersion(rows.database)
  }

  /// Begins anew if somebody has deleted or replaced the file: what is written to the old one would
  /// be lost.
  mutating func reopenIfReplaced() throws -> Bool {
    guard file.identity != identity else { return false }
    self = try CacheWriter(file)
    hasForeignWrites = true
    return true
  }

  /// Whether others have written since the last time that this was asked.
  mutating func noticesForeignWrite() throws -> Bool {
    let version = try Self.dataVersion(rows.database)
    guard version == nil || version != dataVersion else { return false }
    dataVersion = version
    hasForeignWrites = true
    return true
  }

  // MARK: - Transactions

  /// Begins a transaction that has the right to write from its start; false if somebody else is
  /// writing.
  ///
  /// A transaction that begins by reading and writes later fails at once if another one wrote in
  /// between, whatever the busy timeout.
  func begin(isLastTry: Bool) throws -> Bool {
    do {
      try rows.database.statement("BEGIN IMMEDIATE").run()
      return true
    } catch {
      guard error.isBusy && !isLastTry else { throw error }
      return false
    }
  }

  func rollBack() {
    rows.database.rollBack()
  }

  mutating func fields(of key: RecordKey) throws -> FieldMap? {
    try rows.fields(of: key)
  }

  mutating func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try rows.fields(of: key, among: wanted)
  }

  /// Applies changes in the transaction that has begun, and ends it.
  mutating func commit(_ changes: [CacheMutation], keeping known: inout RecordTable?) throws
    -> ChangeSet
  {
    var result = ChangeSet()
    do {
      for change in changes { result.formUnion(try apply(change, keeping: &known)) }
      try rows.database.statement("COMMIT").run()
    } catch {
      rows.forgetShapes()
      rollBack()
      throw error
    }
    if result.includesEverything && file.configuration.shouldVacuumOnClear { vacuum() }
    if hasForeignWrites { result = .everything }
    hasForeignWrites = false
    return result
  }

  /// Applies changes to a file that nobody else knows yet.
  mutating func applyAtOnce(_ changes: [CacheMutation]) throws -> ChangeSet {
    _ = try begin(isLastTry: true)
    var nothing: RecordTable?
    return try commit(changes, keeping: &nothing)
  }

  private mutating func apply(_ change: CacheMutation, keeping known: inout RecordTable?) throws
    -> ChangeSet
  {
    switch change {
    case .merge(let records): return try rows.merge(records, keeping: &known)
    case .remove(let key):
      var changes = ChangeSet()
      if try rows.remove(key) { changes.insert(key) }
      _ = known?.remove(key)
      return changes
    case .removeMatching(let pattern):
      var changes = ChangeSet()
      for key in try rows.keys(matching: pattern) where try rows.remove(key) { changes.insert(key) }
      _ = known?.apply([change])
      return changes
    case .clear:
      try rows.removeAll()
      _ = known?.apply([change])
      return .everything
    }
  }

  /// The records are gone already. If the space cannot be given back now, because somebody is
  /// reading, the next records will use it.
  private func vacuum() {
    try? rows.database.execute("VACUUM")
  }

  func problems() throws -> [String] {
    try DatabaseFile.problems(in: rows.database, atMost: 100)
  }

  func limitPageCount(to count: Int) throws {
    _ = try rows.database.integer("PRAGMA max_page_count = \(count)")
  }
}
