/// The names of the GraphQL language. Every ``NameTable`` starts with them, in the order of
/// `wellKnownSpellings`.
extension Symbol {
  // MARK: - Keywords

  /// The keyword `query`.
  @inlinable public static var query: Symbol { Symbol(rawValue: 0) }
  /// The keyword `mutation`.
  @inlinable public static var mutation: Symbol { Symbol(rawValue: 1) }
  /// The keyword `subscription`.
  @inlinable public static var subscription: Symbol { Symbol(rawValue: 2) }
  /// The keyword `fragment`.
  @inlinable public static var fragment: Symbol { Symbol(rawValue: 3) }
  /// The keyword `on`.
  @inlinable public static var on: Symbol { Symbol(rawValue: 4) }
  /// The keyword `true`.
  @inlinable public static var `true`: Symbol { Symbol(rawValue: 5) }
  /// The keyword `false`.
  @inlinable public static var `false`: Symbol { Symbol(rawValue: 6) }
  /// The keyword `null`.
  @inlinable public static var null: Symbol { Symbol(rawValue: 7) }
  /// The keyword `schema`.
  @inlinable public static var schema: Symbol { Symbol(rawValue: 8) }
  /// The keyword `extend`.
  @inlinable public static var extend: Symbol { Symbol(rawValue: 9) }
  /// The keyword `scalar`.
  @inlinable public static var scalar: Symbol { Symbol(rawValue: 10) }
  /// The keyword `type`.
  @inlinable public static var type: Symbol { Symbol(rawValue: 11) }
  /// The keyword `interface`.
  @inlinable public static var interface: Symbol { Symbol(rawValue: 12) }
  /// The keyword `union`.
  @inlinable public static var union: Symbol { Symbol(rawValue: 13) }
  /// The keyword `enum`.
  @inlinable public static var `enum`: Symbol { Symbol(rawValue: 14) }
  /// The keyword `input`.
  @inlinable public static var input: Symbol { Symbol(rawValue: 15) }
  /// The keyword `directive`.
  @inlinable public static var directive: Symbol { Symbol(rawValue: 16) }
  /// The keyword `implements`.
  @inlinable public static var implements: Symbol { Symbol(rawValue: 17) }
  /// The keyword `repeatable`.
  @inlinable public static var repeatable: Symbol { Symbol(rawValue: 18) }

  // MARK: - Directive locations

  /// The directive location `QUERY`.
  @inlinable public static var queryLocation: Symbol { Symbol(rawValue: 19) }
  /// The directive location `MUTATION`.
  @inlinable public static var mutationLocation: Symbol { Symbol(rawValue: 20) }
  /// The directive location `SUBSCRIPTION`.
  @inlinable public static var subscriptionLocation: Symbol { Symbol(rawValue: 21) }
  /// The directive location `FIELD`.
  @inlinable public static var fieldLocation: Symbol { Symbol(rawValue: 22) }
  /// The directive location `FRAGMENT_DEFINITION`.
  @inlinable public static var fragmentDefinition: Symbol { Symbol(rawValue: 23) }
  /// The directive location `FRAGMENT_SPREAD`.
  @inlinable public static var fragmentSpread: Symbol { Symbol(rawValue: 24) }
  /// The directive location `INLINE_FRAGMENT`.
  @inlinable public static var inlineFragment: Symbol { Symbol(rawValue: 25) }
  /// The directive location `VARIABLE_DEFINITION`.
  @inlinable public static var variableDefinition: Symbol { Symbol(rawValue: 26) }
  /// The directive location `SCHEMA`.
  @inlinable public static var schemaLocation: Symbol { Symbol(rawValue: 27) }
  /// The directive location `SCALAR`.
  @inlinable public static var scalarLocation: Symbol { Symbol(rawValue: 28) }
  /// The directive location `OBJECT`.
  @inlinable public static var objectLocation: Symbol { Symbol(rawValue: 29) }
  /// The directive location `FIELD_DEFINITION`.
  @inlinable public static var fieldDefinition: Symbol { Symbol(rawValue: 30) }
  /// The directive location `ARGUMENT_DEFINITION`.
  @inlinable public static var argumentDefinition: Symbol { Symbol(rawValue: 31) }
  /// The directive location `INTERFACE`.
  @inlinable public static var interfaceLocation: Symbol { Symbol(rawValue: 32) }
  /// The directive location `UNION`.
  @inlinable public static var unionLocation: Symbol { Symbol(rawValue: 33) }
  /// The directive location `ENUM`.
  @inlinable public static var enumLocation: Symbol { Symbol(rawValue: 34) }
  /// The directive location `ENUM_VALUE`.
  @inlinable public static var enumValue: Symbol { Symbol(rawValue: 35) }
  /// The directive location `INPUT_OBJECT`.
  @inlinable public static var inputObject: Symbol { Symbol(rawValue: 36) }
  /// The directive location `INPUT_FIELD_DEFINITION`.
  @inlinable public static var inputFieldDefinition: Symbol { Symbol(rawValue: 37) }
  /// The directive location `DIRECTIVE_DEFINITION`.
  @inlinable public static var directiveDefinition: Symbol { Symbol(rawValue: 38) }

