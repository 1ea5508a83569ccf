public import GraphQLSyntax

extension TypeKind {
  /// Whether values of the type have fields to select from.
  @inlinable
  public var isComposite: Bool { self == .object || isAbstract }

  /// Whether the type stands for a choice of object types.
  @inlinable
  public var isAbstract: Bool { self == .interface || self == .union }

  /// Whether values of the type have no parts.
  @inlinable
  public var isLeaf: Bool { self == .scalar || self == .enum }

  /// Whether arguments and input fields can have the type.
  @inlinable
  public var isInput: Bool { isLeaf || self == .inputObject }

  /// Whether fields can have the type.
  @inlinable
  public var isOutput: Bool { self != .inputObject }
}
