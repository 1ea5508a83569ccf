/// The operations on one kind of slot: how its value is stored, copied, compared and released.
///
/// There is one for each field of an object layout. Types that ``Kind`` knows are handled directly,
/// in 3 ns; a leaf of any other type is handled through its metatype, which the runtime needs about
/// 300 ns to instantiate the generic code for.
///
/// A slot must be initialized before it is read, copied or released. The owner of the object sees
/// to that.
struct SlotType {
  let kind: Kind
  /// The number of lists around the innermost values.
  let rank: UInt8
  /// `true` if values never require a release.
  let isTrivial: Bool
  /// Bit *k* means that a value *k* lists deep is never null.
  private let nonNull: UInt32
  /// The type of the slot's values, or `nil` for objects.
  let leaf: (any (LeafElement & SlotValue).Type)?
  /// The known values of an enum. Never released, because layouts live as long as the program.
  let cases: Unmanaged<EnumCaseTable>?
  /// Reads lists of leaves. Never released, either.
  let listReader: Unmanaged<LeafListReader>?

  /// The kinds of slots. A new kind is handled by the `switch` statements over this type alone.
  enum Kind: UInt8 {
    /// A `String`, from a JSON string.
    case string
    /// A `String`, from a JSON string or integer.
    case id
    /// A `String`, from any JSON scalar.
    case text
    case int, double, bool
    /// A `GraphQLEnum`. The last byte of the slot, which the value does not reach, is 0 when there
    /// is nothing to release.
    case enumeration
    /// A list of strings.
    case strings
    /// Any other list of leaves.
    case leaves
    /// Any other leaf.
    case leaf
    /// A ``ResponseObject``.
    case object
    /// A list of objects.
    case objects
    /// Lists of lists of objects.
    case nestedObjects
  }

  /// `true` if the slot holds objects or lists of objects.
  var holdsObjects: Bool { leaf == nil }

  /// Returns whether a value `depth` lists deep is never null.
  @inline(__always)
  func isNonNull(at depth: Int) -> Bool { nonNull >> UInt32(depth) & 1 == 1 }

  /// Returns whether both slots hold values of the same type.
  func hasSameType(as other: SlotType) -> Bool {
    guard let leaf else {
      return other.leaf == nil && rank == other.rank && nonNull >> 1 == other.nonNull >> 1
    }
    return other.leaf.map { $0 == leaf } ?? false
  }
}

// MARK: - From the type of a field

extension SlotType {
  init(_ type: FieldType) {
    rank = UInt8(type.rank)
    nonNull = type.nonNull
    cases = type.enumCases.map(Unmanaged.passRetained)
    listReader = LeafListReader(type).map(Unmanaged.passRetained)
    let leaf = type.leafType
    self.leaf = leaf
    isTrivial = leaf.map { Self.isTrivial($0) } ?? false
    kind =
      switch (type.base, type.rank) {
      case (.string, 0): .string
      case (.id, 0): .id
      case (.int, 0): .int
      case (.double, 0): .double
      case (.bool, 0): .bool
      case (.leaf(let leaf), 0): Self.kind(of: leaf)
      case (.string, 1): .strings
      case (.object, 0): .object
      case (.object, 1): .objects
      case (.object, _): .nestedObjects
      default: .leaves
      }
  }

  /// Returns the kind of a custom scalar or an enum. Aliases of built-in scalars are handled like
  /// those; an alias of `String` accepts any scalar.
  private static func kind<Leaf: LeafValue>(of leaf: Leaf.Type) -> Kind {
    if leaf == Int.self { return .int }
    if leaf == Double.self { return .double }
    if leaf == Bool.self { return .bool }
    if leaf == String.self { return .text }
    let fits = MemoryLayout<Leaf??>.size < MemoryLayout<Slot>.size
    return leaf is any EnumLeaf.Type && fits ? .enumeration : .leaf
  }

  private static func isTrivial<Leaf: LeafElement>(_ leaf: Leaf.Type) -> Bool {
    _isPOD(leaf) && MemoryLayout<Leaf??>.size <= MemoryLayout<Slot>.size
  }
}

extension FieldType {
  /// The type of the field's values in Swift, or `nil` for objects.
  fileprivate var leafType: (any (LeafElement & SlotValue).Type)? {
    switch base {
    case .string, .id: list(of: String.self, depth: rank)
    case .int: list(of: Int.self, depth: rank)
    case .double: list(of: Double.self, depth: rank)
    case .bool: list(of: Bool.self, depth: rank)
    case .leaf(let type): leafList(of: type)
    case .object: nil
    }
  }

  private func leafList<Leaf: LeafValue>(of leaf: Leaf.Type) -> any (LeafElement & SlotValue).Type {
    list(of: leaf, depth: rank)
  }

  /// Wraps `Value`, the type `depth` lists deep, into the lists around it.
  private func list<Value: LeafElement & SlotValue>(
    of value: Value.Type, depth: Int
  ) -> any (LeafElement & SlotValue).Type {
    if depth == 0 { return value }
    return isNonNull(at: depth)
      ? list(of: [Value].self, depth: depth - 1) : list(of: [Value?].self, depth: depth - 1)
  }
}
