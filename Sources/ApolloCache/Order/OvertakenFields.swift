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
  /// `current` returns the value of a field of which nothing stays, or `nil` to leave it out.
  func remove(from record: inout Record, orUse current: (FieldKey) -> CacheValue? = { _ in nil }) {
    for (field, value) in newer[record.key] ?? [:] {
      guard let old = record.fields[field] else { continue }
      record.fields[field] = value.flatMap { old.removing($0) } ?? current(field)
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

extension CacheValue {
  /// Indicates whether the value is an embedded object or a list with one.
  fileprivate var hasEmbeddedObjects: Bool {
    switch self {
    case .object: true
    case .list(let elements): elements.contains(where: \.hasEmbeddedObjects)
    default: false
    }
  }

  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }

  /// Returns the value without what newer objects in its place have, or `nil` if nothing stays.
  /// Nothing does if the newer value is another object, or a list of another length.
  fileprivate func removing(_ newer: CacheValue) -> CacheValue? {
    rest(beside: newer).flatMap { $0.hasFieldsOfObjects ? $0 : nil }
  }

  /// Does the same, with an empty object for one of which nothing stays.
  private func rest(beside newer: CacheValue) -> CacheValue? {
    switch (self, newer) {
    case (.object(let fields), .object(let others)) where !fields.isOfAnotherType(than: others):
      var rest = fields
      for (field, value) in others where field != .typename && !value.isFailure {
        if let own = rest[field] { rest[field] = own.removing(value) }
      }
      // The type is of use beside other fields, and to an object that has none yet.
      if rest.count == 1, others[.typename] != nil { rest[.typename] = nil }
      return .object(rest)
    case (.list(let elements), .list(let others)) where elements.count == others.count:
      var rest: [CacheValue] = []
      for (element, other) in zip(elements, others) {
        guard let own = element.rest(beside: other) else { return nil }
        rest.append(own)
      }
      return .list(rest)
    default: return nil
    }
  }

  /// Indicates whether an object in the value has a field.
  private var hasFieldsOfObjects: Bool {
    switch self {
    case .object(let fields): !fields.isEmpty
    case .list(let elements): elements.contains(where: \.hasFieldsOfObjects)
    default: false
    }
  }

  /// Returns the value with a newer one of the same embedded objects merged into it, or `nil` if
  /// the newer one is another object, or a list of another length.
  fileprivate func merging(_ newer: CacheValue) -> CacheValue? {
    switch (self, newer) {
    case (.object, .object): break
    case (.list(let elements), .list(let others)) where elements.count == others.count: break
    default: return nil
    }
    let field = FieldKey("value")
    var merger = RecordMerger()
    var merged = FieldMap([(field, self)])
    merger.merge(FieldMap([(field, newer)]), into: &merged)
    return merged[field]
  }
}
