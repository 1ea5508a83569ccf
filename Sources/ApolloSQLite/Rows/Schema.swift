/// The tables of a cache file, and how older ones become the current ones.
struct Schema: Sendable {
  /// "ApQL": marks a file as ours, so that nobody else's database is ever taken for a cache.
  static let applicationID: Int64 = 0x4170_514C

  /// Migration *i* leads from version *i* to *i* + 1. A released one never changes.
  let migrations: [String]

  /// The `user_version` of files of this schema.
  var version: Int64 { Int64(migrations.count) }

  /// What this code writes.
  ///
  /// `records.fields` is what ``RowWriter`` writes of the record's fields, or null if they are rows
  /// of `wide_fields`, because there are more than a shape can have.
  static let current = Schema(migrations: [
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
    """
  ])
}
