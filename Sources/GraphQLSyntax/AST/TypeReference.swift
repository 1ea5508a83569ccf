/// A use of a type: `Int`, `[Int!]!`.
///
/// Spec: 2.11, "Type References".
public struct TypeReference: Hashable, Sendable {
  /// The innermost name.
  public var name: Name
  /// The lists and the non-null marks around the name.
  public var wrapping: TypeWrapping
  /// All of it.
  public var span: SourceSpan

  /// The type that puts the lists and marks of `wrapping` around `name`.
  @inlinable
  public init(name: Name, wrapping: TypeWrapping, span: SourceSpan) {
    self.name = name
    self.wrapping = wrapping
    self.span = span
  }
}

/// What stands around the name in a type: lists and non-null marks.
///
/// Together with a symbol it is a whole type, so that types are compared and taken apart without
/// following anything.
///
/// ```swift
/// var wrapping = TypeWrapping.named.nonNull.list  // [T!]
/// wrapping.isList                                 // true
/// wrapping.item                                   // T!
/// ```
public struct TypeWrapping: Hashable, Sendable {
  /// One bit for each level from the outside in: whether it is non-null. Bit 0 is the whole type.
  @usableFromInline var nonNullBits: UInt64
  /// How many lists there are around the name.
  public let listDepth: UInt8

  /// How many lists can be around a name.
  public static let maximalListDepth = 63

  @inlinable
  init(nonNullBits: UInt64, listDepth: UInt8) {
    self.nonNullBits = nonNullBits
    self.listDepth = listDepth
  }

  /// Just the name: `T`.
  @inlinable
  public static var named: TypeWrapping { TypeWrapping(nonNullBits: 0, listDepth: 0) }

  /// Whether the whole ends in `!`.
  @inlinable
  public var isNonNull: Bool { nonNullBits & 1 != 0 }

  /// Whether there is a `!` after the list at a level, the outermost being 0; at ``listDepth``, after
  /// the name.
  func isNonNull(at level: Int) -> Bool { nonNullBits >> UInt64(level) & 1 != 0 }

  /// Whether it is a list, non-null or not.
  @inlinable
  public var isList: Bool { listDepth > 0 }

  /// The same with `!` after it.
  @inlinable
  public var nonNull: TypeWrapping {
    TypeWrapping(nonNullBits: nonNullBits | 1, listDepth: listDepth)
  }

  /// The same without `!` after it.
  @inlinable
  public var nullable: TypeWrapping {
    TypeWrapping(nonNullBits: nonNullBits & ~1, listDepth: listDepth)
  }

  /// A nullable list of this. The depth must be less than ``maximalListDepth``.
  @inlinable
  public var list: TypeWrapping {
    precondition(listDepth < Self.maximalListDepth, "A type has at most 63 lists around its name.")
    return TypeWrapping(nonNullBits: nonNullBits << 1, listDepth: listDepth + 1)
  }

  /// What the items of the list are, or nil when it is not one.
  @inlinable
  public var item: TypeWrapping? {
    isList ? TypeWrapping(nonNullBits: nonNullBits >> 1, listDepth: listDepth - 1) : nil
  }

  /// `name` with the brackets and the marks around it: `[Int!]!`.
  public func description(of name: String) -> String {
    var result = String(repeating: "[", count: Int(listDepth)) + name
    for level in stride(from: Int(listDepth), through: 0, by: -1) {
      if isNonNull(at: level) { result += "!" }
      if level > 0 { result += "]" }
    }
    return result
  }
}

extension Document {
  /// The type as it is printed: `[Int!]!`.
  public func description(of type: TypeReference) -> String {
    type.wrapping.description(of: spelling(type.name))
  }
}
