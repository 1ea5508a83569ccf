import GraphQLSyntax

/// The definitions that every schema contains, as SDL.
///
/// Each schema starts with the types and directives of this text, so built-in types need no special
/// code.
///
/// Spec: 3.5.1 to 3.5.5, "Scalars"; 3.13, "Directives"; 4.2, "Schema Introspection".
enum BuiltIns {
  /// The schema that contains only the built-in definitions.
  static let schema: Schema = {
    let (document, diagnostics) = Document.parsing(sdl, name: sourceName)
    precondition(diagnostics.isEmpty, "The built-in definitions are not SDL.")
    return SchemaBuilder.buildBuiltIns(document)
  }()

  /// The name of the text in the list of sources.
  static let sourceName = "built-in definitions"

  static let sdl = """
    "A whole number between -2^31 and 2^31 - 1."
    scalar Int
    "A number with a fraction, as precise as IEEE 754 double precision."
    scalar Float
    "Text, a sequence of Unicode characters."
    scalar String
    "`true` or `false`."
    scalar Boolean
    \"""
    Identifies an object, for refetching it or as the key of a cache. Servers answer with a string; \\
    inputs may be strings or whole numbers. Not meant to be read by people.
    \"""
    scalar ID

    "What a server can do: its types and directives, and where each kind of operation starts."
    type __Schema {
      description: String
      "All types of the schema."
      types: [__Type!]!
      "The type where queries start."
      queryType: __Type!
      "The type where mutations start, if the server has any."
      mutationType: __Type
      "The type where subscriptions start, if the server has any."
      subscriptionType: __Type
      "All directives that the server understands."
      directives: [__Directive!]!
    }

    \"""
    A type, or a list or non-null of another type. `kind` says which of the other fields have a value.
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
      "The value used when none is given, written as in a GraphQL document."
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

    "Something to annotate documents with, which tells the server or its tools to act differently."
    type __Directive {
      name: String!
      description: String
      isRepeatable: Boolean!
      locations: [__DirectiveLocation!]!
      args(includeDeprecated: Boolean = false): [__InputValue!]!
    }

    "The places where a directive can be written."
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
    }

    "Leaves the annotated selection out unless `if` is true."
    directive @include(
      "Whether to include the selection."
      if: Boolean!
    ) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT

    "Leaves the annotated selection out if `if` is true."
    directive @skip(
      "Whether to leave the selection out."
      if: Boolean!
    ) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT

    "Marks what should no longer be used."
    directive @deprecated(
      "Why, and what to use instead. Markdown."
      reason: String = "No longer supported"
    ) on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE

    "Says where the format of a custom scalar is specified."
    directive @specifiedBy(
      "The address of the specification."
      url: String!
    ) on SCALAR

    "Exactly one field of the input object must be given, and not null."
    directive @oneOf on INPUT_OBJECT

    "Not a type: the fields that types have without defining them."
    type __MetaFields {
      "The name of the object's type."
      __typename: String!
      "What the server can do."
      __schema: __Schema!
      "The type of a name, if there is one."
      __type(name: String!): __Type
    }
    """
}
