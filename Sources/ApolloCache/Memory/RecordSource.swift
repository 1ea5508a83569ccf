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

  /// Whether records are kept as rows, which objects can be made of without a ``FieldMap`` on the way.
  static var hasRows: Bool { get }
  /// Takes a copy of a row. Only where there are rows.
  func load(_ key: RecordKey, into buffer: RowBuffer) throws -> RowForm?
  /// What the numbers in rows stand for. Only where there are rows.
  var rowShapes: any RowShapes { get }
}

extension RecordSource {
  package static var hasRows: Bool { false }
  package func load(_ key: RecordKey, into buffer: RowBuffer) -> RowForm? { nil }
  package var rowShapes: any RowShapes { preconditionFailure("There are no rows.") }
}

extension RecordTable: RecordSource {
  package static var canReadPartially: Bool { false }
  package func fields(of key: RecordKey, among wanted: [FieldKey]) -> FieldMap? { fields(of: key) }
  package func prepare(_ elements: [CacheValue]) {}
}

/// A snapshot that reads many records no faster than one after the other, so that it does not help
/// to say which come next.
package protocol PointReadingSnapshot: RecordSnapshot {}

/// A snapshot of which some records are in memory, as they are in the cache.
package protocol TableBackedSnapshot: RecordSnapshot {
  var table: RecordTable { get }
}

/// A snapshot of any cache.
package struct SnapshotSource: RecordSource {
  package static var canReadPartially: Bool { true }
  private let snapshot: any RecordSnapshot
  private let isPreparedInVain: Bool
  private let table: RecordTable

  package init(_ snapshot: any RecordSnapshot) {
    self.snapshot = snapshot
    isPreparedInVain = snapshot is any PointReadingSnapshot
    table = (snapshot as? any TableBackedSnapshot)?.table ?? RecordTable()
  }

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
    guard !isPreparedInVain else { return }
    let keys = elements.compactMap { element -> RecordKey? in
      if case .reference(let key) = element { key } else { nil }
    }
    if keys.count > 1 { try snapshot.prepare(keys) }
  }
}

/// A snapshot of records that are kept as rows.
package protocol RowSnapshot: RecordSnapshot, RowShapes {
  /// Takes a copy of the row of a record.
  ///
  /// - Returns: how the record is kept; nil if there is no such record.
  func load(_ key: RecordKey, into buffer: RowBuffer) throws -> RowForm?
}

/// How the fields of a record are kept.
package enum RowForm {
  /// As one row.
  case whole
  /// As rows of their own, because there are too many for a shape.
  case overflow
}

/// The rows of a snapshot, for one reading.
package struct RowSource: RecordSource {
  package static var canReadPartially: Bool { true }
  package static var hasRows: Bool { true }
  private let snapshot: any RowSnapshot
  private let shapes: KnownShapes
  package var rowShapes: any RowShapes { shapes }

  package init(_ snapshot: any RowSnapshot) {
    self.snapshot = snapshot
    shapes = KnownShapes(snapshot)
  }

  package func load(_ key: RecordKey, into buffer: RowBuffer) throws -> RowForm? {
    try snapshot.load(key, into: buffer)
  }

  package func fields(of key: RecordKey) throws -> FieldMap? {
    try snapshot.fields(of: key)
  }

  package func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try snapshot.fields(of: key, among: wanted)
  }

  package func prepare(_ elements: [CacheValue]) {}

  package func holds(_ object: ResponseObject, _ layout: RecordLayout, under key: RecordKey) -> Bool
  {
    false
  }
}

/// The shapes that were met in one reading, so that the snapshot and its lock are asked once for each.
private final class KnownShapes: RowShapes {
  private let snapshot: any RowSnapshot
  /// Unchecked because the runtime would note who has access to it, once for each object, and the few
  /// lines that have call nobody meanwhile.
  @exclusivity(unchecked) private var shapes: ContiguousArray<RecordShape?> = []

  /// Those that are written out, the last ones.
  private var written: ContiguousArray<(bytes: ObjectIdentity, shape: RecordShape)> = []

  /// Numbers past this are asked for each time: a damaged row may have any.
  private static let largestRemembered = 4_096
  private static let mostWrittenRemembered = 8

  init(_ snapshot: any RowSnapshot) { self.snapshot = snapshot }

  func shape(numbered number: Int64) throws -> RecordShape {
    let index = Int(truncatingIfNeeded: number)
    if shapes.indices.contains(index), let shape = shapes[index] { return shape }
    let shape = try snapshot.shape(numbered: number)
    if 0...Self.largestRemembered ~= index {
      while shapes.count <= index { shapes.append(nil) }
      shapes[index] = shape
    }
    return shape
  }

  func shape(written bytes: UnsafeRawBufferPointer) -> RecordShape? {
    for known in written where known.bytes.equals(bytes, hash: 0) { return known.shape }
    return nil
  }

  func remember(_ shape: RecordShape, written bytes: UnsafeRawBufferPointer) {
    if written.count == Self.mostWrittenRemembered { written.removeFirst() }
    written.append((ObjectIdentity.make(bytes, hash: 0), shape))
  }
}
