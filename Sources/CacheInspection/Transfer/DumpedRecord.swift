internal import ApolloAPI
package import ApolloCache
internal import Foundation

/// A line of a dump: a record with the writes of its fields.
///
/// ```json
/// {"key":"User:1","fields":{"__typename":"User","name":"Ada"},"writes":[{"operation":"Me","time":1764262800.5}]}
/// ```
///
/// A write without `fields` is that of all fields. `time` is in seconds since 1970, `maxAge` in
/// seconds. The first line of a dump is `{"apolloCache":1}`, and the last one has the number of the
/// records between, such as `{"apolloCache":1,"records":3}`.
package struct DumpedRecord: Sendable {
  package var key: RecordKey
  package var fields: FieldMap
  package var writes: [FieldKey: WriteFacts]
  package var lastUse: Int64?

  /// The version of the form.
  static let version: Int64 = 1
  static let head = #"{"apolloCache":1}"#

  /// Returns the last line of a dump.
  static func end(_ count: Int) -> String { #"{"apolloCache":1,"records":\#(count)}"# }

  /// Takes over a record, or returns `nil` if its fields cannot be read.
  init?(_ record: StoredRecord) {
    guard let fields = record.fields else { return nil }
    self.key = record.key
    self.fields = fields
    writes = record.writes.filter { fields[$0.key] != nil }
    lastUse = record.lastUse
  }

  var line: JSONLine {
    var line = JSONLine()
    line.add("key", key.rawValue)
    line.add("fields", StoredValue.json(fields))
    if !writes.isEmpty {
      let groups = Dictionary(grouping: writes.keys) { writes[$0] }
      let sorted = groups.sorted {
        ($0.key?.time ?? 0, $0.key?.operationName ?? "")
          < ($1.key?.time ?? 0, $1.key?.operationName ?? "")
      }
      line.add(
        "writes",
        .array(
          sorted.compactMap { facts, keys in
            facts.map { Self.json($0, keys.count == fields.count ? nil : keys.sorted()) }
          }))
    }
    line.add("lastUse", lastUse.map(JSONValue.int))
    return line
  }

  private static func json(_ facts: WriteFacts, _ fields: [FieldKey]?) -> JSONValue {
    var members: [String: JSONValue] = ["time": .double(facts.time)]
    members["operation"] = facts.operationName.map(JSONValue.string)
    members["maxAge"] = facts.maxAge.map(JSONValue.double)
    members["fields"] = fields.map { .array($0.map { .string($0.rawValue) }) }
    return .object(members)
  }

  // MARK: - Reading

  /// A line of a dump.
  enum Line {
    case head
    case record(DumpedRecord)
    /// The last line, with the number of the records since the head.
    case end(Int64)

    /// Reads a line.
    ///
    /// - Throws: ``StoredValue/Problem``
    init(_ line: some Sequence<UInt8>) throws(StoredValue.Problem) {
      let json: JSONValue
      do {
        json = try JSONValue(jsonBytes: Data(line), limits: DumpedRecord.limits)
      } catch {
        throw StoredValue.Problem(description: "it is not JSON (\(error))")
      }
      guard case .object(let members) = json else {
        throw StoredValue.Problem(description: "it is no object")
      }
      guard let version = members["apolloCache"] else {
        self = .record(try DumpedRecord(members))
        return
      }
      guard version == .int(DumpedRecord.version) else {
        throw StoredValue.Problem(
          description: "the dump is of version \(version), and this apollo-cli reads version "
            + "\(DumpedRecord.version)")
      }
      switch members["records"] {
      case nil: self = .head
      case .int(let count)?: self = .end(count)
      default: throw StoredValue.Problem(description: "'records' is no whole number")
      }
    }
  }

  /// A response may have 512 levels. In a dump, its custom scalars are a few levels deeper.
  private static let limits = ResponseLimits(depth: 576)

  private init(_ members: [String: JSONValue]) throws(StoredValue.Problem) {
    guard case .string(let key)? = members["key"], let fields = members["fields"] else {
      throw StoredValue.Problem(description: "it needs a 'key' and 'fields'")
    }
    self.key = RecordKey(key)
    self.fields = try StoredValue.fields(fields)
    writes = [:]
    switch members["lastUse"] {
    case .int(let time)?: lastUse = time
    case nil: lastUse = nil
    default: throw StoredValue.Problem(description: "'lastUse' is no whole number")
    }
    try readWrites(members["writes"])
  }

  private mutating func readWrites(_ json: JSONValue?) throws(StoredValue.Problem) {
    guard let json else { return }
    guard case .array(let elements) = json else {
      throw StoredValue.Problem(description: "'writes' is no list")
    }
    for element in elements {
      guard let time = element["time"]?.doubleValue, time.isFinite else {
        throw StoredValue.Problem(description: "a write needs a 'time' in seconds since 1970")
      }
      let maxAge = element["maxAge"]
      guard maxAge == nil || maxAge?.doubleValue != nil else {
        throw StoredValue.Problem(description: "the 'maxAge' of a write is no number of seconds")
      }
      let operation = element["operation"]
      guard operation == nil || operation?.stringValue != nil else {
        throw StoredValue.Problem(description: "the 'operation' of a write is no name")
      }
      let facts = WriteFacts(
        time: time, operationName: operation?.stringValue, maxAge: maxAge?.doubleValue)
      var keys = fields.keys
      if let names = element["fields"] {
        let texts = names.arrayValue?.map(\.stringValue)
        guard let texts, !texts.contains(nil) else {
          throw StoredValue.Problem(description: "the 'fields' of a write are no list of names")
        }
        keys = texts.compactMap { $0 }.map { FieldKey($0) }
      }
      for key in keys {
        guard fields[key] != nil else {
          throw StoredValue.Problem(
            description: "a write names the field '\(key)', which the record does not have")
        }
        writes[key] = facts
      }
    }
  }
}
