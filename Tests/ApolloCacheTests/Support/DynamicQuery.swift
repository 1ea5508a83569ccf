import ApolloAPI

/// A schema and selections that are made while a test runs, in the place of generated code.
struct DynamicDefinition: Sendable {
  let types: SchemaTypes
  let configuration: any SchemaConfiguration.Type
  let selections: Selections
  fileprivate let fragments: [Selections]

  /// The fragments `#0`, `#1` … of a literal. Each can spread those before it.
  static let fragmentTypes: [any Fragment.Type] = [
    DynamicFragment<FirstFragment>.self, DynamicFragment<SecondFragment>.self,
    DynamicFragment<ThirdFragment>.self,
  ]

  /// - Parameters:
  ///   - selections: The literal of generated code. It is never released, as in generated code.
  ///   - fragments: The literals of the fragments that it spreads.
  ///   - types: The composite types of the schema.
  ///   - configuration: The configuration that decides about keys.
  init(
    _ selections: Selections, fragments: [Selections] = [], types: SchemaTypes,
    configuration: any SchemaConfiguration.Type = KeyFieldsDecide.self
  ) {
    self.types = types
    self.configuration = configuration
    self.selections = selections
    self.fragments = fragments
    for fragment in fragments { _ = Unmanaged.passRetained(fragment) }
    _ = Unmanaged.passRetained(selections)
  }

  /// Runs `body`, in which ``DynamicQuery`` is a query with these selections.
  func use<Result>(_ body: (DynamicQuery.Type) async throws -> Result) async rethrows -> Result {
    try await Self.$current.withValue(self) { try await body(DynamicQuery.self) }
  }

  /// The same, where nothing is asynchronous: on a thread that is no task's.
  func use<Result>(_ body: (DynamicQuery.Type) throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self) { try body(DynamicQuery.self) }
  }

  /// The current definition of ``DynamicQuery``.
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

  struct Data: RootSelectionSet, RootModelValue {
    typealias Schema = DynamicQuery.Schema
    static var __layout: SelectionLayout { DynamicDefinition.current.selections[0] }
    private let __storage: ResponseObject
  }
}

/// Tells the fragments apart.
protocol FragmentNumber: Sendable { static var number: Int { get } }
enum FirstFragment: FragmentNumber { static let number = 0 }
enum SecondFragment: FragmentNumber { static let number = 1 }
enum ThirdFragment: FragmentNumber { static let number = 2 }

/// A fragment of the definition that is in use.
struct DynamicFragment<Number: FragmentNumber>: Fragment, RootSelectionSet, RootModelValue {
  typealias Schema = DynamicQuery.Schema
  static var fragmentDefinition: String { "fragment F\(Number.number) on Thing { __typename }" }
  static var __selections: Selections { DynamicDefinition.current.fragments[Number.number] }
  static var __layout: SelectionLayout { __selections[0] }
  private let __storage: ResponseObject
}
