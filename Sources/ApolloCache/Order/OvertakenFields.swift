internal import ApolloAPI

/// The fields of a record that a write has brought.
struct WrittenFields: Sendable {
  let key: RecordKey
  /// The fields, or `nil` if the record was removed, which concerns all of them.
  let shape: RecordShape?
  /// The values of those fields that have embedded objects, of which a write may bring a part.
  /// `nil` if there are none.
  let embedded: FieldMap?

  init(_ key: RecordKey, _ shape: RecordShape?, embedded: FieldMap? = nil) {
    self.key = key
    self.shape = shape
    self.embedded = embedded
  }

  /// The fields of a record, without those that failed.
  init(_ record: Record) {
    key = record.key
    let hasFailures = record.fields.contains { $0.value.isFailure }
    shape =
      hasFailures
      ? .of(record.fields.filter { !$0.value.isFailure }.map(\.key)) : record.fields.shape
    embedded = FieldMap(embeddedIn: record.fields, among: record.fields.map(\.key))
  }

  /// Returns the fields with those of a later write of the same shape, or `nil` if that has brought
  /// other fields, or other objects.
  func merging(_ later: WrittenFields) -> WrittenFields? {
    guard shape === later.shape, let embedded, var merged = later.embedded,
      embedded.count == merged.count
    else { return nil }
    for (field, value) in embedded {
      guard let newer = merged[field], let both = value.merging(newer) else { return nil }
      merged[field] = both
    }
    return WrittenFields(key, shape, embedded: merged)
  }

  /// The fields of an object.
  init(_ object: NormalizedObject) {
    key = object.key
    shape = object.writtenFields
    let fields = object.layout.objectFields.map { object.layout.fields[$0].key }
    embedded = fields.isEmpty ? nil : FieldMap(embeddedIn: object.record.fields, among: fields)
  }
}

extension WrittenFields: Hashable {
  static func == (left: WrittenFields, right: WrittenFields) -> Bool {
    left.key == right.key && left.shape === right.shape && left.embedded == right.embedded
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(shape.map { ObjectIdentifier($0) })
  }
}

/// The fields of a response that newer writes have overtaken.
struct OvertakenFields: Sendable {
  /// The overtaken fields of each record. Of embedded objects, the value is what newer writes have
  /// brought: the rest of the response's value stays. It is `nil` if they have brought none.
  private var newer: [RecordKey: [FieldKey: CacheValue?]] = [:]

  /// The commits under way that bring some of the newer values.
  private(set) var commits: Set<UInt64> = []
  /// The fields that these commits bring.
  private var expected: [RecordKey: Set<FieldKey>] = [:]

  var isEmpty: Bool { newer.isEmpty }
  var keys: some Collection<RecordKey> { newer.keys }

  /// Returns the overtaken fields of a record.
  func fields(of key: RecordKey) -> Set<FieldKey> { newer[key].map { Set($0.keys) } ?? [] }

  /// Returns whether newer writes have brought the value to which fields lead in a record, or an
  /// object around it.
  func contains(_ way: [FieldKey], of key: RecordKey) -> Bool {
    guard let field = way.first, let found = newer[key]?[field] else { return false }
    guard var value = found else { return true }
    for field in way.dropFirst() {
      guard case .object(let fields) = value else { return true }
      guard let inner = fields[field] else { return false }
      value = inner
    }
    return true
  }

  init() {}

  /// The fields that newer writes have brought, of which the later ones are above the earlier ones.
  init(_ fields: [NewerField]) {
    for field in fields.sorted(by: { $0.position < $1.position }) { insert(field) }
  }

  private mutating func insert(_ found: NewerField) {
    if let commit = found.commit {
      commits.insert(commit)
      expected[found.key, default: []].insert(found.field)
    }
    var merged = found.value
    if let known = newer[found.key]?[found.field] {
      merged = if let known, let value = found.value { known.merging(value) } else { nil }
    }
    newer[found.key, default: [:]].updateValue(merged, forKey: found.field)
  }

  /// Returns the values of a response that count as overtaken by commits under way.
  func leftOut(of records: some Sequence<Record>) -> LeftOutValues {
    guard !commits.isEmpty else { return LeftOutValues() }
    let records = records.compactMap { record -> Record? in
      guard let fields = expected[record.key] else { return nil }
      let leftOut = fields.compactMap { field in record.fields[field].map { (field, $0) } }
      return leftOut.isEmpty ? nil : Record(key: record.key, fields: FieldMap(leftOut))
    }
    return records.isEmpty
      ? LeftOutValues() : LeftOutValues(records: RecordSet(records), commits: commits)
  }

  /// Removes what newer writes have brought from a record.
  ///
  /// Of embedded objects, the other fields stay. The record is merged into the cache, which has the
  /// newer ones or will get them. Their values are not written again: by now, there may be still
  /// newer ones, or the commit that brings them may fail.
  ///
  /// `current` returns the value of a field that takes the place of what is removed, or `nil` to
  /// leave that out.
  func remove(from record: inout Record, orUse current: (FieldKey) -> CacheValue? = { _ in nil }) {
    for (field, value) in newer[record.key] ?? [:] {
      guard let old = record.fields[field] else { continue }
      let current = current(field)
      // A removal has brought nothing. Of what came after it, only the parts of the record matter.
      record.fields[field] =
        if let value { old.replacing(value, by: current) } else {
          current.flatMap { old.replacing(old, by: $0) }
        }
    }
  }
}

extension FieldMap {
  /// The values with embedded objects among some fields, or `nil` if there are none.
  init?(embeddedIn fields: FieldMap, among keys: [FieldKey]) {
    let embedded = keys.compactMap { key in
      fields[key].flatMap { $0.hasEmbeddedObjects ? (key, $0) : nil }
    }
    guard !embedded.isEmpty else { return nil }
    self.init(embedded)
  }
}
