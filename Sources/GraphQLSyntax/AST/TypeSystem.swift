/// `schema { query: Query }`, or an extension of it.
///
/// Spec: 3.3, "Schema".
public struct SchemaDefinition: Node {
  public var isExtension: Bool
  public var description: StringLiteral?
  public var directives: Directive.List
  public var rootOperationTypes: RootOperationType.List
  /// The word `schema`.
  public var keywordSpan: SourceSpan
  public var span: SourceSpan
}

/// `query: Query` in a schema definition.
public struct RootOperationType: Node {
  public var kind: OperationKind
  public var type: Name
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

/// A definition of a type of any kind, or an extension of one. Lists that its kind does not have are empty.
///
/// Spec: 3.4, "Types".
public struct TypeDefinition: Node {
  public var kind: TypeKind
  public var isExtension: Bool
  public var description: StringLiteral?
  public var name: Name
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
  public var span: SourceSpan
}

/// `"…" name(argument: Int = 1): Type! @directive`.
///
/// Spec: 3.6, "Objects".
public struct FieldDefinition: Node {
  public var description: StringLiteral?
  public var name: Name
  public var arguments: InputValueDefinition.List
  public var type: TypeReference
  public var directives: Directive.List
  public var span: SourceSpan
}

/// `"…" name: Type = default @directive`: an argument's definition, or an input object's field.
public struct InputValueDefinition: Node {
  public var description: StringLiteral?
  public var name: Name
  public var type: TypeReference
  public var defaultValue: Value?
  public var directives: Directive.List
  public var span: SourceSpan
}

/// `"…" VALUE @directive`.
///
/// Spec: 3.9, "Enums".
public struct EnumValueDefinition: Node {
  public var description: StringLiteral?
  public var name: Name
  public var directives: Directive.List
  public var span: SourceSpan
}

/// `directive @name(argument: Int) repeatable on FIELD | QUERY`.
///
/// Spec: 3.13, "Directives".
public struct DirectiveDefinition: Node {
  public var description: StringLiteral?
  /// The name without `@`.
  public var name: Name
  public var arguments: InputValueDefinition.List
  public var isRepeatable: Bool
  /// The locations, as written. Each is the name of a ``DirectiveLocation``.
  public var locations: Name.List
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
