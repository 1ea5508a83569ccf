internal import CSQLite
private import struct Foundation.UUID
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A cache file, which is opened, checked, migrated, and replaced if it cannot be used.
///
/// Opening for writing takes these steps:
///
/// 1. Check that the path leads to a file or to nothing.
/// 2. Check that the file is a cache of this version or an older one, or empty.
/// 3. Switch to the journal mode of the settings.
/// 4. Run the missing migrations in one transaction.
/// 5. Check the tables, and the whole file if the settings say so.
/// 6. Remove records that earlier versions of this library should not have kept.
/// 7. If one of these finds an unusable file, rename it and start again with an empty one.
struct DatabaseFile {
  /// The path that the program has given, which may be that of a link.
  private let name: String
  private(set) var settings: FileSettings
  let schema: TableSchema
  /// Indicates whether the database is in memory. Its connections share it by its path.
  let isInMemory: Bool

  init(path: String, settings: FileSettings, schema: TableSchema) {
    name = path
    self.settings = settings
    self.schema = schema
    isInMemory = false
  }

  /// Creates a database in memory.
  init(inMemory settings: FileSettings) {
    name = "file:/apollo-\(UUID().uuidString)?vfs=memdb"
    self.settings = settings
    self.settings.journalMode = .memory
    schema = .current
    isInMemory = true
  }

  /// The path of the file itself, behind links.
  ///
  /// SQLite follows links, too, and has the log beside the file. Renaming or deleting a link would
  /// leave both. It is read each time: a link that leads to another file by now is one that was
  /// replaced.
  var path: String {
    guard !isInMemory else { return name }
    var path = name
    for _ in 0..<Self.mostLinks {
      guard let target = Self.target(ofLink: path) else { break }
      let isAbsolute = target.utf8.first == UInt8(ascii: "/")  // as the system compares, by bytes
      path = isAbsolute ? target : (Self.folder(of: path) ?? "") + target
    }
    return path
  }

  /// The number of links after which Linux gives up.
  private static let mostLinks = 40

  /// The number of bytes of the longest path on any system.
  private static let mostBytesOfAPath = 4_096

