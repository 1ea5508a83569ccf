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
    let lines = dump.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
      do throws(StoredValue.Problem) {
        if let record = try DumpedRecord(line: line) { records.append(record) }
      } catch {
        throw InspectionError(
          "Line \(index + 1) of the dump cannot be imported: \(error). Nothing was imported. "
            + "Import what 'apollo-cli cache dump' has written.")
      }
    }
    return records
  }

  private static func write(_ records: [DumpedRecord], toFile path: String) throws {
    #if SQLITE
      try CacheFileImport.run(path: path) { file in
        for record in records {
          try file.merge(
            record.key, record.fields, writes: record.writes, lastUse: record.lastUse)
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
      // Each write of Redis has one time, so the fields are grouped by theirs, the oldest first.
      var groups: [WriteFacts?: [Record]] = [:]
      for record in records {
        if record.fields.isEmpty { groups[nil, default: []].append(Record(key: record.key)) }
        for (facts, keys) in Dictionary(grouping: record.fields.keys, by: { record.writes[$0] }) {
          let fields = FieldMap(keys.compactMap { key in record.fields[key].map { (key, $0) } })
          groups[facts, default: []].append(Record(key: record.key, fields: fields))
        }
      }
      for (facts, records) in groups.sorted(by: {
        ($0.key?.time ?? -.infinity) < ($1.key?.time ?? -.infinity)
      }) {
        for start in stride(from: 0, to: records.count, by: 500) {
          let batch = Array(records[start..<min(start + 500, records.count)])
          try await reader.merge(RecordSet(batch), from: facts)
        }
      }
    #else
      throw CacheLocation.needsRedis
    #endif
  }
}
