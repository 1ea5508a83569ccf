/// What is known of one object: its key, and fields that any number of responses told.
public struct Record: Hashable, Sendable {
  public let key: RecordKey
  public var fields: FieldMap

  public init(key: RecordKey, fields: FieldMap = FieldMap()) {
    self.key = key
    self.fields = fields
  }

  public subscript(field: FieldKey) -> CacheValue? {
    get { fields[field] }
    set { fields[field] = newValue }
  }
}

extension Record: CustomStringConvertible {
  public var description: String { "\(key) \(fields)" }
}

/// Records to be merged into a cache, one after the other.
///
/// A record may be partial, and a key may occur more than once.
public struct RecordSet: Hashable, Sendable {
  public private(set) var records: [Record]

  public init(_ records: some Sequence<Record> = []) {
    self.records = Array(records)
  }

  public mutating func append(_ record: Record) {
    records.append(record)
  }

  /// Changes each part of a record.
  package mutating func update(_ key: RecordKey, _ body: (inout FieldMap) -> Void) {
    for index in records.indices where records[index].key == key { body(&records[index].fields) }
  }
}

extension RecordSet: RandomAccessCollection {
  public var startIndex: Int { records.startIndex }
  public var endIndex: Int { records.endIndex }
  public subscript(position: Int) -> Record { records[position] }
}

extension RecordSet: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (RecordKey, FieldMap)...) {
    records = elements.map { Record(key: $0.0, fields: $0.1) }
  }
}
