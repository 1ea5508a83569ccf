import ApolloAPI

/// A schema and selections that are made while a test runs, in the place of generated code.
struct DynamicDefinition: Sendable {
  let types: SchemaTypes
  let configuration: any SchemaConfiguration.Type
  let selections: Selections

  /// - Parameters:
  ///   - selections: The literal that generated code would have; it is kept for ever, as theirs is.
  ///   - types: The composite types of the schema.
  ///   - configuration: Decides about keys.
  init(
    _ selections: Selections, types: SchemaTypes,
    configuration: any SchemaConfiguration.Type = KeyFieldsDecide.self
  ) {
    self.types = types
    self.configuration = configuration
    self.selections = selections
    _ = Unmanaged.passRetained(selections)
  }

  /// Runs `body`, in which ``DynamicQuery`` is a query with these selections.
  func use<Result>(_ body: (DynamicQuery.Type) async throws -> Result) async rethrows -> Result {
    try await Self.$current.withValue(self) { try await body(DynamicQuery.self) }
  }

  /// What ``DynamicQuery`` is now.
  @TaskLocal fileprivate static var current = DynamicDefinition(
    Selections("Query {}"), types: SchemaTypes())
}

/// A configuration that leaves all keys to the key fields.
enum KeyFieldsDecide: SchemaConfiguration {
  static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
}

/// A query of the definition that is in use.
struct DynamicQuery: GraphQLQuery {
  static var operationName: String { "Dynamic" }
  static var operationDocument: OperationDocument {
    .init(definition: .init("query Dynamic { __typename }"))
  }
  static var __selections: Selections { DynamicDefinition.current.selections }

  var __variables: Variables?

  init(_ variables: Variables? = nil) { __variables = variables }

  enum Schema: SchemaMetadata {
    static var configuration: any SchemaConfiguration.Type {
      DynamicDefinition.current.configuration
    }
    static var types: SchemaTypes { DynamicDefinition.current.types }
  }

  struct Data: RootSelectionSet {
    typealias Schema = DynamicQuery.Schema
    static var __layout: SelectionLayout { DynamicDefinition.current.selections[0] }
    let __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }
  }
}
