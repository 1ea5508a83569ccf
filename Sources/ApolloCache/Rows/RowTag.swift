/// The kind of the next value in a row. The numbers are on disk: never reuse one.
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

/// The error of a row that cannot be read. Its record reads as missing.
package struct DamagedRow: Error {
  package init() {}
}

/// The numbered shapes of one database.
package protocol RowShapes: AnyObject {
  /// Returns the shape with a number.
  ///
  /// - Throws: ``DamagedRow`` if there is none.
  func shape(numbered number: Int64) throws -> RecordShape

  /// Returns the shape that is written out as these bytes, if it occurred recently.
  func shape(written bytes: UnsafeRawBufferPointer) -> RecordShape?

  /// Remembers the bytes of a written-out shape.
  func remember(_ shape: RecordShape, written bytes: UnsafeRawBufferPointer)
}

extension RowShapes {
  package func shape(written bytes: UnsafeRawBufferPointer) -> RecordShape? { nil }
  package func remember(_ shape: RecordShape, written bytes: UnsafeRawBufferPointer) {}
}

/// The numbered shapes of one database, for writing.
package protocol RowShapeNumbers: RowShapes {
  /// Returns the number of a shape, which is new if the shape has none yet.
  func number(of shape: RecordShape) throws -> Int64
}
