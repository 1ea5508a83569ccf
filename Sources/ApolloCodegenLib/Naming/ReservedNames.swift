import SwiftSource

/// Names that generated types cannot have, because generated code says them and means something else.
///
/// `VocabularyTests` keeps the lists complete.
enum ReservedNames {
  /// For structs inside models: ``vocabulary``, and what rules of capitalization can make of a name although Swift reads something
  /// else where a type stands, or where the text of a property begins.
  static let nestedTypes = vocabulary.union(Identifier.keywords).union([
    "__layout", "__object", "__selections", "__storage", "any", "async", "borrowing", "consuming",
    "each", "get", "isolated", "nonisolated", "sending", "set", "some",
  ])

  /// What Apollo iOS reserves, so that names are the same here, and what models say unqualified.
  private static let vocabulary: Set<String> = [
    "Any", "ApolloAPI", "Bool", "DataDict", "DocumentType", "Double", "Error", "Float",
    "FragmentContainer", "Fragments", "GraphQLEnum", "ID", "Identifiable", "Int", "Int32",
    "KeyPath",
    "ParentType", "Protocol", "RootEntityType", "Schema", "Selection", "Self", "String", "Swift",
    "Type", "_", "__",
  ]

  /// For types of the schema, operations and fragments, beside which everything else is said.
  static let types = nestedTypes.union(fullVocabulary)

  /// What is said in files with operations or types of the schema.
  static let fullVocabulary = vocabulary.union([
    "CacheKeyInfo", "Fragment", "GraphQLMutation", "GraphQLNullable", "GraphQLQuery",
    "GraphQLSubscription", "InlineFragment", "Interfaces", "JSONValue", "LocalCacheMutation",
    "MutableInlineFragment", "MutableRootSelectionSet", "MutableSelectionSet", "ObjectData",
    "Objects", "SchemaConfiguration", "SchemaMetadata", "SelectionSet", "Unions",
  ])

  /// For the constants of objects, interfaces and unions, which refer to the schema.
  static let typeConstants = nestedTypes.union(["SchemaMetadata"])

  /// For types that have mocks, beside which mocks are said.
  static let mocks: Set<String> = [
    "AnyMock", "ApolloTestSupport", "Mock", "MockField", "MockFields", "MockObject", "Sendable",
  ]

  /// Properties that models have anyway, and what is said beside their properties.
  static let properties: Set<String> = [
    "ApolloAPI", "Self", "__layout", "__object", "__selections", "__storage", "__value",
    "fragments",
    "self",
  ]

  /// The same for cases of enums.
  static let cases: Set<String> = ["Self", "allCases"]

  /// The same for properties of input objects and operations; `self` and `hashValue` would mean something else where they stand
  /// alone.
  static let inputs: Set<String> = [
    "ApolloAPI", "Data", "Self", "__data", "__inputValue", "__variables", "hashValue", "self",
  ]
}
