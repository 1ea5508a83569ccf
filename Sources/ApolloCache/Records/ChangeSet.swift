/// What a write changed: fields of records, whole records, or everything.
public struct ChangeSet: Sendable {
  package struct Entry: Sendable {
    package var record: RecordKey
    package var fields: ChangedFields
  }
  package private(set) var entries: [Entry] = []

  /// Whether anything at all may have changed, as after a cache was cleared.
  public private(set) var includesEverything = false

  /// Nothing has changed.
  public init() {}

  /// Anything may have changed.
  public static let everything: ChangeSet = {
    var changes = ChangeSet()
    changes.includesEverything = true
    return changes
  }()

  /// Whether nothing has changed.
  public var isEmpty: Bool { entries.isEmpty && !includesEverything }

  /// Notes that one field changed.
  public mutating func insert(_ address: FieldAddress) {
    insert(.listed([address.field]), of: address.record)
  }

  /// Notes that a record came or went with all its fields.
  public mutating func insert(_ record: RecordKey) {
    insert(.all, of: record)
  }

  package mutating func insert(_ fields: ChangedFields, of record: RecordKey) {
    guard !includesEverything else { return }
    entries.append(Entry(record: record, fields: fields))
  }

  /// Adds the changes of another set.
  public mutating func formUnion(_ other: ChangeSet) {
    if includesEverything || other.includesEverything {
      self = .everything
    } else {
      entries += other.entries
    }
  }

  /// - Complexity: O(*n*) in the number of changed records.
  public func contains(_ address: FieldAddress) -> Bool {
    includesEverything
      || entries.contains { $0.record == address.record && $0.fields.contains(address.field) }
  }

  /// The single fields that changed. Records that came or went as a whole are in ``records`` only.
  public var addresses: Set<FieldAddress> {
    var addresses: Set<FieldAddress> = []
    for entry in entries {
      for field in entry.fields.listed {
        addresses.insert(FieldAddress(record: entry.record, field: field))
      }
    }
    return addresses
  }

  /// The records of which something changed.
  public var records: Set<RecordKey> {
    Set(entries.map(\.record))
  }
}

/// Which fields of one record changed.
package enum ChangedFields: Sendable {
  /// The record went, or may have changed in any way.
  case all
  /// The fields of a shape whose bit is set.
  case masked(RecordShape, UInt64)
  case listed([FieldKey])

  package func contains(_ field: FieldKey) -> Bool {
    switch self {
    case .all: true
    case .masked(let shape, let mask):
      shape.position(of: field).map { mask & (1 << $0) != 0 } ?? false
    case .listed(let fields): fields.contains(field)
    }
  }

  /// Whether there is no saying which fields changed.
  package var isAll: Bool {
    if case .all = self { true } else { false }
  }

  /// The fields, where there is saying which.
  package var listed: [FieldKey] {
    switch self {
    case .all: []
    case .masked(let shape, let mask):
      shape.fields.indices.filter { mask & (1 << $0) != 0 }.map { shape.fields[$0] }
    case .listed(let fields): fields
    }
  }

  /// Whether one of `shape`'s fields changed.
  package func intersects(_ shape: RecordShape) -> Bool {
    switch self {
    case .all: return true
    case .masked(let changed, let mask):
      if changed === shape { return mask != 0 }
      return changed.fields.indices.contains {
        mask & (1 << $0) != 0 && shape.position(of: changed.fields[$0]) != nil
      }
    case .listed(let fields): return fields.contains { shape.position(of: $0) != nil }
    }
  }
}
