/// A reference to a type: `Int`, `[Int!]!`.
///
/// Spec: 2.11, "Type References".
public struct TypeReference: Hashable, Sendable {
  /// The name of the innermost type.
  public var name: Name
  /// The lists and non-null marks around the name.
  public var wrapping: TypeWrapping
  /// The span of the whole reference.
  public var span: SourceSpan

  /// Creates a reference to the type `name` inside `wrapping`.
  @inlinable
  public init(name: Name, wrapping: TypeWrapping, span: SourceSpan) {
    self.name = name
    self.wrapping = wrapping
    self.span = span
  }
}

/// The lists and non-null marks around the name in a type reference.
///
/// A wrapping is a few integers. With a symbol, it makes a whole type, so types are compared and
/// unwrapped without following references.
///
/// ```swift
/// let wrapping = TypeWrapping.named.nonNull.list  // [T!]
/// print(wrapping.isList)  // true
/// print(wrapping.item == .named.nonNull)  // true: T!
/// ```
public struct TypeWrapping: Hashable, Sendable {
  @usableFromInline var marks: NonNullMarks
  /// The number of lists around the name.
  public let listDepth: UInt8

  /// The maximum number of lists around a name.
  public static let maximumListDepth = 255

  @inlinable
  init(marks: NonNullMarks, listDepth: UInt8) {
    self.marks = marks
    self.listDepth = listDepth
  }

  /// The wrapping of a plain name: `T`.
  @inlinable
  public static var named: TypeWrapping { TypeWrapping(marks: NonNullMarks(), listDepth: 0) }

  /// A Boolean value that indicates whether the whole type is non-null: it ends in `!`.
  @inlinable
  public var isNonNull: Bool { marks.first & 1 != 0 }

  /// Returns whether the type at `level` is non-null. Level 0 is the whole type, and ``listDepth``
  /// the name.
  func isNonNull(at level: Int) -> Bool { marks[level] }

  /// A Boolean value that indicates whether the type is a list, nullable or not.
  @inlinable
  public var isList: Bool { listDepth > 0 }

  /// The non-null type of this one: `T!`.
  @inlinable
  public var nonNull: TypeWrapping {
    var result = self
    result.marks.first |= 1
    return result
  }

  /// The nullable type of this one: `T`.
  @inlinable
  public var nullable: TypeWrapping {
    var result = self
    result.marks.first &= ~1
    return result
  }

  /// The nullable list of this type: `[T]`. The depth must be less than ``maximumListDepth``.
  @inlinable
  public var list: TypeWrapping {
    precondition(listDepth < Self.maximumListDepth, "A type has at most 255 lists around its name.")
    return TypeWrapping(marks: marks.inList, listDepth: listDepth + 1)
  }

  /// The type of the list's items, or `nil` if the type is not a list.
  @inlinable
  public var item: TypeWrapping? {
    isList ? TypeWrapping(marks: marks.ofItem, listDepth: listDepth - 1) : nil
  }

  /// Returns `name` with the lists and marks around it: `[Int!]!`.
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
  /// Returns the type in GraphQL notation: `[Int!]!`.
  public func description(of type: TypeReference) -> String {
    type.wrapping.description(of: spelling(type.name))
  }
}
