internal import CSQLite
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A cache file: how it is opened, checked, brought up to date, and put aside when it cannot be
/// used.
struct DatabaseFile {
  let path: String
  let configuration: SQLiteNormalizedCache.Configuration
  let schema: Schema

  /// Why a file that is there cannot serve as a cache.
  private enum Unusable: Error {
    case damaged(SQLiteError)
    /// It is somebody else's database, or one of a later version of this one.
    case foreign(SQLiteError)
  }

  /// Opens the file for writing; creates it if there is none.
  ///
  /// - Throws: ``SQLiteError``
  func openForWriting() throws -> Connection {
    try checkIsFile()
    let identity = identity
    do {
      return try openChecked()
    } catch Unusable.damaged(let error), Unusable.foreign(let error) {
      guard configuration.replacesUnusableFile else { throw error }
    }
    return try replace(identity)
  }

  /// Puts the file aside, and opens a new one.
  ///
  /// - Parameter unusable: the file that turned out to be unusable. If another one is there by now,
  ///   somebody else has replaced it, and theirs is opened.
  /// - Returns: a connection to the new file.
  /// - Throws: ``SQLiteError``
  func replace(_ unusable: Identity?) throws -> Connection {
    try withLockedFolder {
      if identity == unusable { try quarantine() }
    }
    do {
      return try openChecked()
    } catch Unusable.damaged(let error), Unusable.foreign(let error) {
      throw error
    }
  }

  /// Opens the file for reading. It has been opened for writing before.
  func openForReading() throws -> Connection {
    try Connection(
      path: path, access: .reading, busyTimeout: configuration.busyTimeoutInMilliseconds)
  }

  /// Several that find an old log beside a new, empty file all delete it, and those that come too late
  /// are told that it is not there (SQLite says so as an error of the disk): then it is as it should be.
  private func openChecked() throws -> Connection {
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

  private func openCheckedOnce() throws -> Connection {
    do {
      let database = try Connection(
        path: path, access: .writing, busyTimeout: configuration.busyTimeoutInMilliseconds)
      try identify(database)
      try useWriteAheadLog(database)
      try migrate(database)
      try checkTables(database)
      return database
    } catch let error as SQLiteError where error.isDamage {
      throw Unusable.damaged(error)
    }
  }

  // MARK: - Checks

  private func failure(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CANTOPEN, message: message, activity: "Opening \(path)")
  }

  /// SQLite would wait for ever on a pipe, so only files are opened.
  private func checkIsFile() throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw failure(String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure("it is not a file") }
  }

  /// A file is ours if it says so, or if it is empty.
  private func identify(_ database: Connection) throws {
    let application = try database.integer("PRAGMA application_id") ?? 0
    let version = try database.integer("PRAGMA user_version") ?? 0
    if application == Schema.applicationID {
      guard version >= 0 else {
        throw Unusable.damaged(
          SQLiteError(
            code: SQLITE_CORRUPT, message: "the version \(version) is negative",
            activity: "Opening \(path)"))
      }
      guard version <= schema.version else {
        throw Unusable.foreign(
          failure("a later version of this library (\(version)) has written it"))
      }
      return
    }
    let tableCount = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    guard application == 0, version == 0, tableCount == 0 else {
      throw Unusable.foreign(failure("it is a database of another program"))
    }
  }

  /// Changing the journal mode ignores the busy timeout, so this asks again until that has passed.
  ///
  /// The wait blocks the thread, and that is acceptable here: it happens while a file is opened for
  /// writing, and only while another connection is busy with the same file. Every other statement
  /// waits the same way inside of SQLite, for no longer than the same timeout, so opening a cache
  /// is blocking work in any case. To wait without blocking, opening would have to be asynchronous,
  /// for the sake of the short moment in which two processes create one cache.
  private func useWriteAheadLog(_ database: Connection) throws {
    let step: Int32 = 20
    var waited: Int32 = 0
    while try !changesToWriteAheadLog(
      database, orFails: waited >= configuration.busyTimeoutInMilliseconds)
    {
      usleep(UInt32(step) * 1_000)
      waited += step
    }
    try database.execute("PRAGMA synchronous = NORMAL")
  }

  /// Whether the mode could be changed; if others are busy with the file, it is false or an error.
  private func changesToWriteAheadLog(_ database: Connection, orFails isLastTry: Bool) throws
    -> Bool
  {
    do {
      try database.execute("PRAGMA journal_mode = WAL")
      return true
    } catch {
      guard error.isBusy && !isLastTry else { throw error }
      return false
    }
  }

  private func migrate(_ database: Connection) throws {
    guard try database.integer("PRAGMA user_version") != schema.version else { return }
    try database.transaction {
      // Asked again: another process may have done it meanwhile.
      let version = max(0, Int(try database.integer("PRAGMA user_version") ?? 0))
      for migration in schema.migrations.dropFirst(version) { try database.execute(migration) }
      try database.execute(
        "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(schema.version)")
    }
  }

  private func checkTables(_ database: Connection) throws {
    do {
      _ = try database.statement(uncached: "SELECT key, fields FROM records")
      _ = try database.statement(uncached: "SELECT record, field, value FROM wide_fields")
      _ = try database.statement(uncached: "SELECT id, fields FROM shapes")
    } catch {
      throw error.primaryCode == SQLITE_ERROR ? Unusable.damaged(error) : error
    }
    guard configuration.checksIntegrity else { return }
    if let problem = try Self.problems(in: database, atMost: 1).first {
      throw Unusable.damaged(
        SQLiteError(code: SQLITE_CORRUPT, message: problem, activity: "Checking \(path)"))
    }
  }

  /// What SQLite finds wrong with the structure of a database.
  static func problems(in database: Connection, atMost limit: Int) throws -> [String] {
    let statement = try database.statement(uncached: "PRAGMA integrity_check(\(limit))")
    var problems: [String] = []
    while try statement.step() { problems.append(statement.text(0)) }
    return problems == ["ok"] ? [] : problems
  }

  // MARK: - Quarantine

  /// Renames the file and its log to the first free name of `<path>.damaged-1` … `9`; the last one
  /// is used again and again.
  ///
  /// The log goes first: whoever finds no file makes a new one, and must not find an old log. (What
  /// others leave of a log until then is deleted by SQLite, as the new file is empty.)
  private func quarantine() throws {
    let free = (1...9).first { !exists("\(path).damaged-\($0)") } ?? 9
    for suffix in ["-wal", "-shm", ""] where exists(path + suffix) {
      guard rename(path + suffix, "\(path).damaged-\(free)\(suffix)") == 0 else {
        throw failure("it is damaged, and cannot be renamed: \(String(cString: strerror(errno)))")
      }
    }
  }

  /// Keeps all others from putting a file of the same folder aside meanwhile: of several that find
  /// one damaged file, each would otherwise rename what the one before it has made.
  ///
  /// The lock is on the folder itself, so that no file is left behind, and goes with the process.
  /// Where a file system has no such locks, it does without.
  ///
  /// It is given up, and not only closed: a program that another thread is just starting has a copy of every descriptor until it runs,
  /// and with it the lock.
  private func withLockedFolder(_ body: () throws -> Void) throws {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw failure("its folder cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer {
      _ = flock(descriptor, LOCK_UN)
      close(descriptor)
    }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    try body()
  }

  private func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }

  /// What the path leads to now: changes when another process deletes or replaces the file.
  struct Identity: Equatable {
    fileprivate var device: UInt64
    fileprivate var inode: UInt64
  }

  var identity: Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
  }
}
