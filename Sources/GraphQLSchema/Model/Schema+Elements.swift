public import GraphQLSyntax

extension Schema {
  /// A type: its definition and all its extensions taken together.
  ///
  /// The members of its kind are in the order of definition; the lists of other kinds are empty.
  public struct NamedType: Sendable {
    /// `schema[id]` is the type.
    public typealias ID = NodeID<NamedType>

    /// The name, which no other type of the schema has.
    public let name: Symbol
    /// Which of the six kinds of type it is.
    public let kind: TypeKind
    /// Whether every schema has this type: a built-in scalar or an introspection type.
    public let isBuiltIn: Bool
    /// Whether an input object takes exactly one of its fields (`@oneOf`).
    public internal(set) var isOneOf = false
    /// The fields of an object or interface, without `__typename`, `__schema` and `__type`.
    public internal(set) var fields = NodeList<Field>.empty
    /// The interfaces that an object or interface says it implements.
    public internal(set) var interfaces = NodeList<TypeMention>.empty
    /// The types that a union lists.
    public internal(set) var members = NodeList<TypeMention>.empty
    /// The values of an enum.
    public internal(set) var enumValues = NodeList<EnumValue>.empty
    /// The fields of an input object.
    public internal(set) var inputFields = NodeList<InputValue>.empty
    /// The definition in ``Schema/document``.
    public internal(set) var definition: TypeDefinition.ID
    /// The extensions; see ``Schema/sites(of:)``.
    public internal(set) var extensions = NodeList<TypeExtension>.empty
  }

  /// A field of an object or interface.
  public struct Field: Sendable {
    /// `schema[id]` is the field.
    public typealias ID = NodeID<Field>

    /// The name, which no other field of its owner has.
    public let name: Symbol
    /// The object or interface that has the field.
    public let owner: NamedType.ID
    /// The type of its values, with lists and non-null marks.
    public let type: ResolvedType
    /// Whether `@deprecated` is applied.
    public let isDeprecated: Bool
    /// The arguments that it takes, in the order of definition.
    public let arguments: NodeList<InputValue>
    /// The node of ``Schema/document``: description, directives, spans.
    public let definition: FieldDefinition.ID
  }

  /// An argument of a field or directive, or a field of an input object.
  public struct InputValue: Sendable {
    /// `schema[id]` is the argument or input field.
    public typealias ID = NodeID<InputValue>

    /// What has the argument or field.
    public enum Owner: Hashable, Sendable {
      case field(Field.ID)
      case directive(DirectiveDefinition.ID)
      case inputObject(NamedType.ID)
    }

    /// The name, which no other argument or input field of its owner has.
    public let name: Symbol
    /// The field, directive or input object that has it.
    public let owner: Owner
    /// The type that values must have, with lists and non-null marks.
    public let type: ResolvedType
    /// Whether `@deprecated` is applied.
    public let isDeprecated: Bool
    /// Whether there is a default value; see ``Schema/defaultValue(of:)``.
    public let hasDefaultValue: Bool
    /// The node of ``Schema/document``: description, default value, directives, spans.
    public let definition: InputValueDefinition.ID

    /// Whether a value must be given: the type is non-null and there is no default.
    @inlinable
    public var isRequired: Bool { type.isNonNull && !hasDefaultValue }
  }

  /// A value of an enum.
  public struct EnumValue: Sendable {
    /// `schema[id]` is the value.
    public typealias ID = NodeID<EnumValue>

    /// The value itself, which no other value of its owner equals.
    public let name: Symbol
    /// The enum that has the value.
    public let owner: NamedType.ID
    /// Whether `@deprecated` is applied.
    public let isDeprecated: Bool
    /// The node of ``Schema/document``: description, directives, spans.
    public let definition: EnumValueDefinition.ID
  }

  /// The definition of a directive.
  public struct DirectiveDefinition: Sendable {
    /// `schema[id]` is the directive definition.
    public typealias ID = NodeID<DirectiveDefinition>

    /// The name without `@`.
    public let name: Symbol
    /// The arguments that it takes, in the order of definition.
    public internal(set) var arguments = NodeList<InputValue>.empty
    /// Where the directive may be applied. The order of definition is in the node.
    public let locations: DirectiveLocationSet
    /// Whether it may be applied more than once in one place.
    public let isRepeatable: Bool
    /// Whether this is the built-in definition of a directive of the specification.
    public let isBuiltIn: Bool
    /// The node of ``Schema/document``: description, locations in order, spans.
    public let definition: GraphQLSyntax.DirectiveDefinition.ID
  }

  /// A type that another one names as an interface or a member.
  public struct TypeMention: Sendable {
    /// The interface or member that is named.
    public let type: NamedType.ID
    /// The name where it is mentioned.
    public let span: SourceSpan
  }

  /// An extension of a type.
  public struct TypeExtension: Sendable {
    /// The node of ``Schema/document`` that starts with `extend`.
    public let definition: TypeDefinition.ID
  }

  /// A root operation type.
  public struct RootOperation: Sendable {
    /// The object type whose fields operations of the kind select.
    public let type: NamedType.ID
    /// Where `schema { … }` names the type; nil when the type's name alone makes it a root.
    public let span: SourceSpan?
  }
}

/// Places where a directive may be applied, as a set.
public struct DirectiveLocationSet: Hashable, Sendable {
  private var bits: UInt32 = 0

  /// No places.
  public init() {}

  /// Adds `location`.
  public mutating func insert(_ location: DirectiveLocation) {
    bits |= 1 << UInt32(location.rawValue)
  }

  /// Whether `location` is in the set.
  public func contains(_ location: DirectiveLocation) -> Bool {
    bits >> UInt32(location.rawValue) & 1 == 1
  }
}
