/// The names of the language, which every ``NameTable`` starts with, in the order of `wellKnownSpellings`.
extension Symbol {
  // MARK: - Keywords

  @inlinable public static var query: Symbol { Symbol(rawValue: 0) }
  @inlinable public static var mutation: Symbol { Symbol(rawValue: 1) }
  @inlinable public static var subscription: Symbol { Symbol(rawValue: 2) }
  @inlinable public static var fragment: Symbol { Symbol(rawValue: 3) }
  @inlinable public static var on: Symbol { Symbol(rawValue: 4) }
  @inlinable public static var `true`: Symbol { Symbol(rawValue: 5) }
  @inlinable public static var `false`: Symbol { Symbol(rawValue: 6) }
  @inlinable public static var null: Symbol { Symbol(rawValue: 7) }
  @inlinable public static var schema: Symbol { Symbol(rawValue: 8) }
  @inlinable public static var extend: Symbol { Symbol(rawValue: 9) }
  @inlinable public static var scalar: Symbol { Symbol(rawValue: 10) }
  @inlinable public static var type: Symbol { Symbol(rawValue: 11) }
  @inlinable public static var interface: Symbol { Symbol(rawValue: 12) }
  @inlinable public static var union: Symbol { Symbol(rawValue: 13) }
  @inlinable public static var `enum`: Symbol { Symbol(rawValue: 14) }
  @inlinable public static var input: Symbol { Symbol(rawValue: 15) }
  @inlinable public static var directive: Symbol { Symbol(rawValue: 16) }
  @inlinable public static var implements: Symbol { Symbol(rawValue: 17) }
  @inlinable public static var repeatable: Symbol { Symbol(rawValue: 18) }

  // MARK: - Directive locations

  @inlinable public static var queryLocation: Symbol { Symbol(rawValue: 19) }
  @inlinable public static var mutationLocation: Symbol { Symbol(rawValue: 20) }
  @inlinable public static var subscriptionLocation: Symbol { Symbol(rawValue: 21) }
  @inlinable public static var fieldLocation: Symbol { Symbol(rawValue: 22) }
  @inlinable public static var fragmentDefinition: Symbol { Symbol(rawValue: 23) }
  @inlinable public static var fragmentSpread: Symbol { Symbol(rawValue: 24) }
  @inlinable public static var inlineFragment: Symbol { Symbol(rawValue: 25) }
  @inlinable public static var variableDefinition: Symbol { Symbol(rawValue: 26) }
  @inlinable public static var schemaLocation: Symbol { Symbol(rawValue: 27) }
  @inlinable public static var scalarLocation: Symbol { Symbol(rawValue: 28) }
  @inlinable public static var objectLocation: Symbol { Symbol(rawValue: 29) }
  @inlinable public static var fieldDefinition: Symbol { Symbol(rawValue: 30) }
  @inlinable public static var argumentDefinition: Symbol { Symbol(rawValue: 31) }
  @inlinable public static var interfaceLocation: Symbol { Symbol(rawValue: 32) }
  @inlinable public static var unionLocation: Symbol { Symbol(rawValue: 33) }
  @inlinable public static var enumLocation: Symbol { Symbol(rawValue: 34) }
  @inlinable public static var enumValue: Symbol { Symbol(rawValue: 35) }
  @inlinable public static var inputObject: Symbol { Symbol(rawValue: 36) }
  @inlinable public static var inputFieldDefinition: Symbol { Symbol(rawValue: 37) }

  // MARK: - Built-in scalars and default root types

  @inlinable public static var int: Symbol { Symbol(rawValue: 38) }
  @inlinable public static var float: Symbol { Symbol(rawValue: 39) }
  @inlinable public static var string: Symbol { Symbol(rawValue: 40) }
  @inlinable public static var boolean: Symbol { Symbol(rawValue: 41) }
  @inlinable public static var id: Symbol { Symbol(rawValue: 42) }
  @inlinable public static var queryType: Symbol { Symbol(rawValue: 43) }
  @inlinable public static var mutationType: Symbol { Symbol(rawValue: 44) }
  @inlinable public static var subscriptionType: Symbol { Symbol(rawValue: 45) }

  // MARK: - Built-in directives and their arguments

  @inlinable public static var skip: Symbol { Symbol(rawValue: 46) }
  @inlinable public static var include: Symbol { Symbol(rawValue: 47) }
  @inlinable public static var deprecated: Symbol { Symbol(rawValue: 48) }
  @inlinable public static var specifiedBy: Symbol { Symbol(rawValue: 49) }
  @inlinable public static var oneOf: Symbol { Symbol(rawValue: 50) }
  @inlinable public static var `if`: Symbol { Symbol(rawValue: 51) }
  @inlinable public static var reason: Symbol { Symbol(rawValue: 52) }
  @inlinable public static var url: Symbol { Symbol(rawValue: 53) }

  // MARK: - Introspection

  @inlinable public static var typename: Symbol { Symbol(rawValue: 54) }
  @inlinable public static var introspectionSchemaField: Symbol { Symbol(rawValue: 55) }
  @inlinable public static var introspectionTypeField: Symbol { Symbol(rawValue: 56) }
  @inlinable public static var introspectionSchema: Symbol { Symbol(rawValue: 57) }
  @inlinable public static var introspectionType: Symbol { Symbol(rawValue: 58) }
  @inlinable public static var introspectionField: Symbol { Symbol(rawValue: 59) }
  @inlinable public static var introspectionInputValue: Symbol { Symbol(rawValue: 60) }
  @inlinable public static var introspectionEnumValue: Symbol { Symbol(rawValue: 61) }
  @inlinable public static var introspectionDirective: Symbol { Symbol(rawValue: 62) }
  @inlinable public static var introspectionTypeKind: Symbol { Symbol(rawValue: 63) }
  @inlinable public static var introspectionDirectiveLocation: Symbol { Symbol(rawValue: 64) }
  @inlinable public static var name: Symbol { Symbol(rawValue: 65) }
}

extension NameTable {
  /// The spellings of the symbols above, in their order.
  static let wellKnownSpellings: [StaticString] = [
    "query", "mutation", "subscription", "fragment", "on", "true", "false", "null", "schema",
    "extend", "scalar", "type", "interface", "union", "enum", "input", "directive", "implements",
    "repeatable", "QUERY", "MUTATION", "SUBSCRIPTION", "FIELD", "FRAGMENT_DEFINITION",
    "FRAGMENT_SPREAD", "INLINE_FRAGMENT", "VARIABLE_DEFINITION", "SCHEMA", "SCALAR", "OBJECT",
    "FIELD_DEFINITION", "ARGUMENT_DEFINITION", "INTERFACE", "UNION", "ENUM", "ENUM_VALUE",
    "INPUT_OBJECT", "INPUT_FIELD_DEFINITION", "Int", "Float", "String", "Boolean", "ID", "Query",
    "Mutation", "Subscription", "skip", "include", "deprecated", "specifiedBy", "oneOf", "if",
    "reason", "url", "__typename", "__schema", "__type", "__Schema", "__Type", "__Field",
    "__InputValue", "__EnumValue", "__Directive", "__TypeKind", "__DirectiveLocation", "name",
  ]
}
