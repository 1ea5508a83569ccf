internal import ApolloAPI
internal import ApolloCache
internal import CacheInspection
#if SQLITE
  internal import ApolloSQLite

  /// The records of a SQLite file. A file that takes its place is opened in turn, as after the
  /// program was installed again.
  final class SQLiteContents: CacheContents {
    private struct State {
      var reader: CacheFileReader
      /// The number of files that were opened.
      var count = 1
    }

    let name: String
    private let state: Lock<State>

    init(path: String) throws {
      name = path
      state = Lock(State(reader: try CacheFileReader(path: path)))
    }

    /// Returns the reader of the file that is there now.
    private func current() throws -> State {
      try state.withLock { state throws in
        if state.reader.isReplaced {
          state.reader = try CacheFileReader(path: name)
          state.count += 1
        }
        return state
      }
    }

    func forEachRecord(_ body: (StoredRecord) throws -> Void) throws {
      try current().reader.read { state throws in
        try state.forEachRow { try body(try Self.record($0, state)) }
      }
    }

    func record(of key: RecordKey) throws -> StoredRecord? {
      try current().reader.read { state throws in
        guard let row = try state.row(of: key) else { return nil }
        return try Self.record(row, state)
      }
    }

    private static func record(
      _ row: CacheFileReader.Row, _ state: CacheFileState
    ) throws -> StoredRecord {
      var record = StoredRecord(key: row.key, fields: row.fields)
      record.unreadableFields = row.unreadableFields
      record.hasUnreadableWrites = row.hasUnreadableWrites
      record.lastUse = row.lastUse
      record.byteCount = row.byteCount
      record.hasUnreadableKey = row.hasUnreadableKey
      for (field, write) in row.writes {
        guard var facts = try state.facts(about: write) else { continue }
        // As in all caches, so that a copy has the same times.
        facts.time = facts.milliseconds / 1_000
        record.writes[field] = facts
      }
      return record
    }

    func version() throws -> String {
      let state = try current()
      return "\(state.count).\(try state.reader.version())"
    }

    func damage() throws -> [String] { try current().reader.read { try $0.problems() } }
    func close() { state.withLock { $0.reader }.close() }
    var storedByteCount: Int? { Int(state.withLock { $0.reader }.fileByteCount) }
    var formVersion: Int? { Int(CacheFileReader.tableVersion) }
  }

  extension CacheLocation {
    func openFile(_ path: String) throws -> any CacheContents { try SQLiteContents(path: path) }

    /// Returns the damage of the file that an error is about, or `nil` if it is about another
    /// matter.
    func damage(in error: any Error) -> String? {
      if case CacheFileError.damaged? = error as? CacheFileError { "\(error)" } else { nil }
    }
  }
#else
  extension CacheLocation {
    func openFile(_ path: String) throws -> any CacheContents { throw Self.needsSQLite }

    func damage(in error: any Error) -> String? { nil }

    static var needsSQLite: InspectionError {
      InspectionError(
        "This apollo-cli was built without SQLite. Install its headers (libsqlite3-dev), run "
          + "'swift package purge-cache' and build apollo-cli again.")
    }
  }
#endif
