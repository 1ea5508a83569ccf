internal import ApolloAPI
internal import ApolloCache
internal import Foundation

/// The lines of JSON that describe records.
struct RecordDescription {
  /// The time from which ages are counted, in seconds since 1970.
  let now: Double

  init(now: Double = Date().timeIntervalSince1970) { self.now = now }

  /// Describes a record in a list, without its values.
  func summary(_ entry: CacheIndex.Entry) -> JSONLine {
    var line = JSONLine()
    line.add("key", entry.key.rawValue)
    line.add("type", entry.typename)
    line.add("fields", entry.fieldCount)
    line.add("bytes", entry.byteCount)
    line.add("references", entry.references.count)
    line.add("referrers", entry.referrers.count)
    if let times = entry.times {
      line.add("age", age(times.upperBound))
      if times.lowerBound < times.upperBound { line.add("oldestAge", age(times.lowerBound)) }
    }
    if !entry.operations.isEmpty {
      line.add("operations", .array(entry.operations.map(JSONValue.string)))
    }
    line.add("lastUse", entry.lastUse.map { .string(Self.text(ofTime: Double($0))) })
    if entry.danglingCount > 0 { line.add("dangling", entry.danglingCount) }
    if !entry.isReadable { line.add("unreadable", JSONValue.bool(true)) }
    if !entry.isReachable { line.add("unreachable", JSONValue.bool(true)) }
    return line
  }

  /// Describes a record with all of its fields.
  func whole(_ record: StoredRecord, in index: CacheIndex) -> JSONLine {
    var line = JSONLine()
    line.add("key", record.key.rawValue)
    line.add("type", record.typename)
    line.add("bytes", record.byteCount)
    line.add("lastUse", record.lastUse.map { .string(Self.text(ofTime: Double($0))) })
    if index[record.key]?.isReachable == false { line.add("unreachable", JSONValue.bool(true)) }
    if let fields = record.fields {
      line.add(
        "fields",
        .array(
          fields.sorted { $0.key < $1.key }.map { key, value in
            field(key, value, record.writes[key], index).json
          }))
    }
    let findings = Finding.damage(of: record).map(\.line.json)
    if !findings.isEmpty { line.add("problems", .array(findings)) }
    line.add(
      "referrers",
      .array(
        index.references(to: record.key).map {
          ["key": .string($0.record.rawValue), "field": .string($0.field.rawValue)]
        }))
    return line
  }

  private func field(
    _ key: FieldKey, _ value: CacheValue, _ write: WriteFacts?, _ index: CacheIndex
  ) -> JSONLine {
    var line = JSONLine()
    let name = FieldName(key)
    line.add("field", key.rawValue)
    if let arguments = name.arguments {
      line.add("name", name.name)
      line.add("arguments", .object(arguments))
    }
    line.add("value", StoredValue.json(value))
    if let write {
      line.add("age", age(write.time))
      line.add("time", Self.text(ofTime: write.time))
      line.add("operation", write.operationName)
      line.add("maxAge", write.maxAge.map(JSONValue.double))
    }
    var dangling: Set<String> = []
    value.forEachReference { if index[$0] == nil { dangling.insert($0.rawValue) } }
    if !dangling.isEmpty {
      line.add("dangling", .array(dangling.sorted().map(JSONValue.string)))
    }
    return line
  }

  /// Returns an age in seconds with two digits behind the point.
  private func age(_ time: Double) -> JSONValue { .double(((now - time) * 100).rounded() / 100) }

  /// Returns a time as `2026-11-27T17:03:00Z`.
  static func text(ofTime seconds: Double) -> String {
    guard abs(seconds) < 1e11 else { return "\(seconds)" }
    return Date(timeIntervalSince1970: seconds).formatted(.iso8601)
  }
}
