package import ApolloAPI

/// The records that an ``ObjectReader`` reads: a table in memory, the rows of a file, or any
/// snapshot.
package protocol RecordSource {
  /// Indicates whether reading some fields of a record can be cheaper than reading all of them.
  static var canReadPartially: Bool { get }

  /// Indicates whether records are rows, from which objects are made without a ``FieldMap`` in
  /// between.
  static var hasRows: Bool { get }

  /// Returns whether a record can be read now. If not, it must be loaded first.
  func isLoaded(_ key: RecordKey) -> Bool

  /// Returns the object of a record that is kept as it was decoded, which is valid while the source
  /// is. A source may return `nil` even if there is one.
  func kept(_ key: RecordKey) -> KeptObject?

  func fields(of key: RecordKey) throws -> FieldMap?
  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap?

  /// Returns `true` if a record is this very object, kept as it was decoded. A source may return
  /// `false` even if it is.
  func holds(_ object: ResponseObject, _ layout: RecordLayout, under key: RecordKey) -> Bool

  /// Announces that the records that `elements` refer to are read next.
  func prepare(_ elements: [CacheValue]) throws

  /// Reads the object of a record from its row.
  ///
  /// - Returns: The result, or `.fields` if the record is read from its fields instead.
  static func readRow(
    of key: RecordKey, at position: ObjectPosition, with reader: inout ObjectReader<Self>
  ) throws -> RowReadResult
}

extension RecordSource {
  package static var hasRows: Bool { false }
  package func isLoaded(_ key: RecordKey) -> Bool { true }
  package func kept(_ key: RecordKey) -> KeptObject? { nil }

  package static func readRow(
    of key: RecordKey, at position: ObjectPosition, with reader: inout ObjectReader<Self>
  ) -> RowReadResult {
    .fields
  }
}

extension RecordTable: RecordSource {
  package static var canReadPartially: Bool { false }
  package func fields(of key: RecordKey, among wanted: [FieldKey]) -> FieldMap? { fields(of: key) }
  package func prepare(_ elements: [CacheValue]) {}
}

/// The records of any snapshot.
package struct SnapshotSource: RecordSource {
  package static var canReadPartially: Bool { true }
  private let snapshot: any StoreSnapshot
  private let loadsInBatches: Bool
  private let table: RecordTable

  /// - Parameters:
  ///   - snapshot: The snapshot to read.
  ///   - table: The records of the snapshot that are in memory.
  package init(_ snapshot: any StoreSnapshot, table: RecordTable = RecordTable()) {
    self.snapshot = snapshot
    self.table = table
    loadsInBatches = snapshot.loadsInBatches
  }

  package func isLoaded(_ key: RecordKey) -> Bool { !loadsInBatches || snapshot.isLoaded(key) }

  package func holds(_ object: ResponseObject, _ layout: RecordLayout, under key: RecordKey) -> Bool
  {
    table.holds(object, layout, under: key)
  }

  package func fields(of key: RecordKey) throws -> FieldMap? {
    try snapshot.fields(of: key)
  }

  package func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try snapshot.fields(of: key, among: wanted)
  }

  package func prepare(_ elements: [CacheValue]) throws {
    guard !loadsInBatches else { return }  // the level is loaded as a whole
    let keys = elements.compactMap { element -> RecordKey? in
      if case .reference(let key) = element { key } else { nil }
    }
    if keys.count > 1 { try snapshot.prepare(keys) }
  }
}

extension StoreSnapshot {
  /// Reads a selection, as far as its records are loaded.
  ///
  /// - Parameters:
  ///   - request: The reading.
  ///   - table: The records of the snapshot that are in memory.
  /// - Returns: The result, or the records to load.
  /// - Throws: The errors of the cache.
  package func read(
    _ request: ReadRequest, withObjectsOf table: RecordTable
  ) throws -> ObjectReadResult {
    try ObjectReadResult(request, from: SnapshotSource(self, table: table))
  }

  /// Reads a selection from a table, which may lack records of this snapshot.
  ///
  /// - Parameters:
  ///   - request: The reading.
  ///   - table: Records of the snapshot.
  /// - Returns: The result, or `nil` if the table has not everything that the selection needs.
  /// - Throws: The errors of the cache.
  package func readWhole(
    _ request: ReadRequest, from table: RecordTable
  ) throws -> ObjectReadResult? {
    // A field that the table lacks may be in the snapshot, and so may the next page of a list. A
    // new plan knows only after the reading whether there are lists.
    func mayLackPages() -> Bool { request.plan.mergesPages && !request.readsPagesAlone }
    guard !request.allowsMissingFields, !mayLackPages() else { return nil }
    var own = request
    own.reuse = nil
    let result = try ObjectReadResult(own, from: table)
    guard !mayLackPages() else { return nil }
    return result.object == nil || !result.misses.isEmpty ? nil : result
  }

  package func readLoaded(_ request: ReadRequest) throws -> ObjectReadResult {
    try ObjectReadResult(request, from: SnapshotSource(self))
  }
}
