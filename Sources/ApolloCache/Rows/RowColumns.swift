internal import ApolloAPI

/// The columns of rows of one shape from which the objects of one layout are made.
final class RowColumns {
  let layout: RecordLayout
  let shape: RecordShape
  /// The type name in the rows, or `nil` if it is not needed or not in them. Owned memory.
  private let typename: UnsafeRawBufferPointer?
  /// The position of the type name in the rows.
  let typenamePosition: Int?
  /// One step for each field of the layout.
  ///
  /// Empty if the columns are in another order than the fields, or one column is for two fields.
  /// Then values are needed out of order, and the row is read into a ``FieldMap``.
  ///
  /// It is an owned buffer, so that reading it counts no references.
  let steps: UnsafeBufferPointer<Step>
  /// The number of columns of a row.
  let columnCount: Int32

  struct Step {
    /// The index of the column, negative if the row has none.
    let column: Int32
    let kind: Kind
    /// The field. Unmanaged because the columns keep its layout alive, and the reader keeps the
    /// columns.
    let field: Unmanaged<RecordField>
    /// The position of the field's objects. Unmanaged because the field keeps it alive.
    let position: Unmanaged<ObjectPosition>?
  }

  enum Kind: UInt8 {
    case leaf
    /// A list of leaves, often of strings.
    case leaves
    case object
    case objects
    case nullableObjects
    case tree
  }

  /// Indicates whether the columns are in the order of the fields, so that there are ``steps``.
  let isInOrder: Bool

  /// Returns whether these columns are for rows of this shape with this type name.
  @inline(__always)
  func areColumns(of shape: RecordShape, typename: UnsafeRawBufferPointer?) -> Bool {
    self.shape === shape && isForObjects(ofType: typename)
  }

  /// Returns whether these columns are for rows with this type name.
  @inline(__always)
  func isForObjects(ofType typename: UnsafeRawBufferPointer?) -> Bool {
    switch (typename, self.typename) {
    case (nil, nil): true
    case (let typename?, let own?): typename.hasSameBytes(as: own)
    default: false
    }
  }

  init(_ layout: RecordLayout, _ shape: RecordShape, typename: UnsafeRawBufferPointer?) {
    self.layout = layout
    self.shape = shape
    self.typename = typename.map { bytes in
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
      memory.copyMemory(from: bytes)
      return UnsafeRawBufferPointer(memory)
    }
    typenamePosition = shape.typenamePosition
    let columns = layout.fields.map { shape.position(of: $0.key) ?? -1 }
    let known = columns.filter { $0 >= 0 }
    isInOrder = zip(known, known.dropFirst()).allSatisfy { $0 < $1 }
    let steps = zip(layout.fields, columns).map { field, column in
      Step(
        column: Int32(column), kind: Kind(field), field: Unmanaged.passUnretained(field),
        position: field.position.map(Unmanaged.passUnretained))
    }
    let memory = UnsafeMutableBufferPointer<Step>.allocate(capacity: isInOrder ? steps.count : 0)
    _ = memory.initialize(from: isInOrder ? steps : [])
    self.steps = UnsafeBufferPointer(memory)
    columnCount = Int32(shape.fields.count)
  }

  deinit {
    steps.deallocate()  // the steps own nothing
    typename?.deallocate()
  }
}

extension RowColumns.Kind {
  fileprivate init(_ field: RecordField) {
    guard field.position != nil else {
      self = field.rank == 1 ? .leaves : .leaf
      return
    }
    switch field.rank {
    case 0: self = .object
    case 1: self = field.hasNonNullElements ? .objects : .nullableObjects
    default: self = .tree
    }
  }
}

/// The columns of the last row at one position, and the facts that show whether the next row has
/// them too.
struct ColumnCache {
  /// The number of the rows' shape, or 0 if the shape is written out.
  ///
  /// Numbers keep their meaning during one reading, which has one snapshot of one file.
  var shapeNumber: Int64 = 0
  /// Indicates whether the type of an object must be read from its row.
  var asksForTypename = false
  var columns: RowColumns?
}
