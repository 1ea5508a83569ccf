public import GraphQLSyntax

extension TypeKind {
  /// A Boolean value that indicates whether types of this kind have fields to select: objects,
  /// interfaces and unions.
  @inlinable
  public var isComposite: Bool { self == .object || isAbstract }

  /// A Boolean value that indicates whether types of this kind stand for several object types:
  /// interfaces and unions.
  @inlinable
  public var isAbstract: Bool { self == .interface || self == .union }

  /// A Boolean value that indicates whether values of this kind have no fields: scalars and enums.
  @inlinable
  public var isLeaf: Bool { self == .scalar || self == .enum }

  /// A Boolean value that indicates whether arguments and input fields can have types of this kind.
  @inlinable
  public var isInput: Bool { isLeaf || self == .inputObject }

  /// A Boolean value that indicates whether fields can have types of this kind.
  @inlinable
  public var isOutput: Bool { self != .inputObject }

  /// The directive location of definitions of types of this kind.
  package var directiveLocation: DirectiveLocation {
    switch self {
    case .scalar: .scalar
    case .object: .object
    case .interface: .interface
    case .union: .union
    case .enum: .enum
    case .inputObject: .inputObject
    }
  }
}
