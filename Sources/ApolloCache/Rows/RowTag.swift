/// What the next bytes of a row are. Numbers are on disk: never reuse one.
package enum RowTag: UInt8 {
  case null = 0
  case `false` = 1
  case `true` = 2
  case int = 3
  case double = 4
  case string = 5
  case reference = 6
  case list = 7
  case object = 8
  case overflowObject = 9
  case json = 10
  case decimal = 11
  case failure = 12
}

/// A row that does not say what it should: its record reads as if it were not there.
package struct DamagedRow: Error {
  package init() {}
}

/// What the numbers of shapes in the rows of one database stand for.
package protocol RowShapes: AnyObject {
  /// The shape with a number.
  /// - Throws: ``DamagedRow`` if there is none.
  func shape(numbered number: Int64) throws -> RecordShape

  /// The shape that is written out as these bytes, if it has been met lately.
  func shape(written bytes: UnsafeRawBufferPointer) -> RecordShape?

  /// Notes how a shape is written out.
  func remember(_ shape: RecordShape, written bytes: UnsafeRawBufferPointer)
}

extension RowShapes {
  package func shape(written bytes: UnsafeRawBufferPointer) -> RecordShape? { nil }
  package func remember(_ shape: RecordShape, written bytes: UnsafeRawBufferPointer) {}
}

/// The same, for who writes rows.
package protocol RowShapeNumbers: RowShapes {
  /// The number of a shape; a new one if it has none yet.
  func number(of shape: RecordShape) throws -> Int64
}
