/// `schema { query: Query }`, or an extension of it.
///
/// Spec: 3.3, "Schema".
public struct SchemaDefinition: Node {
  /// Whether it starts with `extend`.
  public var isExtension: Bool
  /// The string before `schema`, or nil.
  public var description: StringLiteral?
  /// The directives after the word `schema`.
  public var directives: Directive.List
  /// The entries between the braces, in the order of the text.
  public var rootOperationTypes: RootOperationType.List
  /// The word `schema`.
  public var keywordSpan: SourceSpan
  /// From its first token, which is its description if it has one, to its last.
  public var span: SourceSpan
}

/// `query: Query` in a schema definition.
public struct RootOperationType: Node {
  /// The operation, before the colon.
  public var kind: OperationKind
  /// The name of its root type, after the colon.
  public var type: Name
  /// From the operation to the end of the name of the type.
  public var span: SourceSpan
}

/// The six kinds of named type.
public enum TypeKind: UInt8, Hashable, Sendable, CaseIterable {
  case scalar
  case object
  case interface
  case union
  case `enum`
  case inputObject
}

/// A definition of a type of any kind, or an extension of one. Lists that its kind does not have
/// are empty.
///
/// Spec: 3.4, "Types".
public struct TypeDefinition: Node {
  /// Which of the six kinds its keyword says.
  public var kind: TypeKind
  /// Whether it starts with `extend`.
  public var isExtension: Bool
  /// The string before the keyword, or nil.
  public var description: StringLiteral?
  /// The name of the type that is defined or extended.
  public var name: Name
  /// The directives on the type itself.
  public var directives: Directive.List
  /// What an object or an interface implements.
  public var interfaces: Name.List
  /// The fields of an object or an interface.
  public var fields: FieldDefinition.List
  /// The members of a union.
  public var members: Name.List
  /// The values of an enum.
  public var values: EnumValueDefinition.List
  /// The fields of an input object.
  public var inputFields: InputValueDefinition.List
  /// From its first token, which is its description if it has one, to its last.
  public var span: SourceSpan
}

/// `"…" name(argument: Int = 1): Type! @directive`.
///
/// Spec: 3.6, "Objects".
public struct FieldDefinition: Node {
  /// The string before the name, or nil.
  public var description: StringLiteral?
  /// The name that selections use.
  public var name: Name
  /// The arguments that it takes, in the order of the text.
  public var arguments: InputValueDefinition.List
  /// The type after the colon, which its values have.
  public var type: TypeReference
  /// The directives on the field, after its type.
  public var directives: Directive.List
  /// From its first token, which is its description if it has one, to its last.
  public var span: SourceSpan
}

/// `"…" name: Type = default @directive`: an argument's definition, or an input object's field.
public struct InputValueDefinition: Node {
  /// The string before the name, or nil.
  public var description: StringLiteral?
  /// The name before the colon.
  public var name: Name
  /// The type after the colon, which values must have.
  public var type: TypeReference
  /// The constant after `=`, or nil without one.
  public var defaultValue: Value?
  /// The directives after the type and the default value.
  public var directives: Directive.List
  /// From its first token, which is its description if it has one, to its last.
  public var span: SourceSpan
}

/// `"…" VALUE @directive`.
///
/// Spec: 3.9, "Enums".
public struct EnumValueDefinition: Node {
  /// The string before the name, or nil.
  public var description: StringLiteral?
  /// The value itself, which is a name.
  public var name: Name
  /// The directives after the name.
  public var directives: Directive.List
  /// From its first token, which is its description if it has one, to its last.
  public var span: SourceSpan
}

/// `directive @name(argument: Int) repeatable on FIELD | QUERY`.
///
/// Spec: 3.13, "Directives".
public struct DirectiveDefinition: Node {
  /// The string before `directive`, or nil.
  public var description: StringLiteral?
  /// The name without `@`.
  public var name: Name
  /// The arguments that it takes, in the order of the text.
  public var arguments: InputValueDefinition.List
  /// Whether `repeatable` allows it more than once in one place.
  public var isRepeatable: Bool
  /// The locations, as written. Each is the name of a ``DirectiveLocation``.
  public var locations: Name.List
  /// From its first token, which is its description if it has one, to its last.
  public var span: SourceSpan
}

/// Where a directive may stand.
///
/// Spec: 3.13, "Directives", `DirectiveLocation`.
public enum DirectiveLocation: UInt8, Hashable, Sendable, CaseIterable {
  case query, mutation, subscription, field
  case fragmentDefinition, fragmentSpread, inlineFragment, variableDefinition
  case schema, scalar, object, fieldDefinition, argumentDefinition
  case interface, union, `enum`, enumValue, inputObject, inputFieldDefinition

  /// The location that `symbol` names, if it does.
  public init?(_ symbol: Symbol) {
    let first = Symbol.queryLocation.rawValue
    guard symbol.rawValue >= first, symbol.rawValue - first < Self.allCases.count else {
      return nil
    }
    self.init(rawValue: UInt8(symbol.rawValue - first))
  }

  /// Its name, as `FIELD_DEFINITION`.
  public var symbol: Symbol { Symbol(rawValue: Symbol.queryLocation.rawValue + UInt32(rawValue)) }
}
