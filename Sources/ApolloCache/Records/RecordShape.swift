internal import ApolloAPI

/// A list of distinct field keys in order, of which there is one in the process.
///
/// Objects written through the same selection have the same shape, so a record is a shape and an
/// array of values, and two records that share a shape are compared and merged pairwise without
/// looking at a key.
package final class RecordShape: Sendable {
  package let fields: [FieldKey]
  private let positions: [FieldKey: Int]

  /// Where `__typename` stands, or nil.
  package let typenamePosition: Int?

  /// Whether a field has arguments, so that there may be a shape for each of their values.
  package let hasArguments: Bool

  /// A bit for each field. Only where there are no more than ``maximumFieldCount``.
  let allFields: UInt64

  private init(fields: [FieldKey]) {
    self.fields = fields
    allFields = fields.count >= 64 ? ~0 : (1 << fields.count) - 1
    hasArguments = fields.contains { $0.rawValue.utf8.last == UInt8(ascii: ")") }
    positions = Dictionary(
      uniqueKeysWithValues: fields.enumerated().map { ($0.element, $0.offset) })
    typenamePosition = positions[.typename]
  }

  /// How many fields a shape can have. Their set then fits one machine word; larger objects are
  /// kept as a map.
  package static let maximumFieldCount = 64

  /// Where `field` stands, or nil.
  /// - Complexity: O(1) on average.
  package func position(of field: FieldKey) -> Int? {
    positions[field]
  }

  deinit {
    // What comes back is released here, outside the lock: it may be the last reference, and end in
    // this `deinit` again.
    _ = Self.interned.withLock { $0.removeIfDead(fields) }
  }
}

// MARK: - Interning

extension RecordShape {
  private static let interned = Lock(InternedShapes())

  /// The shape with these fields.
  ///
  /// - Precondition: no field occurs twice. (Objects of more than ``maximumFieldCount`` are kept
  ///   without a shape, but may be asked for with one.)
  /// - Complexity: O(*n*) in the number of fields, under a lock shared by the process: once for
  ///   each selection, not for each object.
  package static func of(_ fields: [FieldKey]) -> RecordShape {
    interned.withLock { $0.shape(of: fields) { RecordShape(fields: fields) } }
  }

  /// The shape of an object without fields.
  package static let empty = RecordShape.of([])

  /// The shape of an object of which only the type is told.
  package static let typename = RecordShape.of([.typename])
}

/// Shapes by their fields.
///
/// Those without arguments stay: a program has no more of them than it has selections, and counting
/// the references to an object that is referred to weakly takes the runtime's slow path. Others may
/// have one shape for each value of an argument: they go when their last record goes.
private struct InternedShapes: Sendable {
  private struct Entry: Sendable {
    weak var shape: RecordShape?
  }
  private var lasting: [[FieldKey]: RecordShape] = [:]
  private var passing: [[FieldKey]: Entry] = [:]

  /// More are only made by files that were tampered with.
  private static let mostLasting = 8_192

  mutating func shape(of fields: [FieldKey], make: () -> RecordShape) -> RecordShape {
    if let shape = lasting[fields] ?? passing[fields]?.shape { return shape }
    let shape = make()
    if shape.hasArguments || lasting.count >= Self.mostLasting {
      passing[fields] = Entry(shape: shape)
    } else {
      lasting[fields] = shape
    }
    return shape
  }

  /// Called by a dying shape. By then another may have been made in its place, which stays and is
  /// returned.
  mutating func removeIfDead(_ fields: [FieldKey]) -> RecordShape? {
    let successor = passing[fields]?.shape
    if successor == nil { passing[fields] = nil }
    return successor
  }
}

extension RecordShape: Hashable {
  package static func == (left: RecordShape, right: RecordShape) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
