/// The fields that a result was read from, including those that were missing.
///
/// Reading again gives the same result as long as none of them changes.
package struct Dependencies: Sendable {
  package struct Entry: Hashable, Sendable {
    package var record: RecordKey
    package var fields: RecordShape
  }
  /// The fields that were read.
  private var listed: [Entry] = []
  /// The objects of a response. Entries are made of them on demand.
  private var objects: [NormalizedObject] = []

  /// Creates empty dependencies.
  package init() {}

  package init(_ records: RecordSet) {
    listed = records.map { Entry(record: $0.key, fields: $0.fields.shape) }
  }

  init(_ objects: [NormalizedObject]) {
    self.objects = objects
  }

  package var entries: [Entry] {
    guard !objects.isEmpty else { return listed }
    return listed + objects.lazy.map { Entry(record: $0.key, fields: $0.layout.shape) }
  }

  /// Creates dependencies on single fields.
  package init(_ addresses: some Sequence<FieldAddress>) {
    for (record, fields) in Dictionary(grouping: Set(addresses), by: \.record) {
      insert(.of(fields.map(\.field).sorted()), of: record)
    }
  }

  package mutating func insert(_ fields: RecordShape, of record: RecordKey) {
    listed.append(Entry(record: record, fields: fields))
  }

  /// Adds the dependencies of another reading.
  package mutating func formUnion(_ other: Dependencies) {
    listed += other.entries
  }

  /// Indicates whether there are no dependencies.
  package var isEmpty: Bool { listed.isEmpty && objects.isEmpty }

  /// The single fields, for tests.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  package var addresses: Set<FieldAddress> {
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

/// Dependencies by record, so that a change is compared only with the records that it changed.
package struct DependencyIndex: Sendable {
  private let fields: [RecordKey: [RecordShape]]

  package init(_ dependencies: Dependencies) {
    fields = Dictionary(grouping: dependencies.entries, by: \.record)
      .mapValues { Array(Set($0.map(\.fields))) }
  }

  /// Returns whether one of the changes concerns one of the dependencies.
  ///
  /// - Complexity: O(*n*) in the number of changed records.
  package func intersects(_ changes: ChangeSet) -> Bool {
    changes.includesEverything
      || changes.entries.contains { change in
        fields[change.record]?.contains { change.fields.intersects($0) } ?? false
      }
  }
}
