/// The fields that a result was read from, including those that were missing.
///
/// Reading again gives the same result as long as none of them changes.
package struct Dependencies: Sendable {
  package struct Entry: Hashable, Sendable {
    package let record: RecordKey
    private let source: Source

    fileprivate init(record: RecordKey, _ source: Source) {
      self.record = record
      self.source = source
    }

    /// The fields of the record.
    package var fields: RecordShape {
      switch source {
      case .shape(let shape): shape
      case .layout(let layout): layout.shape
      }
    }

    /// The layout that the fields were read with, or `nil` if they were not read as an object.
    var layout: RecordLayout? {
      if case .layout(let layout) = source { layout } else { nil }
    }

    /// Entries with equal fields are equal, whatever they were read with.
    package static func == (left: Entry, right: Entry) -> Bool {
      left.record == right.record && left.fields === right.fields
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(record)
      hasher.combine(fields)
    }
  }

  fileprivate enum Source: Sendable {
    case shape(RecordShape)
    case layout(RecordLayout)
  }

  /// The fields that were read, besides those of the parts.
  private(set) var listed: [Entry] = []
  /// The entries of each later page of a merged list, one part for each page.
  package private(set) var parts: [DependencyPart] = []
  /// The objects of a response. Entries are made of them on demand.
  private var objects: [NormalizedObject] = []

  /// The fingerprint of the fields.
  private(set) var fingerprint = FieldsFingerprint()

  /// Creates empty dependencies.
  package init() {}

  /// Creates dependencies on all fields of records, for tests.
  package init(_ records: RecordSet) { self.init(records, of: []) }

  /// Creates the dependencies of a response whose records are not those of its objects.
  ///
  /// A record of which only values were replaced, such as nulls by failures, has the layout of its
  /// object.
  init(_ records: RecordSet, of objects: [NormalizedObject]) {
    let areInOrder = records.count == objects.count
    for (index, record) in records.enumerated() {
      let shape = record.fields.shape
      if areInOrder, objects[index].key == record.key, objects[index].layout.shape === shape {
        insert(objects[index].layout, of: record.key)
      } else {
        insert(shape, of: record.key)
      }
    }
  }

  /// Creates the dependencies of a response, whose fields have this fingerprint.
  init(_ objects: [NormalizedObject], _ fingerprint: FieldsFingerprint) {
    self.objects = objects
    self.fingerprint = fingerprint
  }

  var isEmpty: Bool { listed.isEmpty && objects.isEmpty && parts.isEmpty }

  package var entries: [Entry] {
    guard !objects.isEmpty || !parts.isEmpty else { return listed }
    return parts.reduce(into: unsharedEntries) { $0 += $1.entries }
  }

  /// The entries that are in no part.
  var unsharedEntries: [Entry] {
    guard !objects.isEmpty else { return listed }
    return listed + objects.lazy.map { Entry(record: $0.key, .layout($0.layout)) }
  }

  /// The same dependencies, without the objects of the response, which they keep alive.
  ///
  /// - Complexity: O(*n*) in the number of records.
  var withoutObjects: Dependencies {
    guard !objects.isEmpty else { return self }
    var copy = self
    copy.listed = unsharedEntries
    copy.objects = []
    return copy
  }

  /// Creates dependencies on single fields, for tests.
  package init(_ addresses: some Sequence<FieldAddress>) {
    for (record, fields) in Dictionary(grouping: Set(addresses), by: \.record) {
      insert(.of(fields.map(\.field).sorted()), of: record)
    }
  }

  package mutating func insert(_ fields: RecordShape, of record: RecordKey) {
    listed.append(Entry(record: record, .shape(fields)))
    fingerprint.insert(fields, of: record)
  }

  /// Adds the fields of an object that was read.
  mutating func insert(_ layout: RecordLayout, of record: RecordKey) {
    listed.append(Entry(record: record, .layout(layout)))
    fingerprint.insert(layout.shape, of: record)
  }

  /// The number of entries of fields that were read, besides those of the parts.
  var listedCount: Int { listed.count }

  /// Makes a part of the entries from an index on.
  mutating func makePart(from index: Int) -> DependencyPart {
    let part = DependencyPart(Array(listed[index...]))
    listed.removeSubrange(index...)
    parts.append(part)
    return part
  }

  /// Adds what an earlier reading has read.
  mutating func insert(_ part: DependencyPart) {
    parts.append(part)
    fingerprint.formUnion(part.fingerprint)
  }

  /// Makes entries those of fields that were not read as objects: the result does not have them,
  /// and must be read again when they change.
  mutating func removeLayouts(from index: Int) {
    for index in index..<listed.count {
      listed[index] = Entry(record: listed[index].record, .shape(listed[index].fields))
    }
  }

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
  /// The shape of the fields. There may be too many of them for a record.
  package var shape: RecordShape {
    switch storage {
    case .object(let object): object.shape
    case .shaped(let shape, _): shape
    case .overflow: .of(keys)
    }
  }
}
