package import ApolloCache

/// One transaction that merges records into a cache file, with the writes that their fields are
/// from.
///
/// ```swift
/// try CacheFileImport.run(path: path) { file in
///   let write = WriteFacts(time: 1_700_000_000, operationName: "UserName", maxAge: nil)
///   try file.merge("User:1", ["name": "Ada"], writes: ["name": write], lastUse: nil)
/// }
/// ```
package struct CacheFileImport {
  private var rows: RecordRows
  /// The numbers of the writes that were begun.
  private var numbers: [WriteFacts: WriteID] = [:]

  /// Opens a cache file, or creates it, and runs `body` in a transaction. Nothing has changed if it
  /// throws.
  ///
  /// - Throws: ``CacheFileError``, and the errors of `body`.
  package static func run<Result>(
    path: String, _ body: (inout CacheFileImport) throws -> Result
  ) throws -> Result {
    do {
      let configuration = try SQLiteNormalizedCache.Configuration(forCacheFile: path)
      let file = DatabaseFile(path: path, settings: configuration.ofFile, schema: .current)
      let database = try file.openForWriting().database
      return try database.transaction {
        var importing = CacheFileImport(rows: RecordRows(database))
        return try body(&importing)
      }
    } catch let error as SQLiteError {
      throw CacheFileError(error, writing: path)
    }
  }

  private init(rows: RecordRows) { self.rows = rows }

  /// Returns the fields of a record that the file has already, or `nil` if there is none, and the
  /// facts about their writes, as far as they are known.
  ///
  /// - Throws: ``SQLiteError``
  package mutating func known(
    _ key: RecordKey, among fields: [FieldKey]
  ) throws -> (fields: FieldMap, writes: [FieldKey: WriteFacts])? {
    guard let known = try rows.fields(of: key, among: fields) else { return nil }
    var writes: [FieldKey: WriteFacts] = [:]
    for (field, id) in try rows.writes(of: key, among: fields) {
      writes[field] = try rows.stamps.facts(about: id)
    }
    return (known, writes)
  }

  /// Merges a record.
  ///
  /// - Parameters:
  ///   - key: The key of the record.
  ///   - fields: The fields.
  ///   - writes: The facts about the write of each field that has one from now on. The others keep
  ///     what is known about theirs.
  ///   - lastUse: The time of the last use in seconds since 1970. A later one of the file stays.
  /// - Throws: ``SQLiteError``
  package mutating func merge(
    _ key: RecordKey, _ fields: FieldMap, writes: [FieldKey: WriteFacts], lastUse: Int64?
  ) throws {
    var groups: [WriteFacts: [FieldKey]] = [:]
    // In order: each other order would be a shape of its own.
    for (field, facts) in writes.sorted(by: { $0.key < $1.key }) {
      groups[facts, default: []].append(field)
    }
    // All fields of most records are from one write, and are written together with it.
    let isOneWrite = groups.count == 1 && writes.count == fields.count
    rows.stamps.end()
    if isOneWrite, let facts = groups.keys.first { try resume(facts) }
    var table: RecordTable?
    _ = try rows.merge(RecordSet([Record(key: key, fields: fields)]), keeping: &table)
    // By their first fields if they are of one time, so that one dump always makes the same file.
    let ordered = groups.sorted { ($0.key.time, $0.value[0]) < ($1.key.time, $1.value[0]) }
    for (facts, keys) in ordered {
      // A merge does not note the write of a failure.
      let rest = isOneWrite ? keys.filter { fields[$0]?.containsFailure ?? false } : keys
      guard !rest.isEmpty else { continue }
      try resume(facts)
      try rows.stamp(rest, of: key)
    }
    rows.stamps.end()
    if let lastUse { try rows.note(importedUse: lastUse, of: key) }
  }

  /// Continues the write with these facts, or begins it.
  private mutating func resume(_ facts: WriteFacts) throws {
    if let number = numbers[facts] {
      rows.stamps.resume(number)
    } else {
      numbers[facts] = try rows.stamps.begin(PendingWrite(facts, .all))
    }
  }
}
