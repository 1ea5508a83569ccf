public import GraphQLSyntax

extension Schema {
  /// A named type, merged from its definition and all its extensions.
  ///
  /// The members have the order of definition. The lists that the kind does not use are empty.
  public struct NamedType: Sendable {
    /// The typed index of a type: `schema[id]` is the type.
    public typealias ID = NodeID<NamedType>

    /// The name, which is unique among the types of the schema.
    public let name: Symbol
    /// The kind of type.
    public let kind: TypeKind
    /// A Boolean value that indicates whether the type is a built-in scalar or an introspection
    /// type.
    public let isBuiltIn: Bool
    /// A Boolean value that indicates whether values of the input object have exactly one field
    /// (`@oneOf`).
    public internal(set) var isOneOf = false
    /// The fields of an object or interface, without the meta-fields.
    public internal(set) var fields = NodeList<Field>.empty
    /// The interfaces that an object or interface implements, as listed in the definition.
    public internal(set) var interfaces = NodeList<TypeMention>.empty
    /// The members of a union, as listed in the definition.
    public internal(set) var members = NodeList<TypeMention>.empty
    /// The values of an enum.
    public internal(set) var enumValues = NodeList<EnumValue>.empty
    /// The fields of an input object.
    public internal(set) var inputFields = NodeList<InputValue>.empty
    /// The definition in ``Schema/document``.
    public internal(set) var definition: TypeDefinition.ID
    /// The extensions. ``Schema/sites(of:)`` returns the definition together with them.
    public internal(set) var extensions = NodeList<TypeExtension>.empty
  }

  /// A field of an object or interface.
  public struct Field: Sendable {
    /// The typed index of a field: `schema[id]` is the field.
    public typealias ID = NodeID<Field>

    /// The name, which is unique among the fields of the owner.
    public let name: Symbol
    /// The object or interface that defines the field.
    public let owner: NamedType.ID
    /// The type of the field's values.
    public let type: ResolvedType
    /// A Boolean value that indicates whether the field is deprecated.
    public let isDeprecated: Bool
    /// The arguments, in the order of definition.
    public let arguments: NodeList<InputValue>
    /// The definition in ``Schema/document``, which contains the description, directives and spans.
    public let definition: FieldDefinition.ID
  }

  /// An argument of a field or directive, or a field of an input object.
  public struct InputValue: Sendable {
    /// The typed index of an argument or input field: `schema[id]` is the element.
    public typealias ID = NodeID<InputValue>

    /// The element that defines an argument or input field.
    public enum Owner: Hashable, Sendable {
      case field(Field.ID)
      case directive(DirectiveDefinition.ID)
      case inputObject(NamedType.ID)
    }

    /// The name, which is unique among the arguments or input fields of the owner.
    public let name: Symbol
    /// The field, directive or input object that defines it.
    public let owner: Owner
    /// The type of the accepted values.
    public let type: ResolvedType
    /// A Boolean value that indicates whether the argument or input field is deprecated.
    public let isDeprecated: Bool
    /// A Boolean value that indicates whether there is a default value.
    /// ``Schema/defaultValue(of:)`` returns it.
    public let hasDefaultValue: Bool
    /// The definition in ``Schema/document``, which contains the description, default value,
    /// directives and spans.
    public let definition: InputValueDefinition.ID

    /// A Boolean value that indicates whether a value must be provided: the type is non-null and
    /// there is no default value.
    @inlinable
    public var isRequired: Bool { type.isNonNull && !hasDefaultValue }
  }

  /// A value of an enum.
  public struct EnumValue: Sendable {
    /// The typed index of an enum value: `schema[id]` is the value.
    public typealias ID = NodeID<EnumValue>

    /// The name, which is unique among the values of the enum.
    public let name: Symbol
    /// The enum that defines the value.
    public let owner: NamedType.ID
    /// A Boolean value that indicates whether the value is deprecated.
    public let isDeprecated: Bool
    /// The definition in ``Schema/document``, which contains the description, directives and spans.
    public let definition: EnumValueDefinition.ID
  }

  /// A directive definition.
  public struct DirectiveDefinition: Sendable {
    /// The typed index of a directive definition: `schema[id]` is the definition.
    public typealias ID = NodeID<DirectiveDefinition>

    /// The name without `@`.
    public let name: Symbol
    /// The arguments, in the order of definition.
    public internal(set) var arguments = NodeList<InputValue>.empty
    /// The locations where the directive can be applied. The node has them in the order of
    /// definition.
    public let locations: DirectiveLocationSet
    /// A Boolean value that indicates whether the directive can be applied several times at one
    /// location.
    public let isRepeatable: Bool
    /// A Boolean value that indicates whether the directive is deprecated, by its definition or an
    /// extension.
    public internal(set) var isDeprecated = false
    /// A Boolean value that indicates whether this is the built-in definition of a specified
    /// directive.
    public let isBuiltIn: Bool
    /// The definition in ``Schema/document``, which contains the description, ordered locations and
    /// spans.
    public let definition: GraphQLSyntax.DirectiveDefinition.ID
    /// The extensions in ``Schema/document``, in the order of the text.
    public internal(set) var extensions: [GraphQLSyntax.DirectiveDefinition.ID] = []
  }

  /// A reference to a type in the definition of another: an interface or a union member.
  public struct TypeMention: Sendable {
    /// The referenced type.
    public let type: NamedType.ID
    /// The span of the name.
    public let span: SourceSpan
  }

  /// An extension of a type.
  public struct TypeExtension: Sendable {
    /// The extension in ``Schema/document``.
    public let definition: TypeDefinition.ID
  }

  /// A root operation type.
  public struct RootOperation: Sendable {
    /// The object type from which operations select.
    public let type: NamedType.ID
    /// The span of the type's name in `schema { … }`, or `nil` if the type is a root by its default
    /// name.
    public let span: SourceSpan?
  }
}

/// A set of directive locations.
public struct DirectiveLocationSet: Hashable, Sendable {
  private var bits: UInt32 = 0

  /// Creates an empty set.
  public init() {}

  /// Adds `location`.
  public mutating func insert(_ location: DirectiveLocation) {
    bits |= 1 << UInt32(location.rawValue)
  }

  /// Returns whether the set contains `location`.
  public func contains(_ location: DirectiveLocation) -> Bool {
    bits >> UInt32(location.rawValue) & 1 == 1
  }
}