  /// Returns the path that a link contains, or `nil` if there is no link.
  ///
  /// Also `nil` if the path is not UTF-8: a repaired one would be that of another file.
  private static func target(ofLink path: String) -> String? {
    // Unsafe because `readlink` writes into memory of the caller, which ends with the closure.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: mostBytesOfAPath) { buffer -> String? in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(path, start, buffer.count)
      guard count > 0 else { return nil }
      let bytes = UnsafeRawBufferPointer(buffer).prefix(count)
      let target = String(decoding: bytes, as: UTF8.self)
      return target.utf8.elementsEqual(bytes) ? target : nil
    }
  }

  /// Returns the folder in a path, with the slash at its end, or `nil` if the path has none.
  private static func folder(of path: String) -> String? {
    path.lastIndex(of: "/").map { String(path[...$0]) }
  }

  /// The reason that an existing file cannot be used.
  private enum Unusable: Error {
    case damaged(SQLiteError)
    /// It is the database of another program or of a later version.
    case foreign(SQLiteError)
  }

  /// A connection, and the file to which it leads, which may have lost its path since.
  struct Opened {
    let database: DatabaseConnection
    let identity: Identity?
  }

  /// Opens the file for writing, or creates it.
  ///
  /// - Throws: ``SQLiteError``
  func openForWriting() throws -> Opened {
    try checkIsFile()
    for _ in 1..<Self.mostTries {
      let identity = identity
      do {
        return try openChecked()
      } catch Unusable.damaged(let error), Unusable.foreign(let error) {
        guard settings.replacesUnusableFile else { throw error }
      }
      _ = try setAside(identity)
    }
    do {
      return try openChecked()
    } catch Unusable.damaged(let error), Unusable.foreign(let error) {
      throw error
    }
  }

  /// The number of tries to open the file. Others may put unusable files at the path meanwhile.
  private static let mostTries = 4

  /// Renames the file, which cannot be used.
  ///
  /// - Parameter unusable: The unusable file. If the path leads to another file by now, another
  ///   connection has replaced it, and nothing happens.
  /// - Returns: The new path, or `nil` if nothing was renamed.
  /// - Throws: ``SQLiteError``
  func setAside(_ unusable: Identity?) throws -> String? {
    try withLockedFolder { try identity == unusable ? quarantine() : nil }
  }

  /// Deletes a file that was set aside, and its log.
  ///
  /// - Throws: ``SQLiteError``
  func deleteSetAside(_ path: String) throws {
    for suffix in JournalMode.companions + [""] where exists(path + suffix) {
      guard unlink(path + suffix) == 0 else {
        throw failure("'\(path)' cannot be deleted: \(String(cString: strerror(errno)))")
      }
    }
  }

  /// Deletes the file and its log, which needs no space on the disk.
  ///
  /// - Parameter full: The file to delete. If the path leads to another file by now, nothing
  ///   happens.
  /// - Throws: ``SQLiteError``
  func delete(_ full: Identity?) throws {
    try withLockedFolder {
      guard identity == full else { return }
      let path = path
      for suffix in JournalMode.companions + [""] where exists(path + suffix) {
        guard unlink(path + suffix) == 0 else {
          throw failure("it cannot be deleted: \(String(cString: strerror(errno)))")
        }
      }
    }
  }

  /// Opens the file for reading, after it was opened for writing.
  ///
  /// SQLite opens the log with the first statement that reads, by its path. No other process may
  /// rename or delete the file before that: the log would be the one of the new file.
  func openForReading() throws -> DatabaseConnection {
    guard !isInMemory else { return try connect(.reading) }
    return try withLockedFolder(LOCK_SH) {
      let database = try connect(.reading)
      if settings.journalMode == .wal { _ = try database.integer("PRAGMA data_version") }
      return database
    }
  }

  /// Opens the file, and tries again if another process has just deleted an old log.
  ///
  /// Several processes may find an old log beside a new, empty file. Each deletes it, and for the
  /// later ones SQLite reports a disk error, because it is gone already.
  private func openChecked() throws -> Opened {
    for _ in 0..<Self.mostRaces {
      do {
        return try openCheckedOnce()
      } catch let error as SQLiteError where error.isOfDeletingNothing {
        continue
      }
    }
    return try openCheckedOnce()
  }

  private static let mostRaces = 100

  private func openCheckedOnce() throws -> Opened {
    do {
      let opened = try openIdentified()
      let database = opened.database
      try setJournalMode(of: database)
      try migrate(database)
      try checkTables(database)
      try removeRootsOfMutations(database)
      return opened
    } catch let error as SQLiteError where error.isDamage {
      throw Unusable.damaged(error)
    }
  }

  /// Opens the file and checks that it is a cache or empty, while no other process renames it.
  ///
  /// A connection to a file that was renamed in between would find the log of the new file at its
  /// path, and delete it when it closes. And the identity would be that of the new file: everything
  /// that the connection writes would be lost.
  private func openIdentified() throws -> Opened {
    guard !isInMemory else { return Opened(database: try connect(.writing), identity: nil) }
    return try withLockedFolder(LOCK_SH) {
      let database = try connect(.writing)
      try identify(database)
      return Opened(database: database, identity: identity)
    }
  }

  private func connect(_ access: DatabaseConnection.Access) throws -> DatabaseConnection {
    try DatabaseConnection(
      path: path, isURI: isInMemory, access: access,
      busyTimeout: settings.busyTimeoutInMilliseconds)
  }

  // MARK: - Checks

  private func failure(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CANTOPEN, message: message, activity: "Opening \(path)")
  }

  /// Checks that the path does not lead to something else than a file. SQLite would wait forever
  /// for a pipe.
  private func checkIsFile() throws {
    if isInMemory { return }
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw failure(String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure("it is not a file") }
  }

  /// Checks that the file is a cache or empty.
  ///
  /// It reads in one transaction. Otherwise, tables that another connection creates meanwhile would
  /// appear in a file that had no mark of a cache a moment before.
  private func identify(_ database: DatabaseConnection) throws {
    try database.execute("BEGIN")
    let application = try database.integer("PRAGMA application_id") ?? 0
    let version = try database.integer("PRAGMA user_version") ?? 0
    let tableCount = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    try database.execute("COMMIT")
    if application == TableSchema.applicationID {
      guard version >= 0 else {
        throw Unusable.damaged(
          SQLiteError(
            code: SQLITE_CORRUPT, message: "the version \(version) is negative",
            activity: "Opening \(path)"))
      }
      // Migrating it would create the tables that it has.
      guard version > 0 || tableCount == 0 else {
        throw Unusable.damaged(
          SQLiteError(
            code: SQLITE_CORRUPT, message: "it has tables, but the version 0",
            activity: "Opening \(path)"))
      }
      return try checkIsNotLater(version)
    }
    guard application == 0, version == 0, tableCount == 0 else {
      throw Unusable.foreign(failure("it is a database of another program"))
    }
  }

  /// Checks that this version of the library knows a version of the tables.
  private func checkIsNotLater(_ version: Int64) throws {
    guard version <= schema.version else {
      throw Unusable.foreign(
        failure("a later version of this library (\(version)) has written it"))
    }
  }

  /// Switches to the journal mode. SQLite ignores the busy timeout there, so this polls until it
  /// has passed.
  ///
  /// Blocking the thread is acceptable: it happens only while a file is opened for writing and
  /// another connection is busy with it. Opening a cache is blocking work in any case, because
  /// every other statement waits the same way inside of SQLite.
  private func setJournalMode(of database: DatabaseConnection) throws {
    let step: Int32 = 20
    var waited: Int32 = 0
    while try !changesJournalMode(
      of: database, orFails: waited >= settings.busyTimeoutInMilliseconds)
    {
      usleep(UInt32(step) * 1_000)
      waited += step
    }
    // With a log, a crash of the system loses the last transactions at most. With a journal, it
    // could damage the file.
    let synchronous = settings.journalMode == .wal ? "NORMAL" : "FULL"
    try database.execute(
      "PRAGMA synchronous = \(synchronous); PRAGMA journal_size_limit = \(RecordRows.mostBytesOfTheLog)"
    )
  }

  /// Switches to the journal mode. Returns `false`, or throws at the last try, if other
  /// connections are busy with the file.
  private func changesJournalMode(
    of database: DatabaseConnection, orFails isLastTry: Bool
  ) throws -> Bool {
    do {
      try database.execute("PRAGMA journal_mode = \(settings.journalMode.rawValue)")
      return true
    } catch {
      guard error.isBusy && !isLastTry else { throw error }
      return false
    }
  }

  private func migrate(_ database: DatabaseConnection) throws {
    guard try database.integer("PRAGMA user_version") != schema.version else { return }
    do {
      try database.transaction { try runMigrations(database) }
    } catch let error as SQLiteError where error.primaryCode == SQLITE_ERROR {
      guard try hasTablesOfAnotherVersion(database) else { throw error }
      throw Unusable.damaged(error)
    }
  }

  private func runMigrations(_ database: DatabaseConnection) throws {
    // Read again, because another process may have migrated the file meanwhile, even to a later
    // version.
    let version = max(0, try database.integer("PRAGMA user_version") ?? 0)
    try checkIsNotLater(version)
    for migration in schema.migrations.dropFirst(Int(version)) { try database.execute(migration) }
    try database.execute(
      "PRAGMA application_id = \(TableSchema.applicationID); PRAGMA user_version = \(schema.version)"
    )
  }

  /// Returns whether the tables are not those of the file's version. No migration leads from them
  /// to the current ones.
  private func hasTablesOfAnotherVersion(_ database: DatabaseConnection) throws -> Bool {
    let version = max(0, Int(try database.integer("PRAGMA user_version") ?? 0))
    let expected = try DatabaseConnection(path: ":memory:", access: .writing, busyTimeout: 0)
    for migration in schema.migrations.prefix(version) { try expected.execute(migration) }
    return try tables(of: database) != tables(of: expected)
  }

  /// The names and definitions of the tables.
  private func tables(of database: DatabaseConnection) throws -> Set<String> {
    let statement = try database.statement(
      uncached: "SELECT name || ': ' || coalesce(sql, '') FROM sqlite_schema")
    var tables: Set<String> = []
    while try statement.step() { tables.insert(statement.text(0)) }
    return tables
  }

  /// Removes the roots of mutations and subscriptions, which earlier versions of this library kept:
  /// their fields have arguments, such as passwords.
  ///
  /// Damage that it meets is left to the next write, as all damage that opening does not look for.
  private func removeRootsOfMutations(_ database: DatabaseConnection) throws {
    do {
      try removeRoots(database)
    } catch let error as SQLiteError where error.isDamage {}
  }

  private func removeRoots(_ database: DatabaseConnection) throws {
    let roots = "(CAST('MUTATION_ROOT' AS BLOB), CAST('SUBSCRIPTION_ROOT' AS BLOB))"
    let count = try database.integer("SELECT count(*) FROM records WHERE key IN \(roots)")
    guard count != 0 else { return }
    // The bytes are overwritten, and left neither in the log nor in a journal that is kept.
    var rows = RecordRows(database)
    try rows.overwriteRemovedContent(true)
    // Fails only if the connection is of no more use.
    defer { try? rows.overwriteRemovedContent(false) }
    try database.transaction {
      try database.execute(
        "DELETE FROM wide_fields WHERE record IN \(roots); DELETE FROM records WHERE key IN \(roots)"
      )
    }
    // If another connection is busy, a later checkpoint empties the log.
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func checkTables(_ database: DatabaseConnection) throws {
    do {
      for check in schema.checks { _ = try database.statement(uncached: check) }
    } catch {
      throw error.primaryCode == SQLITE_ERROR ? Unusable.damaged(error) : error
    }
    guard settings.checksIntegrity else { return }
    if let problem = try Self.problems(in: database, atMost: 1).first {
      throw Unusable.damaged(
        SQLiteError(code: SQLITE_CORRUPT, message: problem, activity: "Checking \(path)"))
    }
  }

  /// Returns the problems that SQLite finds in the structure of a database.
  static func problems(in database: DatabaseConnection, atMost limit: Int) throws -> [String] {
    let statement = try database.statement(uncached: "PRAGMA integrity_check(\(limit))")
    var problems: [String] = []
    while try statement.step() { problems.append(statement.text(0)) }
    return problems == ["ok"] ? [] : problems
  }

  // MARK: - Quarantine

  /// Renames the file and its log or journal to the first free name of `<path>.damaged-1` … `9`.
  /// The last name is reused. A name is free if it has no log either, which SQLite would take for
  /// that of the renamed file.
  ///
  /// The log is renamed first: a process that finds no file creates a new one, and must not find an
  /// old log. (SQLite deletes logs that others still leave, because the new file is empty.)
  ///
  /// - Returns: The new path.
  private func quarantine() throws -> String {
    let path = path
    let suffixes = JournalMode.companions + [""]
    let free = (1...9).first { number in
      !suffixes.contains { exists("\(path).damaged-\(number)\($0)") }
    }
    let new = "\(path).damaged-\(free ?? 9)"
    if free == nil { try deleteSetAside(new) }
    for suffix in suffixes where exists(path + suffix) {
      guard rename(path + suffix, new + suffix) == 0 else {
        throw failure("it is damaged, and cannot be renamed: \(String(cString: strerror(errno)))")
      }
    }
    return new
  }

  /// Runs `body` while no other process renames a file of the same folder, or, with an exclusive
  /// lock, opens one. Otherwise each of
  /// several processes that find one damaged file would rename the new file of the one before.
  ///
  /// The lock is on the folder itself, so it leaves no file behind and ends with the process. On a
  /// file system without such locks, `body` runs without one.
  ///
  /// The lock is released explicitly, because a program that another thread is just starting has a
  /// copy of every descriptor, and with it the lock.
  private func withLockedFolder<Result>(
    _ lock: Int32 = LOCK_EX, _ body: () throws -> Result
  ) throws -> Result {
    let folder = Self.folder(of: path) ?? "."
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      // A folder that cannot be listed can still have a file to open, but none to rename.
      if lock == LOCK_SH { return try body() }
      throw failure("its folder cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer {
      _ = flock(descriptor, LOCK_UN)
      close(descriptor)
    }
    while flock(descriptor, lock) != 0, errno == EINTR {}
    return try body()
  }

  private func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }

  /// The identity of the file at the path. It changes when another process deletes or replaces it.
  struct Identity: Equatable {
    fileprivate var device: UInt64
    fileprivate var inode: UInt64
  }

  var identity: Identity? {
    if isInMemory { return nil }
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
  }
}
