internal import ApolloAPI

/// The fields that a part of a response has brought, and those before it.
package struct ResponsePart: Sendable {
  private let records: [RecordKey: FieldMap]
  /// The other values of objects that occur at several paths, which the server may have read at
  /// different times.
  private let otherValues: [RecordKey: [FieldKey: Set<CacheValue>]]
  /// The values that were inserted or deleted because of directives.
  let editedPlaces: Set<EditedPlace>

  package init(_ response: NormalizedResponse) {
    let occurrences = response.records
    records = occurrences.merged
    otherValues = occurrences.values(differingFrom: records)
    editedPlaces = response.listChanges.reduce(into: []) { $0.formUnion($1.places) }
  }

  /// Returns the fields of a record that have the same values in one of its occurrences here.
  func fields(equalIn record: Record) -> Set<FieldKey> {
    guard let known = records[record.key] else { return [] }
    let fields = known.fields(equalIn: record)
    guard let others = otherValues[record.key] else { return fields }
    return fields.union(
      record.fields.lazy.filter { others[$0.key]?.contains($0.value) ?? false }.map(\.key))
  }
}

extension RecordSet {
  /// The fields of each record, from all of its occurrences.
  var merged: [RecordKey: FieldMap] {
    var merger = RecordMerger()
    var merged: [RecordKey: FieldMap] = [:]
    for record in self {
      var fields = merged[record.key] ?? FieldMap()
      merger.merge(record.fields, into: &fields)
      merged[record.key] = fields
    }
    return merged
  }

  /// Returns the values of occurrences that are not those of merged records.
  fileprivate func values(
    differingFrom merged: [RecordKey: FieldMap]
  ) -> [RecordKey: [FieldKey: Set<CacheValue>]] {
    var values: [RecordKey: [FieldKey: Set<CacheValue>]] = [:]
    for record in self {
      guard let known = merged[record.key], known != record.fields else { continue }
      for (field, value) in record.fields where known[field] != value {
        values[record.key, default: [:]][field, default: []].insert(value)
      }
    }
    return values
  }

  /// Returns the records without the fields that older occurrences of the same record have, if it
  /// occurs more than once: of an object or a field that a model shows twice, one may be changed
  /// and the other not.
  func removingFields(ofOccurrencesIn old: RecordSet) -> RecordSet {
    let repeated = Dictionary(grouping: self, by: \.key).filter { $0.value.count > 1 }
    guard !repeated.isEmpty else { return self }
    let known = Dictionary(grouping: old.filter { repeated[$0.key] != nil }, by: \.key)
      .mapValues { Set($0) }
    var rest = self
    rest.update { record in
      for occurrence in known[record.key] ?? [] {
        record.fields.removeAll(occurrence.fields.fields(equalIn: record))
      }
    }
    return RecordSet(rest.filter { !$0.fields.isEmpty })
  }

  /// Returns the records without the fields that have the same values in others, also in embedded
  /// objects.
  func removingValues(of known: [RecordKey: FieldMap]) -> RecordSet {
    var rest = self
    rest.update { record in
      guard let known = known[record.key] else { return }
      record.fields = record.fields.removingValues(of: known)
    }
    return RecordSet(rest.filter { !$0.fields.isEmpty })
  }
}

extension FieldMap {
  /// Returns the fields with the type of an object, unless there are none. An object of another
  /// type does not get them then.
  fileprivate func keepingType(of object: FieldMap) -> FieldMap {
    var fields = self
    if !isEmpty, let type = object[.typename] { fields[.typename] = type }
    return fields
  }

  fileprivate func removingValues(of known: FieldMap) -> FieldMap {
    var rest = self
    rest.removeAll(Set(lazy.filter { known[$0.key] == $0.value }.map(\.key)))
    for (field, value) in rest {
      if let old = known[field] { rest[field] = value.removingValues(of: old) }
    }
    return rest
  }

  /// Returns the fields of a record that have the same values here.
  func fields(equalIn record: Record) -> Set<FieldKey> {
    Set(record.fields.lazy.filter { self[$0.key] == $0.value }.map(\.key))
  }
}

extension CacheValue {
  /// Returns the value without what the objects in it have in common with those of an older value
  /// with which it is merged.
  fileprivate func removingValues(of known: CacheValue) -> CacheValue {
    switch (self, known) {
    case (.object(let fields), .object(let known)) where !fields.isOfAnotherType(than: known):
      .object(fields.removingValues(of: known).keepingType(of: fields))
    case (.list(let elements), .list(let known)) where elements.count == known.count:
      // An edge of another node replaces the known one as a whole.
      .list(
        zip(elements, known).map {
          $0.isEdgeOfAnotherNode(than: $1) ? $0 : $0.removingValues(of: $1)
        })
    default: self
    }
  }
}
