import SwiftSource

/// Names that generated types cannot have, because generated code uses them with another meaning.
///
/// `VocabularyTests` keeps the lists complete.
enum ReservedSwiftNames {
  /// Names that structs inside of models cannot have: ``vocabulary``, and names that capitalization
  /// rules can produce although Swift reads them as keywords or as members.
  static let nestedTypes = vocabulary.union(Identifier.keywords).union([
    "__layout", "__object", "__selections", "__storage", "any", "async", "borrowing", "consuming",
    "each", "get", "isolated", "nonisolated", "sending", "set", "some",
  ])

  /// Names that Apollo iOS reserves. The kind of a type with one of them is a part of its name,
  /// also in those of its type cases: `AsError_Interface`.
  static let ofApolloIOS: Set<String> = [
    "Any", "Bool", "DataDict", "DocumentType", "Double", "Error", "Float", "FragmentContainer",
    "Fragments", "ID", "Int", "Int32", "ParentType", "Protocol", "Schema", "Selection", "Self",
    "String", "Type", "_",
  ]

  /// Names that Apollo iOS reserves, and names that models use without qualification.
  private static let vocabulary = ofApolloIOS.union([
    "ApolloAPI", "GraphQLEnum", "Identifiable", "KeyPath", "RootEntityType", "Swift", "__",
  ])

  /// Names that types of the schema, operations and fragments cannot have. All other names are used
  /// beside them.
  static let types = nestedTypes.union(fullVocabulary)

  /// Names that occur in files with operations or types of the schema.
  static let fullVocabulary = vocabulary.union([
    "CacheKeyInfo", "Fragment", "GraphQLMutation", "GraphQLNullable", "GraphQLQuery",
    "GraphQLSubscription", "InlineFragment", "Interfaces", "JSONValue", "LocalCacheMutation",
    "MutableInlineFragment", "MutableRootSelectionSet", "MutableSelectionSet", "ObjectData",
    "Objects", "SchemaConfiguration", "SchemaMetadata", "SelectionSet", "Unions",
  ])

  /// The types that are nested in operations. What is declared around an operation has to be
  /// qualified in it, if it has one of these names.
  static let operationTypes: Set<String> = ["Data", "ResponseFormat"]

  /// Names that the constants of objects, interfaces and unions cannot have, because they refer to
  /// the schema.
  static let typeConstants = nestedTypes.union(["SchemaMetadata"])

  /// Names that types with mocks cannot have, because the code of mocks uses them. `O` is the
  /// generic parameter of `Mock`.
  static let mocks: Set<String> = [
    "AnyMock", "ApolloTestSupport", "Mock", "MockField", "MockFields", "MockObject", "O",
    "Sendable",
  ]

  /// Names that properties of models cannot have, because models declare them or use them beside
  /// properties.
  static let properties: Set<String> = [
    "ApolloAPI", "Self", "__layout", "__object", "__selections", "__storage", "__value",
    "__view", "__views",
    "fragments",
    "self",
  ]

  /// Names that cases of enums cannot have. The last ones are types that the protocols of enums
  /// require.
  static let cases: Set<String> = [
    "Self", "__names", "allCases", "AllCases", "ArrayLiteralElement", "RawValue",
  ]

  /// Static members that a value of an enum has where it is sent from: `Optional`,
  /// `GraphQLNullable` and `GraphQLEnum` declare them, and Swift prefers theirs to a case of the
  /// same name. `VocabularyTests` keeps the list complete.
  static let enumMembers: Set<String> = [
    "AllCases", "Protocol", "RawValue", "Self", "T", "Type", "Value", "Wrapped", "allCases", "case",
    "init", "none", "null", "self", "some", "someOrNull", "unknown",
  ]

  /// Names that properties of input objects and operations cannot have. `self` and `hashValue` have
  /// another meaning where they occur alone.
  static let inputs: Set<String> = [
    "ApolloAPI", "Data", "Self", "__data", "__inputValue", "__names", "__values", "__variables",
    "hashValue", "self",
  ]
}
