import GraphQLSyntax

/// The introspection query of the specification's section 4, "Introspection".
struct IntrospectionQuery {
  /// The parts that servers before the specification of 2025 may lack.
  var features: Set<IntrospectionFeature>
  /// The number of `ofType` in a type.
  var typeDepth = Self.fullTypeDepth

  /// The number of lists and non-nulls that a type can have: more than any schema uses.
  static let fullTypeDepth = 9
  /// The number that `[T!]!` needs. With it, the whole query is nine fields deep.
  static let shallowTypeDepth = 3

  /// The text of the query.
  var text: String {
    func part(_ feature: IntrospectionFeature, _ text: String) -> String {
      features.contains(feature) ? text : ""
    }
    let include = "(includeDeprecated: true)"
    let address =
      part(.specifiedByURL, " specifiedByURL")
      + part(.specifiedByUrl, " specifiedByURL: specifiedByUrl")
    let wrapped = (0..<typeDepth).reduce("kind name") { inner, _ in
      "kind name ofType { \(inner) }"
    }
    return """
      query IntrospectionQuery { __schema {\(part(.schemaDescription, " description")) \
      queryType { name } mutationType { name } \
      subscriptionType { name } types { ...FullType } \
      directives\(part(.deprecatedDirectives, include)) { name description\
      \(part(.isRepeatable, " isRepeatable"))\
      \(part(.directiveDeprecations, " isDeprecated deprecationReason")) \
      locations args\(part(.deprecatedDirectiveArguments, include)) { ...InputValue } } } } \
      fragment FullType on __Type { kind name description\(address)\(part(.isOneOf, " isOneOf")) \
      fields(includeDeprecated: true) { \
      name description args\(part(.deprecatedArguments, include)) { ...InputValue } \
      type { ...TypeRef } isDeprecated \
      deprecationReason } inputFields\(part(.deprecatedInputFields, include)) { ...InputValue } \
      interfaces { ...TypeRef } \
      enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } \
      possibleTypes { ...TypeRef } } \
      fragment InputValue on __InputValue { name description type { ...TypeRef } \
      defaultValue\(part(.inputDeprecations, " isDeprecated deprecationReason")) } \
      fragment TypeRef on __Type { \(wrapped) }
      """
  }
}

/// A part of introspection that not every server has.
enum IntrospectionFeature: CaseIterable {
  case schemaDescription
  case specifiedByURL
  /// The name in graphql-js 15.
  case specifiedByUrl
  case isOneOf
  case isRepeatable
  case deprecatedArguments
  case deprecatedInputFields
  case deprecatedDirectiveArguments
  case inputDeprecations
  case deprecatedDirectives
  case directiveDeprecations

  /// The features of the specification's draft, which only a server that lists them is asked for.
  static let drafts: Set<Self> = [.deprecatedDirectives, .directiveDeprecations]

  /// Returns the features of the specification.
  ///
  /// - Parameter deprecatedInputs: `true` to include deprecated arguments and input fields, which a
  ///   server otherwise omits.
  /// - Returns: The features.
  static func specified(deprecatedInputs: Bool) -> Set<Self> {
    let inputs: Set<Self> = [
      .deprecatedArguments, .deprecatedInputFields, .deprecatedDirectiveArguments,
      .inputDeprecations,
    ]
    let all = Set(allCases).subtracting([.specifiedByUrl]).subtracting(drafts)
    return deprecatedInputs ? all : all.subtracting(inputs)
  }

  /// The type of introspection, its field, and the argument of the field that the feature needs.
  private var coordinate: (type: String, field: String, argument: String?) {
    switch self {
    case .schemaDescription: ("__Schema", "description", nil)
    case .specifiedByURL: ("__Type", "specifiedByURL", nil)
    case .specifiedByUrl: ("__Type", "specifiedByUrl", nil)
    case .isOneOf: ("__Type", "isOneOf", nil)
    case .isRepeatable: ("__Directive", "isRepeatable", nil)
    case .deprecatedArguments: ("__Field", "args", "includeDeprecated")
    case .deprecatedInputFields: ("__Type", "inputFields", "includeDeprecated")
    case .deprecatedDirectiveArguments: ("__Directive", "args", "includeDeprecated")
    case .inputDeprecations: ("__InputValue", "isDeprecated", nil)
    case .deprecatedDirectives: ("__Schema", "directives", "includeDeprecated")
    case .directiveDeprecations: ("__Directive", "isDeprecated", nil)
    }
  }

  /// The feature as a schema coordinate.
  var name: String {
    let (type, field, argument) = coordinate
    return "\(type).\(field)" + (argument.map { "(\($0):)" } ?? "")
  }

  /// The loss in a schema from a server without the feature.
  var loss: String {
    switch self {
    case .schemaDescription: "description of its own"
    case .specifiedByURL, .specifiedByUrl: "'@specifiedBy'"
    case .isOneOf: "'@oneOf'"
    case .isRepeatable: "'repeatable'"
    case .deprecatedArguments: "deprecated arguments"
    case .deprecatedInputFields: "deprecated input fields"
    case .deprecatedDirectiveArguments: "deprecated arguments of directives"
    case .inputDeprecations: "deprecations of inputs"
    case .deprecatedDirectives: "deprecated directives"
    case .directiveDeprecations: "deprecations of directives"
    }
  }

  // MARK: - Asking a server

  private static let types = ["__Schema", "__Type", "__Field", "__Directive", "__InputValue"]

  /// The query for the types of introspection themselves.
  static let query: String = {
    let fields = types.map { "\($0.dropFirst(2)): __type(name: \"\($0)\") { ...Fields }" }
    return "query IntrospectionQuery { \(fields.joined(separator: " ")) } "
      + "fragment Fields on __Type { fields { name args { name } } }"
  }()

  /// Returns the features that a response to ``query`` lists, or `nil` if it lists no type.
  static func supported(by data: IndexedJSON.Value?) -> Set<Self>? {
    let members = data?.members ?? []
    return supported { type in
      members.first { $0.key.string ?? "" == type.dropFirst(2) }?.value
    }
  }

  /// Returns the features of ``drafts`` that a schema lists among its types, which are also those
  /// of introspection.
  static func drafts(in schema: IndexedJSON.Value?) -> Set<Self> {
    let types = schema?["types"]?.items ?? []
    let supported = supported { name in types.first { $0["name"]?.string == name } }
    return drafts.intersection(supported ?? [])
  }

  private static func supported(
    by type: (String) -> IndexedJSON.Value?
  ) -> Set<Self>? {
    var coordinates: Set<String> = []
    for owner in types {
      for field in type(owner)?["fields"]?.items ?? [] {
        guard let name = field["name"]?.string else { continue }
        coordinates.insert("\(owner).\(name)")
        for argument in field["args"]?.items ?? [] {
          guard let label = argument["name"]?.string else { continue }
          coordinates.insert("\(owner).\(name)(\(label):)")
        }
      }
    }
    return coordinates.isEmpty ? nil : Set(allCases.filter { coordinates.contains($0.name) })
  }
}
