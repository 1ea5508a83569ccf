package import ApolloAPI

/// Where a reader finds records: a table in memory, or any snapshot.
package protocol RecordSource {
  /// Whether it is worth to say which fields are wanted.
  static var canReadPartially: Bool { get }
  func fields(of key: RecordKey) throws -> FieldMap?
  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap?
  /// Whether a record is known to be this object, kept as it was decoded. (It may be where the answer
  /// is no.)
  func holds(_ object: ResponseObject, _ layout: RecordLayout, under key: RecordKey) -> Bool
  /// Hints that the records that are referred to are about to be read.
  func prepare(_ elements: [CacheValue]) throws
}

extension RecordTable: RecordSource {
  package static var canReadPartially: Bool { false }
  package func fields(of key: RecordKey, among wanted: [FieldKey]) -> FieldMap? { fields(of: key) }
  package func prepare(_ elements: [CacheValue]) {}
}

extension SnapshotSource {
  package func holds(_ object: ResponseObject, _ layout: RecordLayout, under key: RecordKey) -> Bool
  {
    false
  }
}

/// A snapshot that reads many records no faster than one after the other, so that it does not help
/// to say which come next.
package protocol PointReadingSnapshot: RecordSnapshot {}

/// A snapshot of any cache.
package struct SnapshotSource: RecordSource {
  package static var canReadPartially: Bool { true }
  private let snapshot: any RecordSnapshot
  private let isPreparedInVain: Bool

  package init(_ snapshot: any RecordSnapshot) {
    self.snapshot = snapshot
    isPreparedInVain = snapshot is any PointReadingSnapshot
  }

  package func fields(of key: RecordKey) throws -> FieldMap? {
    try snapshot.fields(of: key)
  }

  package func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try snapshot.fields(of: key, among: wanted)
  }

  package func prepare(_ elements: [CacheValue]) throws {
    guard !isPreparedInVain else { return }
    let keys = elements.compactMap { element -> RecordKey? in
      if case .reference(let key) = element { key } else { nil }
    }
    if keys.count > 1 { try snapshot.prepare(keys) }
  }
}
