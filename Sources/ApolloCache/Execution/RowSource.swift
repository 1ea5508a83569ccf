package import ApolloAPI

/// A snapshot of records that are rows.
package protocol RowSnapshot: StoreSnapshot, RowShapes {
  /// Copies the row of a record into `buffer`.
  ///
  /// - Returns: The form in which the record is stored, or `nil` if there is no such record.
  func load(_ key: RecordKey, into buffer: RowBuffer) throws -> RowForm?
}

extension RowSnapshot {
  package func readLoaded(_ request: ReadRequest) throws -> ObjectReadResult {
    try ObjectReadResult(request, from: RowSource(self))
  }
}

/// The form in which the fields of a record are stored.
package enum RowForm {
  /// One row.
  case whole
  /// Anything but one row, which is read field by field: one row for each field, because there are
  /// more than a shape may have, or an optimistic layer in front of the row.
  case fields
}

/// The rows of a snapshot, for one reading.
package struct RowSource: RecordSource {
  package static var canReadPartially: Bool { true }
  package static var hasRows: Bool { true }
  private let snapshot: any RowSnapshot
  let shapes: any RowShapes

  package init(_ snapshot: any RowSnapshot) {
    self.snapshot = snapshot
    shapes = KnownShapes(snapshot)
  }

  @inline(__always)
  package static func readRow(
    of key: RecordKey, at position: ObjectPosition, with reader: inout ObjectReader<RowSource>
  ) throws -> RowReadResult {
    try reader.readRow(of: key, at: position)
  }

  func load(_ key: RecordKey, into buffer: RowBuffer) throws -> RowForm? {
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

/// The shapes that occurred in one reading, so that the snapshot and its lock are used once for
/// each.
private final class KnownShapes: RowShapes {
  private let snapshot: any RowSnapshot
  /// Exclusivity is not checked because the check would run once for each object, and no code that
  /// accesses the array calls out meanwhile.
  @exclusivity(unchecked) private var shapes: ContiguousArray<RecordShape?> = []

  /// The latest shapes that were written out, with their bytes.
  private var written: ContiguousArray<(bytes: ObjectIdentity, shape: RecordShape)> = []

  /// The largest number that is remembered. A damaged row may have any.
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
