internal import ApolloCache
internal import CacheInspection
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
  /// - Throws: `InspectionError` for a line that is no record, before anything is written, and
  ///   the errors of the cache.
  package static func run(_ dump: [UInt8], into location: CacheLocation) async throws -> Int {
    let records = try DumpedRecord.records(in: dump)
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
