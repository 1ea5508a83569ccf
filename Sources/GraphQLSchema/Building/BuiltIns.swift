import GraphQLSyntax

/// The definitions that every schema contains, as SDL.
///
/// Each schema starts with the types and directives of this text, so built-in types need no special
/// code.
///
/// Spec: 3.5.1 to 3.5.5, "Scalars"; 3.13, "Directives"; 4.2, "Schema Introspection".
enum BuiltIns {
  /// The schema that contains only the built-in definitions.
  static let schema = build(hasDeprecatedDirectives: false)

  /// The built-in definitions of the draft in which directives can be deprecated.
  private static let schemaWithDeprecatedDirectives = build(hasDeprecatedDirectives: true)

  /// Returns the schema that contains only the built-in definitions.
  static func schema(for options: ParserOptions) -> Schema {
    options.allowsDirectivesOnDirectives ? schemaWithDeprecatedDirectives : schema
  }

  private static func build(hasDeprecatedDirectives: Bool) -> Schema {
    let options = ParserOptions(allowsDirectivesOnDirectives: hasDeprecatedDirectives)
    let (document, diagnostics) = Document.parsing(
      sdl(hasDeprecatedDirectives: hasDeprecatedDirectives), name: sourceName, options: options)
    precondition(diagnostics.isEmpty, "The built-in definitions are not SDL.")
    return SchemaBuilder.buildBuiltIns(
      document, hasDeprecatedDirectives: hasDeprecatedDirectives)
  }

  /// The name of the text in the list of sources.
  static let sourceName = "built-in definitions"

  /// Returns the definitions, with those of the draft if directives can be deprecated.
  private static func sdl(hasDeprecatedDirectives: Bool) -> String {
    func draft(_ text: String) -> String { hasDeprecatedDirectives ? text : "" }
    return """
      "A whole number between -2^31 and 2^31 - 1."
      scalar Int
      "A number with a fraction, as precise as IEEE 754 double precision."
      scalar Float
      "Text, a sequence of Unicode characters."
      scalar String
      "`true` or `false`."
      scalar Boolean
      \"""
      The identifier of an object, for refetching it or as a cache key. It is a string in responses; \\
      inputs can be strings or whole numbers. It need not be readable.
      \"""
      scalar ID

      "The types and directives of a server, and the root type of each kind of operation."
      type __Schema {
        description: String
        "All types of the schema."
        types: [__Type!]!
        "The root type of queries."
        queryType: __Type!
        "The root type of mutations, if the server supports them."
        mutationType: __Type
        "The root type of subscriptions, if the server supports them."
        subscriptionType: __Type
        "All directives that the server supports."
        directives\(draft("(includeDeprecated: Boolean! = false)")): [__Directive!]!
      }

      \"""
      A named type, or a list or non-null type of another type. `kind` determines the fields with values.
      \"""
      type __Type {
        kind: __TypeKind!
        name: String
        description: String
        specifiedByURL: String
        fields(includeDeprecated: Boolean = false): [__Field!]
        interfaces: [__Type!]
        possibleTypes: [__Type!]
        enumValues(includeDeprecated: Boolean = false): [__EnumValue!]
        inputFields(includeDeprecated: Boolean = false): [__InputValue!]
        ofType: __Type
        isOneOf: Boolean
      }

      "The kinds of types."
      enum __TypeKind {
        "A leaf value."
        SCALAR
        "Has `fields` and `interfaces`."
        OBJECT
        "Has `fields`, `interfaces` and `possibleTypes`."
        INTERFACE
        "Has `possibleTypes`."
        UNION
        "Has `enumValues`."
        ENUM
        "Has `inputFields`."
        INPUT_OBJECT
        "A list of `ofType`."
        LIST
        "`ofType` without null."
        NON_NULL
      }

      "One field of an object or interface type."
      type __Field {
        name: String!
        description: String
        args(includeDeprecated: Boolean = false): [__InputValue!]!
        type: __Type!
        isDeprecated: Boolean!
        deprecationReason: String
      }

      "An argument of a field or directive, or a field of an input object."
      type __InputValue {
        name: String!
        description: String
        type: __Type!
        "The default value, in GraphQL notation."
        defaultValue: String
        isDeprecated: Boolean!
        deprecationReason: String
      }

      "One value of an enum."
      type __EnumValue {
        name: String!
        description: String
        isDeprecated: Boolean!
        deprecationReason: String
      }

      "An annotation in documents that changes how servers and tools process them."
      type __Directive {
        name: String!
        description: String
        isRepeatable: Boolean!
        locations: [__DirectiveLocation!]!
        args(includeDeprecated: Boolean = false): [__InputValue!]!
        \(draft("isDeprecated: Boolean! deprecationReason: String"))
      }

      "The locations where a directive can be applied."
      enum __DirectiveLocation {
        "On a query."
        QUERY
        "On a mutation."
        MUTATION
        "On a subscription."
        SUBSCRIPTION
        "On a field of a selection set."
        FIELD
        "On a fragment definition."
        FRAGMENT_DEFINITION
        "On a fragment spread."
        FRAGMENT_SPREAD
        "On an inline fragment."
        INLINE_FRAGMENT
        "On a variable definition."
        VARIABLE_DEFINITION
        "On a schema definition."
        SCHEMA
        "On a scalar type."
        SCALAR
        "On an object type."
        OBJECT
        "On a field definition."
        FIELD_DEFINITION
        "On an argument definition."
        ARGUMENT_DEFINITION
        "On an interface type."
        INTERFACE
        "On a union type."
        UNION
        "On an enum type."
        ENUM
        "On a value of an enum type."
        ENUM_VALUE
        "On an input object type."
        INPUT_OBJECT
        "On a field of an input object type."
        INPUT_FIELD_DEFINITION
        \(draft("\"On a directive definition.\" DIRECTIVE_DEFINITION"))
      }

      "Includes the annotated selection only if `if` is true."
      directive @include(
        "The condition for including the selection."
        if: Boolean!
      ) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT

      "Skips the annotated selection if `if` is true."
      directive @skip(
        "The condition for skipping the selection."
        if: Boolean!
      ) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT

      "Marks an element as deprecated."
      directive @deprecated(
        "The reason for the deprecation and the replacement, in Markdown."
        reason: String = "No longer supported"
      ) on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
        \(draft("| DIRECTIVE_DEFINITION"))

      "Refers to the specification of a custom scalar."
      directive @specifiedBy(
        "The URL of the specification."
        url: String!
      ) on SCALAR

      "Requires values of the input object to have exactly one field, which is not null."
      directive @oneOf on INPUT_OBJECT

      "A container for the meta-fields, which types have without defining them."
      type __MetaFields {
        "The name of the object's type."
        __typename: String!
        "The schema of the server."
        __schema: __Schema!
        "The type with the given name, if there is one."
        __type(name: String!): __Type
      }
      """
  }
}
