internal import ApolloCache
internal import Foundation
#if SQLITE
  internal import ApolloSQLite
#endif
#if REDIS
  internal import ApolloRedis
#endif

/// Merges a dump into a cache.
package enum CacheImport {
  /// Merges all records of a dump. A file is created if it does not exist, and written in one
  /// transaction. Redis is written in batches.
  ///
  /// - Parameters:
  ///   - dump: The lines of the dump.
  ///   - location: The cache.
  /// - Returns: The number of records.
  /// - Throws: ``InspectionError`` for a line that is no record, before anything is written, and
  ///   the errors of the cache.
  package static func run(_ dump: [UInt8], into location: CacheLocation) async throws -> Int {
    let records = try records(in: dump)
    switch location {
    case .file(let path): try write(records, toFile: path)
    case .redis(let url, let scope, let schema, let isSpread):
      guard let scope else {
        _ = try await location.open()  // lists the scopes
        return 0
      }
      try await write(records, url, scope, schema, isSpread)
    }
    return records.count
  }

  private static func records(in dump: [UInt8]) throws(InspectionError) -> [DumpedRecord] {
    var records: [DumpedRecord] = []
    /// The number of records before the dump that is not at its end yet.
    var start: Int?
    var isEmpty = true
    let lines = dump.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
      isEmpty = false
      do throws(StoredValue.Problem) {
        switch try DumpedRecord.Line(line) {
        case .head where start != nil:
          throw StoredValue.Problem(
            description: "a dump begins, and the one before has no last line: it was cut short")
        case .head: start = records.count
        case .record(let record): records.append(record)
        case .end(let count):
          let found = records.count - (start ?? records.count)
          guard start != nil, count == Int64(found) else {
            throw StoredValue.Problem(
              description: "the dump ends with the number of \(count) records, and has \(found)")
          }
          start = nil
        }
      } catch {
        throw InspectionError(
          "Line \(index + 1) of the dump cannot be imported: \(error). Nothing was imported. "
            + "Import what 'apollo-cli cache dump' has written.")
      }
    }
    guard !isEmpty else {
      throw InspectionError(
        "The dump is empty. Nothing was imported. Import what 'apollo-cli cache dump' has written.")
    }
    guard start == nil else {
      throw InspectionError(
        "The dump has no last line with the number of its records, so it was cut short. Nothing was "
          + "imported. Make the dump again, and look whether 'apollo-cli cache dump' ends with 0.")
    }
    return records
  }

  private static func write(_ records: [DumpedRecord], toFile path: String) throws {
    #if SQLITE
      let now = Date().timeIntervalSince1970
      try CacheFileImport.run(path: path) { file in
        for record in records {
          let known = try file.known(record.key, among: record.fields.keys)
          try file.merge(
            record.key, record.fields,
            writes: record.writes(over: known?.fields, known?.writes ?? [:], at: now),
            lastUse: record.lastUse)
        }
      }
    #else
      throw CacheLocation.needsSQLite
    #endif
  }

  private static func write(
    _ records: [DumpedRecord], _ url: URL, _ scope: String, _ schema: String, _ isSpread: Bool
  ) async throws {
    #if REDIS
      let reader = try RedisScopeReader(url: url, scope: scope, schema: schema, isSpread: isSpread)
      var (batch, keys): ([DumpedRecord], Set<RecordKey>) = ([], [])
      for record in records {
        // Records of one key are merged one after the other, as into a file.
        if batch.count == 500 || keys.contains(record.key) {
          try await write(batch, with: reader)
          (batch, keys) = ([], [])
        }
        batch.append(record)
        keys.insert(record.key)
      }
      try await write(batch, with: reader)
    #else
      throw CacheLocation.needsRedis
    #endif
  }

  #if REDIS
    /// Merges records of different keys.
    ///
    /// Each write of Redis has one time, so the fields are grouped by theirs, the oldest first.
    private static func write(
      _ batch: [DumpedRecord], with reader: RedisScopeReader
    ) async throws {
      let now = Date().timeIntervalSince1970
      let known = try await reader.records(batch.map { Record(key: $0.key, fields: $0.fields) })
      var groups: [WriteFacts?: [Record]] = [:]
      for record in batch {
        let stored = known[record.key]
        let writes = record.writes(over: stored?.fields, stored?.writes ?? [:], at: now)
        if record.fields.isEmpty { groups[nil, default: []].append(Record(key: record.key)) }
        for (facts, keys) in Dictionary(grouping: record.fields.keys, by: { writes[$0] }) {
          let fields = FieldMap(keys.compactMap { key in record.fields[key].map { (key, $0) } })
          // Redis does not keep the name.
          let group = facts.map {
            WriteFacts(time: $0.time, operationName: nil, maxAge: $0.maxAge)
          }
          groups[group, default: []].append(Record(key: record.key, fields: fields))
        }
      }
      for (facts, records) in groups.sorted(by: {
        ($0.key?.time ?? -.infinity) < ($1.key?.time ?? -.infinity)
      }) {
        try await reader.merge(RecordSet(records), from: facts)
      }
    }
  #endif
}

extension DumpedRecord {
  /// Returns the facts about the writes that the fields have after they were merged into others. A
  /// field that is not among them keeps what is known about its write.
  ///
  /// - A new field, and one with the value that it had, have the write that the dump names.
  /// - So has a field that gets another value. If the dump names none, it is that of the import: a
  ///   new value must not have the age of the former one.
  /// - A field that keeps its value, or a part of it, is as old as it was: failures replace
  ///   nothing, and embedded objects are merged. Only an older write that the dump names makes it
  ///   older.
  ///
  /// - Parameters:
  ///   - known: The fields before, or `nil` if there was no record.
  ///   - knownWrites: The facts about their writes, as far as they are known.
  ///   - now: The time of the import in seconds since 1970.
  /// - Returns: The facts.
  func writes(
    over known: FieldMap?, _ knownWrites: [FieldKey: WriteFacts], at now: Double
  ) -> [FieldKey: WriteFacts] {
    guard let known else { return writes }
    var merged = known
    var merger = RecordMerger()
    merger.merge(fields, into: &merged)
    var result: [FieldKey: WriteFacts] = [:]
    for field in fields.keys {
      guard let before = known[field] else {
        result[field] = writes[field]
        continue
      }
      if merged[field] == fields[field] {
        let isReplaced = before != fields[field]
        result[field] =
          writes[field]
          ?? (isReplaced ? WriteFacts(time: now, operationName: nil, maxAge: nil) : nil)
      } else if let named = writes[field], let facts = knownWrites[field], named.time < facts.time {
        result[field] = named
      }
    }
    return result
  }
}
