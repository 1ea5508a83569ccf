/// The known fields of one object, from any number of responses.
///
/// ```swift
/// let record = Record(key: "Human:1000", fields: ["name": "Luke", "height(unit:\"FOOT\")": 5.6])
/// ```
public struct Record: Hashable, Sendable {
  /// The key of the object.
  public let key: RecordKey
  /// The known fields of the object.
  public var fields: FieldMap

  /// Creates a record.
  public init(key: RecordKey, fields: FieldMap = FieldMap()) {
    self.key = key
    self.fields = fields
  }

  /// The value of a field, or `nil` if it is not known. Assigning `nil` removes the field.
  public subscript(field: FieldKey) -> CacheValue? {
    get { fields[field] }
    set { fields[field] = newValue }
  }
}

extension Record {
  /// Merges newer fields of the same object, as every cache of this package does.
  ///
  /// - A field absent from `incoming` is kept; `null` overwrites.
  /// - Embedded objects are merged field by field, and lists of them element by element.
  /// - A failure never replaces a known value.
  ///
  /// - Parameters:
  ///   - incoming: The newer fields. Its key is ignored.
  ///   - changes: The set to which the changed fields are added.
  public mutating func merge(_ incoming: Record, noting changes: inout ChangeSet) {
    var merger = RecordMerger()
    if let changed = merger.merge(incoming.fields, into: &fields) {
      changes.insert(changed, of: key)
    }
  }
}

extension Record: CustomStringConvertible {
  /// The key and the fields, for logs.
  public var description: String { "\(key) \(fields)" }
}

/// Records to merge into a cache, in order.
///
/// ```swift
/// let records: RecordSet = ["Human:1000": ["name": "Luke"], "Droid:2001": ["name": "R2-D2"]]
/// try await store.publish(records)
/// ```
///
/// A record may be partial, and a key may occur more than once.
public struct RecordSet: Hashable, Sendable {
  /// The records in the order in which they are merged.
  public private(set) var records: [Record]

  /// Creates a set of these records.
  public init(_ records: some Sequence<Record> = []) {
    self.records = Array(records)
  }

  /// Adds a record, which is merged after the others.
  public mutating func append(_ record: Record) {
    records.append(record)
  }

  /// Changes each record.
  package mutating func update(_ body: (inout Record) -> Void) {
    for index in records.indices { body(&records[index]) }
  }
}

extension RecordSet: RandomAccessCollection {
  /// The position of the first record: 0.
  public var startIndex: Int { records.startIndex }
  /// The position after the last record.
  public var endIndex: Int { records.endIndex }
  /// The record at a position.
  public subscript(position: Int) -> Record { records[position] }
}

extension RecordSet: ExpressibleByDictionaryLiteral {
  /// Creates a set of records from keys and fields.
  public init(dictionaryLiteral elements: (RecordKey, FieldMap)...) {
    records = elements.map { Record(key: $0.0, fields: $0.1) }
  }
}
