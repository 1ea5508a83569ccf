internal import ApolloAPI

/// An ordered list of distinct field keys. The process has one shape for each list.
///
/// Objects that are written through the same selection share a shape. So a record is a shape and an
/// array of values, and two records of one shape are compared and merged pairwise, without
/// comparing keys.
package final class RecordShape: Sendable {
  package let fields: [FieldKey]
  private let positions: [FieldKey: Int]

  /// The position of `__typename`, or `nil` if it is not a field of the shape.
  package let typenamePosition: Int?

  /// Indicates whether a field has arguments. There may be one shape for each of their values.
  package let hasArguments: Bool

  /// One bit for each field. Only valid for at most ``maximumFieldCount`` fields.
  let allFields: UInt64

  private init(fields: [FieldKey]) {
    self.fields = fields
    allFields = fields.count >= 64 ? ~0 : (1 << fields.count) - 1
    hasArguments = fields.contains { $0.rawValue.utf8.last == UInt8(ascii: ")") }
    positions = Dictionary(
      uniqueKeysWithValues: fields.enumerated().map { ($0.element, $0.offset) })
    typenamePosition = positions[.typename]
  }

  /// The largest number of fields that a record with a shape may have. A set of them fits one
  /// machine word. Records with more fields are maps.
  package static let maximumFieldCount = 64

  /// Returns the position of `field`, or `nil` if it is not a field of the shape.
  ///
  /// - Complexity: O(1) on average.
  package func position(of field: FieldKey) -> Int? {
    positions[field]
  }

  deinit {
    // The successor is released here, outside of the lock: this may be its last reference, which
    // would run this `deinit` again.
    _ = Self.interned.withLock { $0.removeIfDead(fields) }
  }
}

// MARK: - Interning

extension RecordShape {
  private static let interned = Lock(InternedShapes())

  /// Returns the shape with these fields.
  ///
  /// A reading may use a shape of more than ``maximumFieldCount`` fields; a record may not.
  ///
  /// - Precondition: No field occurs twice.
  /// - Complexity: O(*n*) in the number of fields, under a lock that the process shares. Runs once
  ///   for each selection, not for each object.
  package static func of(_ fields: [FieldKey]) -> RecordShape {
    interned.withLock { $0.shape(of: fields) { RecordShape(fields: fields) } }
  }

  /// The shape of an object without fields.
  package static let empty = RecordShape.of([])

  /// The shape of an object of which only the type is known.
  package static let typename = RecordShape.of([.typename])
}

/// The shapes of the process by their fields.
///
/// Shapes without arguments are permanent: a program has no more of them than it has selections,
/// and counting the references to an object with a weak reference takes the runtime's slow path.
/// There may be a shape with arguments for each of their values, so such a shape is released with
/// its last record.
private struct InternedShapes: Sendable {
  private struct Entry: Sendable {
    weak var shape: RecordShape?
  }
  private var permanent: [[FieldKey]: RecordShape] = [:]
  private var temporary: [[FieldKey]: Entry] = [:]

  /// The largest number of permanent shapes. Only a manipulated file has more.
  private static let maximumPermanentCount = 8_192

  mutating func shape(of fields: [FieldKey], make: () -> RecordShape) -> RecordShape {
    if let shape = permanent[fields] ?? temporary[fields]?.shape { return shape }
    let shape = make()
    if shape.hasArguments || permanent.count >= Self.maximumPermanentCount {
      temporary[fields] = Entry(shape: shape)
    } else {
      permanent[fields] = shape
    }
    return shape
  }

  /// Removes the entry of a shape that is being released. Returns the shape that has replaced it by
  /// then, if there is one.
  mutating func removeIfDead(_ fields: [FieldKey]) -> RecordShape? {
    let successor = temporary[fields]?.shape
    if successor == nil { temporary[fields] = nil }
    return successor
  }
}

extension RecordShape: Hashable {
  package static func == (left: RecordShape, right: RecordShape) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
