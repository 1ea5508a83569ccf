/// The changes of a write: fields of records, whole records, or everything.
///
/// A cache of your own returns them from its writing methods:
///
/// ```swift
/// var changes = ChangeSet()
/// changes.insert(FieldAddress(record: "Book:7", field: "title"))
/// changes.insert("Book:8")
/// return changes
/// ```
public struct ChangeSet: Sendable {
  package struct Entry: Sendable {
    package var record: RecordKey
    package var fields: ChangedFields
  }
  package private(set) var entries: [Entry] = []

  /// Indicates whether any field may have changed, as after a cache was cleared.
  public private(set) var includesEverything = false

  /// Creates an empty set.
  public init() {}

  /// The set in which any field may have changed.
  public static let everything: ChangeSet = {
    var changes = ChangeSet()
    changes.includesEverything = true
    return changes
  }()

  /// Indicates whether nothing changed.
  public var isEmpty: Bool { entries.isEmpty && !includesEverything }

  /// Adds a field.
  public mutating func insert(_ address: FieldAddress) {
    insert(.listed([address.field]), of: address.record)
  }

  /// Adds a record that was created or removed with all its fields.
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

  /// Returns whether a field may have changed.
  ///
  /// - Complexity: O(*n*) in the number of changed records.
  public func contains(_ address: FieldAddress) -> Bool {
    includesEverything
      || entries.contains { $0.record == address.record && $0.fields.contains(address.field) }
  }

  /// The single fields that changed. Records that were created or removed as a whole are only in
  /// ``records``.
  public var addresses: Set<FieldAddress> {
    var addresses: Set<FieldAddress> = []
    for entry in entries {
      for field in entry.fields.listed {
        addresses.insert(FieldAddress(record: entry.record, field: field))
      }
    }
    return addresses
  }

  /// The records with a change.
  public var records: Set<RecordKey> {
    Set(entries.map(\.record))
  }
}

/// The changed fields of one record.
package enum ChangedFields: Sendable {
  /// All fields: the record was removed, or may have changed in any way.
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

  /// Indicates whether any field may have changed.
  package var isAll: Bool {
    if case .all = self { true } else { false }
  }

  /// The single fields that changed. Empty if any may have changed.
  package var listed: [FieldKey] {
    switch self {
    case .all: []
    case .masked(let shape, let mask):
      shape.fields.indices.filter { mask & (1 << $0) != 0 }.map { shape.fields[$0] }
    case .listed(let fields): fields
    }
  }

  /// Returns whether one of `shape`'s fields changed.
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
