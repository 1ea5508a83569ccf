public import GraphQLSyntax

/// A use of a type whose name has been found: `[Character!]!`.
///
/// Two of them are equal when they spell the same type.
///
/// Spec: 3.4.1, "Wrapping Types".
public struct ResolvedType: Hashable, Sendable {
  /// The type inside the lists and non-nulls.
  public var namedType: Schema.NamedType.ID
  /// The lists and non-nulls around it.
  public var wrapping: TypeWrapping

  /// A type with what stands around it.
  @inlinable
  public init(_ namedType: Schema.NamedType.ID, _ wrapping: TypeWrapping = .named) {
    self.namedType = namedType
    self.wrapping = wrapping
  }

  /// Whether null is not among the values.
  @inlinable
  public var isNonNull: Bool { wrapping.isNonNull }

  /// Whether the values are lists, or null.
  @inlinable
  public var isList: Bool { wrapping.isList }

  /// The type without the outermost non-null, if it has one: `[T!]` for `[T!]!`.
  @inlinable
  public var nullable: ResolvedType { ResolvedType(namedType, wrapping.nullable) }

  /// `T!` for `T`, and the same for `T!`.
  @inlinable
  public var nonNull: ResolvedType { ResolvedType(namedType, wrapping.nonNull) }

  /// The type of the items if this is a list, nullable or not: `T!` for `[T!]!`.
  @inlinable
  public var item: ResolvedType? { wrapping.item.map { ResolvedType(namedType, $0) } }
}
