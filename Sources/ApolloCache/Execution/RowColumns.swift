internal import ApolloAPI

/// How the objects of one layout are made of rows of one shape: which column is for which field.
final class RowColumns {
  let layout: RecordLayout
  let shape: RecordShape
  /// What rows say of the type; nil where nobody asks them, or they do not say it. Memory of its own.
  private let typename: UnsafeRawBufferPointer?
  /// Where rows say it.
  let typenamePosition: Int?
  /// What to do for each field of the layout; empty where the columns come in another order than the
  /// fields, or one is for two fields. Then values are needed before their turn, and the row is read
  /// into a ``FieldMap``.
  ///
  /// A buffer of its own, which is valid while the columns are, so that nothing is counted to look at it.
  let steps: UnsafeBufferPointer<Step>
  /// How many columns a row has.
  let columnCount: Int32

  struct Step {
    /// Negative where the row has none.
    let column: Int32
    let kind: Kind
    /// Unmanaged because the columns keep the layout that has it, and the reader keeps the columns.
    let field: Unmanaged<RecordField>
    /// Where the field's objects stand. Unmanaged because the field keeps it.
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

  /// Whether there are steps for the fields.
  let isInOrder: Bool

  /// Whether these columns are for rows of a shape that say this of the type.
  @inline(__always)
  func areColumns(of shape: RecordShape, typename: UnsafeRawBufferPointer?) -> Bool {
    self.shape === shape && isForObjects(ofType: typename)
  }

  /// Whether these columns are for objects of which their rows say this.
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
    steps.deallocate()  // there is nothing in them to release
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

/// The columns of the last row at one place, and what it takes to see that they are those of the next
/// one.
struct ColumnCache {
  /// The number of the rows' shape; 0 where the shape is written out.
  ///
  /// Numbers keep their meaning while one reading goes on: it has one snapshot of one file.
  var shapeNumber: Int64 = 0
  /// Whether a row has to be asked for the type of its object.
  var asksForTypename = false
  var columns: RowColumns?
}
