/// What is known of one object: its key, and fields that any number of responses told.
public struct Record: Hashable, Sendable {
  /// The identity of the object.
  public let key: RecordKey
  /// The known fields of the object.
  public var fields: FieldMap

  /// Makes a record.
  public init(key: RecordKey, fields: FieldMap = FieldMap()) {
    self.key = key
    self.fields = fields
  }

  /// The value of a field, or nil where it is not known. Assigning nil removes the field.
  public subscript(field: FieldKey) -> CacheValue? {
    get { fields[field] }
    set { fields[field] = newValue }
  }
}

extension Record {
  /// Merges what a response tells of the same object, as every cache of this package does, and
  /// notes what changed.
  ///
  /// - A field absent from `incoming` is kept; `null` overwrites.
  /// - Embedded objects are merged field by field, lists of them element by element.
  /// - A failure replaces nothing that is known.
  ///
  /// - Parameters:
  ///   - incoming: what is told. Its key is not looked at.
  ///   - changes: where to note the fields whose values changed.
  public mutating func merge(_ incoming: Record, noting changes: inout ChangeSet) {
    var merger = RecordMerger()
    if let changed = merger.merge(incoming.fields, into: &fields) {
      changes.insert(changed, of: key)
    }
  }
}

extension Record: CustomStringConvertible {
  /// Key and fields, for people.
  public var description: String { "\(key) \(fields)" }
}

/// Records to be merged into a cache, one after the other.
///
/// A record may be partial, and a key may occur more than once.
public struct RecordSet: Hashable, Sendable {
  /// The records in the order in which they are merged.
  public private(set) var records: [Record]

  /// Makes a set of these records.
  public init(_ records: some Sequence<Record> = []) {
    self.records = Array(records)
  }

  /// Adds a record, to be merged after the others.
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
  /// Makes a set of records from keys and fields.
  public init(dictionaryLiteral elements: (RecordKey, FieldMap)...) {
    records = elements.map { Record(key: $0.0, fields: $0.1) }
  }
}
