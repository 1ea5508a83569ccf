/// The tables of a cache file and their migrations.
struct TableSchema: Sendable {
  /// The mark of a cache file, "ApQL". The database of another program does not have it.
  static let applicationID: Int64 = 0x4170_514C

  /// The migrations. Number *i* leads from version *i* to *i* + 1. A released one never changes.
  let migrations: [String]

  /// The statements that can be compiled if a file has the tables and columns of its version.
  var checks: [String] { Self.checks.prefix(migrations.count).flatMap { $0 } }

  /// The `user_version` of files of this schema.
  var version: Int64 { Int64(migrations.count) }

  /// The current schema.
  ///
  /// `records.fields` contains the fields as ``RowWriter`` writes them, or null if there are more
  /// than a shape may have: then each is a row of `wide_fields`.
  ///
  /// `records.writes` contains the number of each field's latest write, as far as it is known, in
  /// the same encoding. `writes` has the facts about them.
  ///
  /// `records.used` contains the time of the last use that was written to the file, in seconds
  /// since 1970.
  static let current = TableSchema(migrations: [
    """
    CREATE TABLE shapes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      fields BLOB NOT NULL UNIQUE
    );
    CREATE TABLE records (
      key BLOB PRIMARY KEY NOT NULL,
      fields BLOB
    ) WITHOUT ROWID;
    CREATE TABLE wide_fields (
      record BLOB NOT NULL,
      field BLOB NOT NULL,
      value BLOB NOT NULL,
      PRIMARY KEY (record, field)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE writes (
      id INTEGER PRIMARY KEY,
      time REAL NOT NULL,
      operation TEXT,
      max_age REAL
    );
    ALTER TABLE records ADD COLUMN writes BLOB;
    ALTER TABLE wide_fields ADD COLUMN write INTEGER;
    """,
    "ALTER TABLE records ADD COLUMN used INTEGER;",
  ])

  /// The statements that name everything that the current migration of the same number adds.
  private static let checks = [
    [
      "SELECT id, fields FROM shapes", "SELECT key, fields FROM records",
      "SELECT record, field, value FROM wide_fields",
    ],
    [
      "SELECT id, time, operation, max_age FROM writes", "SELECT writes FROM records",
      "SELECT write FROM wide_fields",
    ],
    ["SELECT used FROM records"],
  ]
}
