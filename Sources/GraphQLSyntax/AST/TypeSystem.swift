/// A schema definition or extension: `schema { query: Query }`.
///
/// Spec: 3.3, "Schema".
public struct SchemaDefinition: Node {
  /// A Boolean value that indicates whether the definition starts with `extend`.
  public var isExtension: Bool
  /// The description, or `nil` without one.
  public var description: StringLiteral?
  /// The directives on the schema.
  public var directives: Directive.List
  /// The root operation types, in the order of the text.
  public var rootOperationTypes: RootOperationType.List
  /// The span of the word `schema`.
  public var keywordSpan: SourceSpan
  /// The span from the first token, which is the description if there is one, to the last.
  public var span: SourceSpan
}

/// A root operation type of a schema: `query: Query`.
public struct RootOperationType: Node {
  /// The operation type before the colon.
  public var kind: OperationKind
  /// The name of the object type after the colon.
  public var type: Name
  /// The span from the operation type to the end of the name.
  public var span: SourceSpan
}

/// A kind of named type.
public enum TypeKind: UInt8, Hashable, Sendable, CaseIterable {
  case scalar
  case object
  case interface
  case union
  case `enum`
  case inputObject

  /// The keyword that definitions of the kind start with.
  public var keyword: Symbol {
    switch self {
    case .scalar: .scalar
    case .object: .type
    case .interface: .interface
    case .union: .union
    case .enum: .enum
    case .inputObject: .input
    }
  }
}

/// A definition of a named type of any kind, or an extension of one.
///
/// The lists that a kind does not use are empty: a scalar has no fields, for example.
///
/// Spec: 3.4, "Types".
public struct TypeDefinition: Node {
  /// The kind of type that the keyword names.
  public var kind: TypeKind
  /// A Boolean value that indicates whether the definition starts with `extend`.
  public var isExtension: Bool
  /// The description, or `nil` without one.
  public var description: StringLiteral?
  /// The name of the type.
  public var name: Name
  /// The directives on the type.
  public var directives: Directive.List
  /// The interfaces that an object or interface implements.
  public var interfaces: Name.List
  /// The fields of an object or interface.
  public var fields: FieldDefinition.List
  /// The members of a union.
  public var members: Name.List
  /// The values of an enum.
  public var values: EnumValueDefinition.List
  /// The fields of an input object.
  public var inputFields: InputValueDefinition.List
  /// The span from the first token, which is the description if there is one, to the last.
  public var span: SourceSpan
}

/// A field of an object or interface: `"…" name(argument: Int = 1): Type! @directive`.
///
/// Spec: 3.6, "Objects".
public struct FieldDefinition: Node {
  /// The description, or `nil` without one.
  public var description: StringLiteral?
  /// The name that selections use.
  public var name: Name
  /// The arguments, in the order of the text.
  public var arguments: InputValueDefinition.List
  /// The type of the field's values.
  public var type: TypeReference
  /// The directives on the field.
  public var directives: Directive.List
  /// The span from the first token, which is the description if there is one, to the last.
  public var span: SourceSpan
}

/// An argument definition or an input field: `"…" name: Type = default @directive`.
public struct InputValueDefinition: Node {
  /// The description, or `nil` without one.
  public var description: StringLiteral?
  /// The name before the colon.
  public var name: Name
  /// The type of the accepted values.
  public var type: TypeReference
  /// The default value after `=`, or `nil` without one.
  public var defaultValue: Value?
  /// The directives on the definition.
  public var directives: Directive.List
  /// The span from the first token, which is the description if there is one, to the last.
  public var span: SourceSpan
}

/// A value of an enum: `"…" VALUE @directive`.
///
/// Spec: 3.9, "Enums".
public struct EnumValueDefinition: Node {
  /// The description, or `nil` without one.
  public var description: StringLiteral?
  /// The name, which is the value itself.
  public var name: Name
  /// The directives on the value.
  public var directives: Directive.List
  /// The span from the first token, which is the description if there is one, to the last.
  public var span: SourceSpan
}

/// A directive definition: `directive @name(argument: Int) repeatable on FIELD | QUERY`, or an
/// extension of one: `extend directive @name @deprecated`.
///
/// Definitions have directives, and there are extensions, only with
/// ``ParserOptions/allowsDirectivesOnDirectives``.
///
/// Spec: 3.13, "Directives".
public struct DirectiveDefinition: Node {
  /// A Boolean value that indicates whether the definition starts with `extend`. An extension has
  /// directives, and neither arguments nor locations.
  public var isExtension: Bool
  /// The description, or `nil` without one.
  public var description: StringLiteral?
  /// The name without `@`.
  public var name: Name
  /// The arguments, in the order of the text.
  public var arguments: InputValueDefinition.List
  /// The directives on the definition.
  public var directives: Directive.List
  /// A Boolean value that indicates whether the directive can be applied several times at one
  /// location.
  public var isRepeatable: Bool
  /// The locations as written. Each one names a ``DirectiveLocation``.
  public var locations: Name.List
  /// The span from the first token, which is the description if there is one, to the last.
  public var span: SourceSpan
}

/// A location where a directive can be applied.
///
/// Spec: 3.13, "Directives", `DirectiveLocation`.
public enum DirectiveLocation: UInt8, Hashable, Sendable, CaseIterable {
  case query, mutation, subscription, field
  case fragmentDefinition, fragmentSpread, inlineFragment, variableDefinition
  case schema, scalar, object, fieldDefinition, argumentDefinition
  case interface, union, `enum`, enumValue, inputObject, inputFieldDefinition
  case directiveDefinition

  /// Creates the location named `symbol`, or `nil` if there is none.
  public init?(_ symbol: Symbol) {
    let first = Symbol.queryLocation.rawValue
    guard symbol.rawValue >= first, symbol.rawValue - first < Self.allCases.count else {
      return nil
    }
    self.init(rawValue: UInt8(symbol.rawValue - first))
  }

  /// The name of the location, such as `FIELD_DEFINITION`.
  public var symbol: Symbol { Symbol(rawValue: Symbol.queryLocation.rawValue + UInt32(rawValue)) }
}
