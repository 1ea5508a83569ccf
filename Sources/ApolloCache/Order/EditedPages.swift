/// Fields of records that have pages of lists, or embedded objects with pages inside.
struct EditedPages: Sendable {
  private(set) var fields: [RecordKey: Set<FieldKey>] = [:]
  /// The pages inside of embedded objects: what leads to them, and `null` for all of a page.
  private(set) var parts: [RecordKey: FieldMap] = [:]
  /// The values that other changes have brought of fields with such parts. ``fields`` does not have
  /// these.
  private(set) var beside: [RecordKey: FieldMap] = [:]

  var isEmpty: Bool { fields.isEmpty && beside.isEmpty }

  func contains(_ field: FieldKey, of key: RecordKey) -> Bool {
    fields[key]?.contains(field) ?? false
  }

  /// Adds whole fields.
  mutating func insert(_ new: some Sequence<FieldKey>, of key: RecordKey) {
    for field in new {
      fields[key, default: []].insert(field)
      parts[key]?[field] = nil
      beside[key]?[field] = nil
    }
  }

  /// Adds a part of the object that a field embeds.
  ///
  /// `other`: What other changes have brought of the field, or `nil` for nothing.
  mutating func insert(
    _ part: CacheValue, _ field: FieldKey, of key: RecordKey, beside other: CacheValue? = nil
  ) {
    let known = parts[key]?[field]
    if let other {
      beside[key, default: FieldMap()][field] = other
    } else {
      let isNew = fields[key, default: []].insert(field).inserted
      guard isNew || known != nil else { return }  // the whole field is there
    }
    parts[key, default: FieldMap()][field] = known?.merging(part) ?? part
  }

  /// Notes that other changes have written fields of a record. Those with parts keep them, unless
  /// another value takes the place of the object.
  mutating func merge(_ values: FieldMap, of key: RecordKey) {
    for (field, value) in values {
      guard parts[key]?[field] != nil, case .object = value else {
        remove(CollectionOfOne(field), of: key)
        continue
      }
      fields[key]?.remove(field)
      beside[key, default: FieldMap()][field] = beside[key]?[field]?.merging(value) ?? value
    }
  }

  /// Removes fields with all of their parts.
  mutating func remove(_ others: some Sequence<FieldKey>, of key: RecordKey) {
    guard fields[key] != nil || beside[key] != nil else { return }
    for field in others {
      fields[key]?.remove(field)
      parts[key]?[field] = nil
      beside[key]?[field] = nil
    }
  }

  /// The fields of each record.
  var shapes: [RecordKey: RecordShape] {
    fields.filter { !$0.value.isEmpty }.mapValues { .of($0.sorted()) }
  }

  /// The fields as the order of requests notes them.
  var written: [WrittenFields] {
    shapes.map { WrittenFields($0, $1, embedded: parts[$0]) }
  }
}
