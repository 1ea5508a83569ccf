internal import ApolloAPI

/// How the objects of one layout are made of rows of one shape: which column is for which field.
final class RowColumns {
  let layout: RecordLayout
  let shape: RecordShape
  /// What rows say of the type; nil where nobody asks them.
  private let typename: KeyBytes?
  /// What to do for each field of the layout; empty where the columns come in another order than the
  /// fields, or one is for two fields. Then values are needed before their turn, and the row is read
  /// into a ``FieldMap``.
  let steps: ContiguousArray<Step>

  struct Step {
    /// Negative where the row has none.
    let column: Int32
    let kind: Kind
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

  var isInOrder: Bool { steps.count == layout.fields.count }

  /// Whether these columns are for rows of a shape that say this of the type.
  @inline(__always)
  func areColumns(of shape: RecordShape, typename: UnsafeRawBufferPointer?) -> Bool {
    guard self.shape === shape else { return false }
    switch (typename, self.typename) {
    case (nil, nil): return true
    case (let typename?, let own?): return own.equals(typename, hash: 0)
    default: return false
    }
  }

  init(_ layout: RecordLayout, _ shape: RecordShape, typename: UnsafeRawBufferPointer?) {
    self.layout = layout
    self.shape = shape
    self.typename = typename.map { KeyBytes.make($0, hash: 0) }  // compared, never looked up
    let columns = layout.fields.map { shape.position(of: $0.key) ?? -1 }
    let known = columns.filter { $0 >= 0 }
    let isInOrder = zip(known, known.dropFirst()).allSatisfy { $0 < $1 }
    steps =
      isInOrder
      ? ContiguousArray(
        zip(layout.fields, columns).map { Step(column: Int32($1), kind: Kind($0)) }) : []
  }
}

extension RowColumns.Kind {
  fileprivate init(_ field: RecordField) {
    guard field.place != nil else {
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
