public import GraphQLSyntax

/// A type reference whose name has been resolved: `[Character!]!`.
///
/// Two resolved types of a schema are equal exactly if they are the same type.
///
/// Spec: 3.4.1, "Wrapping Types".
public struct ResolvedType: Hashable, Sendable {
  /// The named type inside the lists and non-null marks.
  public var namedType: Schema.NamedType.ID
  /// The lists and non-null marks around the named type.
  public var wrapping: TypeWrapping

  /// Creates the type `namedType` inside `wrapping`.
  @inlinable
  public init(_ namedType: Schema.NamedType.ID, _ wrapping: TypeWrapping = .named) {
    self.namedType = namedType
    self.wrapping = wrapping
  }

  /// A Boolean value that indicates whether `null` is not a value of the type.
  @inlinable
  public var isNonNull: Bool { wrapping.isNonNull }

  /// A Boolean value that indicates whether the type is a list, nullable or not.
  @inlinable
  public var isList: Bool { wrapping.isList }

  /// The nullable type: `[T!]` for `[T!]!`.
  @inlinable
  public var nullable: ResolvedType { ResolvedType(namedType, wrapping.nullable) }

  /// The non-null type: `T!` for `T` and for `T!`.
  @inlinable
  public var nonNull: ResolvedType { ResolvedType(namedType, wrapping.nonNull) }

  /// The type of the items of a list, nullable or not, or `nil` if the type is not a list: `T!` for
  /// `[T!]!`.
  @inlinable
  public var item: ResolvedType? { wrapping.item.map { ResolvedType(namedType, $0) } }
}
