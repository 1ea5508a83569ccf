/// The fields that a result was read from, and those that it looked for in vain.
///
/// As long as none of them changes, reading again gives the same result.
public struct Dependencies: Sendable {
  package struct Entry: Hashable, Sendable {
    package var record: RecordKey
    package var fields: RecordShape
  }
  /// What was read.
  private var listed: [Entry] = []
  /// What a response told; entries are made of it when somebody asks.
  private var told: [NormalizedObject] = []

  /// Depends on nothing.
  public init() {}

  package init(_ records: RecordSet) {
    listed = records.map { Entry(record: $0.key, fields: $0.fields.shape) }
  }

  init(_ told: [NormalizedObject]) {
    self.told = told
  }

  package var entries: [Entry] {
    guard !told.isEmpty else { return listed }
    return listed + told.lazy.map { Entry(record: $0.key, fields: $0.layout.shape) }
  }

  /// Adds single fields.
  public init(_ addresses: some Sequence<FieldAddress>) {
    for (record, fields) in Dictionary(grouping: Set(addresses), by: \.record) {
      insert(.of(fields.map(\.field).sorted()), of: record)
    }
  }

  package mutating func insert(_ fields: RecordShape, of record: RecordKey) {
    listed.append(Entry(record: record, fields: fields))
  }

  /// Adds the dependencies of another reading.
  public mutating func formUnion(_ other: Dependencies) {
    listed += other.entries
  }

  /// Whether nothing was read.
  public var isEmpty: Bool { listed.isEmpty && told.isEmpty }

  /// Each single field.
  /// - Complexity: O(*n*) in the number of fields. The store itself never asks.
  public var addresses: Set<FieldAddress> {
    var addresses: Set<FieldAddress> = []
    for entry in entries {
      for field in entry.fields.fields {
        addresses.insert(FieldAddress(record: entry.record, field: field))
      }
    }
    return addresses
  }
}

extension FieldMap {
  fileprivate var shape: RecordShape {
    switch storage {
    case .object(let object): object.shape
    case .shaped(let shape, _): shape
    case .overflow: .of(keys)
    }
  }
}

/// Dependencies, indexed so that a change asks only for the records it touched.
package struct DependencyIndex: Sendable {
  private let fields: [RecordKey: [RecordShape]]

  package init(_ dependencies: Dependencies) {
    fields = Dictionary(grouping: dependencies.entries, by: \.record)
      .mapValues { Array(Set($0.map(\.fields))) }
  }

  /// - Complexity: O(*n*) in the number of changed records.
  package func intersects(_ changes: ChangeSet) -> Bool {
    changes.includesEverything
      || changes.entries.contains { change in
        fields[change.record]?.contains { change.fields.intersects($0) } ?? false
      }
  }
}
