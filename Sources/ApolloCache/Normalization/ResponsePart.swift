internal import ApolloAPI

/// The fields that a part of a response has brought, and those before it.
package struct ResponsePart: Sendable {
  private let records: [RecordKey: FieldMap]

  package init(_ response: NormalizedResponse) { records = response.records.merged }

  /// Returns the fields of a record that have the same values here.
  func fields(equalIn record: Record) -> Set<FieldKey> {
    records[record.key]?.fields(equalIn: record) ?? []
  }
}

extension RecordSet {
  /// The fields of each record, from all of its occurrences.
  fileprivate var merged: [RecordKey: FieldMap] {
    var merger = RecordMerger()
    var merged: [RecordKey: FieldMap] = [:]
    for record in self {
      var fields = merged[record.key] ?? FieldMap()
      merger.merge(record.fields, into: &fields)
      merged[record.key] = fields
    }
    return merged
  }

  /// Returns the records without the fields that have the same values in others.
  func removingValues(of others: RecordSet) -> RecordSet {
    let known = others.merged
    var rest = self
    rest.update { record in
      guard let equal = known[record.key]?.fields(equalIn: record), !equal.isEmpty else { return }
      record.fields.removeAll(equal)
    }
    return RecordSet(rest.filter { !$0.fields.isEmpty })
  }
}

extension FieldMap {
  /// Returns the fields of a record that have the same values here.
  func fields(equalIn record: Record) -> Set<FieldKey> {
    Set(record.fields.lazy.filter { self[$0.key] == $0.value }.map(\.key))
  }
}