  // MARK: - Built-in scalars and default root types

  /// The built-in scalar type `Int`.
  @inlinable public static var int: Symbol { Symbol(rawValue: 39) }
  /// The built-in scalar type `Float`.
  @inlinable public static var float: Symbol { Symbol(rawValue: 40) }
  /// The built-in scalar type `String`.
  @inlinable public static var string: Symbol { Symbol(rawValue: 41) }
  /// The built-in scalar type `Boolean`.
  @inlinable public static var boolean: Symbol { Symbol(rawValue: 42) }
  /// The built-in scalar type `ID`.
  @inlinable public static var id: Symbol { Symbol(rawValue: 43) }
  /// The default name of a root operation type, `Query`.
  @inlinable public static var queryType: Symbol { Symbol(rawValue: 44) }
  /// The default name of a root operation type, `Mutation`.
  @inlinable public static var mutationType: Symbol { Symbol(rawValue: 45) }
  /// The default name of a root operation type, `Subscription`.
  @inlinable public static var subscriptionType: Symbol { Symbol(rawValue: 46) }

  // MARK: - Built-in directives and their arguments

  /// The built-in directive `@skip`.
  @inlinable public static var skip: Symbol { Symbol(rawValue: 47) }
  /// The built-in directive `@include`.
  @inlinable public static var include: Symbol { Symbol(rawValue: 48) }
  /// The built-in directive `@deprecated`.
  @inlinable public static var deprecated: Symbol { Symbol(rawValue: 49) }
  /// The built-in directive `@specifiedBy`.
  @inlinable public static var specifiedBy: Symbol { Symbol(rawValue: 50) }
  /// The built-in directive `@oneOf`.
  @inlinable public static var oneOf: Symbol { Symbol(rawValue: 51) }
  /// The argument `if` of a built-in directive.
  @inlinable public static var `if`: Symbol { Symbol(rawValue: 52) }
  /// The argument `reason` of a built-in directive.
  @inlinable public static var reason: Symbol { Symbol(rawValue: 53) }
  /// The argument `url` of a built-in directive.
  @inlinable public static var url: Symbol { Symbol(rawValue: 54) }

  // MARK: - Introspection

  /// The meta-field `__typename`.
  @inlinable public static var typename: Symbol { Symbol(rawValue: 55) }
  /// The meta-field `__schema`.
  @inlinable public static var introspectionSchemaField: Symbol { Symbol(rawValue: 56) }
  /// The meta-field `__type`.
  @inlinable public static var introspectionTypeField: Symbol { Symbol(rawValue: 57) }
  /// The introspection type `__Schema`.
  @inlinable public static var introspectionSchema: Symbol { Symbol(rawValue: 58) }
  /// The introspection type `__Type`.
  @inlinable public static var introspectionType: Symbol { Symbol(rawValue: 59) }
  /// The introspection type `__Field`.
  @inlinable public static var introspectionField: Symbol { Symbol(rawValue: 60) }
  /// The introspection type `__InputValue`.
  @inlinable public static var introspectionInputValue: Symbol { Symbol(rawValue: 61) }
  /// The introspection type `__EnumValue`.
  @inlinable public static var introspectionEnumValue: Symbol { Symbol(rawValue: 62) }
  /// The introspection type `__Directive`.
  @inlinable public static var introspectionDirective: Symbol { Symbol(rawValue: 63) }
  /// The introspection type `__TypeKind`.
  @inlinable public static var introspectionTypeKind: Symbol { Symbol(rawValue: 64) }
  /// The introspection type `__DirectiveLocation`.
  @inlinable public static var introspectionDirectiveLocation: Symbol { Symbol(rawValue: 65) }
  /// The argument `name` of the meta-field `__type`.
  @inlinable public static var name: Symbol { Symbol(rawValue: 66) }
}

extension NameTable {
  /// The spellings of the symbols above, in the same order.
  static let wellKnownSpellings: [StaticString] = [
    "query", "mutation", "subscription", "fragment", "on", "true", "false", "null", "schema",
    "extend", "scalar", "type", "interface", "union", "enum", "input", "directive", "implements",
    "repeatable", "QUERY", "MUTATION", "SUBSCRIPTION", "FIELD", "FRAGMENT_DEFINITION",
    "FRAGMENT_SPREAD", "INLINE_FRAGMENT", "VARIABLE_DEFINITION", "SCHEMA", "SCALAR", "OBJECT",
    "FIELD_DEFINITION", "ARGUMENT_DEFINITION", "INTERFACE", "UNION", "ENUM", "ENUM_VALUE",
    "INPUT_OBJECT", "INPUT_FIELD_DEFINITION", "DIRECTIVE_DEFINITION", "Int", "Float", "String",
    "Boolean", "ID", "Query", "Mutation", "Subscription", "skip", "include", "deprecated",
    "specifiedBy", "oneOf", "if", "reason", "url", "__typename", "__schema", "__type", "__Schema",
    "__Type", "__Field", "__InputValue", "__EnumValue", "__Directive", "__TypeKind",
    "__DirectiveLocation", "name",
  ]
}
