package import ApolloCache
internal import Foundation

/// One transaction that merges records into a cache file, with the writes that their fields are
/// from.
///
/// ```swift
/// try CacheFileImport.run(path: path) { file in
///   try file.merge("User:1", ["name": "Ada"], writes: ["name": WriteFacts(…)], lastUse: nil)
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
    var configuration = SQLiteNormalizedCache.Configuration()
    configuration.replacesUnusableFile = false
    // Another reader is not kept waiting for the whole file to be checked.
    configuration.checksIntegrity = false
    do {
      if FileManager.default.fileExists(atPath: path),
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int != 0
      {
        _ = try CacheFileReader(path: path)  // reports a file of another kind or version
      }
      let file = DatabaseFile(path: path, settings: configuration.ofFile, schema: .current)
      let database = try file.openForWriting()
      return try database.transaction {
        var importing = CacheFileImport(rows: RecordRows(database))
        return try body(&importing)
      }
    } catch let error as SQLiteError {
      throw error.isBusy ? CacheFileError.locked(path: path) : .failed(path: path, error)
    }
  }

  private init(rows: RecordRows) { self.rows = rows }

  /// The write of values that replace others, if nothing is known about theirs.
  private let replacing = WriteFacts(
    time: Date().timeIntervalSince1970, operationName: nil, maxAge: nil)

  /// Merges a record.
  ///
  /// - Parameters:
  ///   - key: The key of the record.
  ///   - fields: The fields.
  ///   - writes: The facts about the write of each field, as far as they are known.
  ///   - lastUse: The time of the last use in seconds since 1970.
  /// - Throws: ``SQLiteError``
  package mutating func merge(
    _ key: RecordKey, _ fields: FieldMap, writes: [FieldKey: WriteFacts], lastUse: Int64?
  ) throws {
    // All fields of most records are from one write. Of a value that replaces another one, the time
    // of the import is known: it must not have the age of the former value.
    let known = try rows.fields(of: key, among: fields.keys) ?? FieldMap()
    let groups = Dictionary(grouping: fields.keys) { field in
      writes[field] ?? (known[field].map { $0 != fields[field] } == true ? replacing : nil)
    }
    var table: RecordTable?
    for (facts, keys) in groups.sorted(by: { Self.order($0.key) < Self.order($1.key) }) {
      let part =
        groups.count == 1
        ? fields : FieldMap(keys.compactMap { key in fields[key].map { (key, $0) } })
      if let facts { try resume(facts) } else { rows.stamps.end() }
      _ = try rows.merge(RecordSet([Record(key: key, fields: part)]), keeping: &table)
      let failed = part.filter { $0.value.containsFailure }.map(\.key)
      if facts != nil, !failed.isEmpty { try rows.stamp(failed, of: key) }
    }
    if groups.isEmpty {
      _ = try rows.merge(RecordSet([Record(key: key, fields: fields)]), keeping: &table)
    }
    rows.stamps.end()
    if let lastUse { try rows.note(uses: [key], at: lastUse) }
  }

  private static func order(_ facts: WriteFacts?) -> Double { facts?.time ?? -.infinity }

  /// Continues the write with these facts, or begins it.
  private mutating func resume(_ facts: WriteFacts) throws {
    if let number = numbers[facts] {
      rows.stamps.resume(number)
    } else {
      numbers[facts] = try rows.stamps.begin(PendingWrite(facts, .all))
    }
  }
}
