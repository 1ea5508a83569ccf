internal import ApolloCache
#if SQLITE
  internal import ApolloSQLite

  /// The records of a SQLite file.
  struct FileContents: CacheContents {
    let reader: CacheFileReader

    var name: String { reader.path }

    func forEachRecord(_ body: (StoredRecord) throws -> Void) throws {
      try reader.read { state throws in
        try state.forEachRow { try body(try Self.record($0, state)) }
      }
    }

    func record(of key: RecordKey) throws -> StoredRecord? {
      try reader.read { state throws in
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
      for (field, write) in row.writes { record.writes[field] = try state.facts(about: write) }
      return record
    }

    func version() throws -> String { "\(try reader.version())" }
    func damage() throws -> [String] { try reader.read { try $0.problems() } }
    var storedByteCount: Int? { Int(reader.fileByteCount) }
    var formVersion: Int? { Int(CacheFileReader.tableVersion) }
  }

  extension CacheLocation {
    func openFile(_ path: String) throws -> any CacheContents {
      FileContents(reader: try CacheFileReader(path: path))
    }
  }
#else
  extension CacheLocation {
    func openFile(_ path: String) throws -> any CacheContents { throw Self.needsSQLite }

    static var needsSQLite: InspectionError {
      InspectionError(
        "This apollo-cli was built without SQLite. Install its headers (libsqlite3-dev), run "
          + "'swift package purge-cache' and build apollo-cli again.")
    }
  }
#endif
