import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import TestOperations
import Testing

/// The event about lists that directives name, and that are not in the cache.
@Suite(.timeLimit(.minutes(10)))
struct UnknownListTests {
  private static let known = ListID(field: "products", arguments: ["category": "toys"])

  /// A name of a list that is not in the cache, and what observers of the call learn about it.
  static let unknown: [(text: String, reason: CallEvent.UnknownList.Reason, clause: String)] = [
    (
      ListID(field: "products", arguments: ["category": "food"]).rawValue, .notFetched,
      "the list of 'products' is not in the cache"
    ),
    (
      ListID(
        field: "products", arguments: ["first": 20, "category": "toys", "sort": "price"]
      ).rawValue, .otherArguments(["first", "sort"]),
      "no list of 'products' is selected by 'first', 'sort'"
    ),
    (
      ListID(in: "Shop:7", field: "products").rawValue, .notFetched,
      "the list of 'products' is not in the cache"
    ),
    (
      ListID(in: "Other:7", field: "things").rawValue, .notFetched,
      "the list of 'things' is not in the cache"
    ),
    ("prodcts", .noConnection, "'prodcts' is no merged connection"),
    ("items", .noConnection, "'items' is no merged connection"),
    (
      "__Featured_connection", .notFetched,
      "the list of '__Featured_connection' is not in the cache"
    ),
    ("[1]", .noIdentifier, "a text is no identifier of a list"),
    (
      #"["QUERY_ROOT","products","first",{"category":"toys"},"shop"]"#, .noIdentifier,
      "a text is no identifier of a list"
    ),
    (
      #"["QUERY_ROOT","products","first",{"category":"toys"},[1]]"#, .noIdentifier,
      "a text is no identifier of a list"
    ),
  ]

  @Test(arguments: unknown.indices)
  func observersLearnOfListsThatAreNotThere(index: Int) async throws {
    let (text, reason, clause) = Self.unknown[index]
    let events = EventRingBuffer()
    let client = ApolloClient(
      networkTransport: ScriptedTransport { _, _ in #"{"data":\#(ShopPage.edge("x"))}"# },
      store: ApolloStore(), observers: [events])
    try await client.store.publish(
      body: Array(#"{"data":{"products":\#(ShopPage("ab").json)}}"#.utf8),
      of: ShopAPI.ProductsQuery(first: 2, category: "toys"))
    let lists = [Self.known.rawValue, text, text]
    _ = try await client.perform(mutation: AppendEdge(lists: lists))
    let kind = try #require(events.events.first { $0.kind.name == "unknownLists" }?.kind)
    guard case .unknownLists(let unknown) = kind else { return }
    #expect(unknown.map(\.reason) == [reason])
    #expect(kind.description == "unknownLists \(clause)")
    // The list that is there has changed, and nothing is reported about it.
    events.removeAll()
    _ = try await client.perform(mutation: AppendEdge(lists: [Self.known.rawValue]))
    #expect(!events.names.contains("unknownLists"))
  }

  /// A directive changes no list if its field is null, so that none is missing.
  @Test func observersLearnOfNoListIfTheFieldIsNull() async throws {
    let events = EventRingBuffer()
    let client = ApolloClient(
      networkTransport: ScriptedTransport { _, _ in #"{"data":{"add":null}}"# },
      store: ApolloStore(), observers: [events])
    _ = try await client.perform(mutation: AppendEdge(lists: [Self.known.rawValue]))
    #expect(events.names.contains("cacheWritten"))
    #expect(!events.names.contains("unknownLists"))
  }

  // MARK: - The type of the object

  /// A list of an object in the cache, and the type of the object, which is not in the list's name.
  static let typed: [(text: String, reason: CallEvent.UnknownList.Reason)] = [
    // The key has the name of an interface, or that of another type.
    (ListID(in: "Seller:1", field: "prodcts").rawValue, .noConnection),
    (
      ListID(in: "Product:1", field: "products", arguments: ["first": 2]).rawValue,
      .otherArguments(["first"])
    ),
    (ListID(in: "Product:1", field: "related").rawValue, .noConnection),
    (ListID(in: "Product:2", field: "related").rawValue, .notFetched),
    // The way leads to an embedded object, to another one through a record, and to nothing.
    (#"["Seller:1","prodcts","first",{},["nearest"]]"#, .noConnection),
    (#"["Seller:1","products","first",{"sort":"price"},["nearest"]]"#, .otherArguments(["sort"])),
    (#"["Seller:1","prodcts","first",{},["best","nearest"]]"#, .noConnection),
    (#"["Seller:1","products","first",{},["best"]]"#, .noConnection),
    (#"["Seller:1","prodcts","first",{},["nothing"]]"#, .notFetched),
    (#"["Seller:1","prodcts","first",{},["unknown"]]"#, .notFetched),
  ]

  @Test(arguments: typed.indices)
  func theObjectInTheCacheKnowsItsType(index: Int) async throws {
    let (text, reason) = Self.typed[index]
    let store = ApolloStore()
    let shop: CacheValue = ["__typename": "Shop"]
    try await store.publish([
      "Seller:1": [
        "__typename": "Shop", "nearest": shop, "best": .reference("Product:2"),
        "unknown": ["name": "a"],
      ],
      "Product:1": ["__typename": "Shop"],
      "Product:2": ["__typename": "Product", "nearest": shop],
    ])
    let events = EventRingBuffer()
    let client = ApolloClient(
      networkTransport: ScriptedTransport { _, _ in #"{"data":\#(ShopPage.edge("x"))}"# },
      store: store, observers: [events])
    _ = try await client.perform(mutation: AppendEdge(lists: [text]))
    #expect(try reasons(in: events) == [reason])
  }

  /// Returns the reasons in the only event.
  private func reasons(in events: EventRingBuffer) throws -> [CallEvent.UnknownList.Reason] {
    let kind = try #require(events.events.first { $0.kind.name == "unknownLists" }?.kind)
    guard case .unknownLists(let unknown) = kind else { return [] }
    return unknown.map(\.reason)
  }

  /// The root type of queries is not `Query`, which is another type.
  private enum RootSchema: SchemaMetadata {
    enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
      static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
    }
    static let configuration: any ApolloAPI.SchemaConfiguration.Type = SchemaConfiguration.self
    static let types = GeneratedCode.SchemaTypes(
      """
      type Query; key id; list answers(connection)
      type Root; root; list products(connection); filter products(category)
      """)
  }

  private struct AppendToRoot: GraphQLMutation {
    static let operationName = "AppendToRoot"
    static let operationDocument = OperationDocument(
      definition: .init("mutation AppendToRoot { add { cursor } }"))
    let lists: [ID]
    var __variables: Variables? { ["lists": lists] }
    static let __selections = Selections(
      "Mutation {add ProductEdge {cursor String!} @appendEdge(connections: $lists)}")
    struct Data: RootSelectionSet & RootModelValue {
      typealias Schema = RootSchema
      private let __storage: ResponseObject
      static let __layout = AppendToRoot.__selections[0]
    }
  }

  @Test func theRootTypeOfQueriesHasAnyName() async throws {
    let events = EventRingBuffer()
    let client = ApolloClient(
      networkTransport: ScriptedTransport { _, _ in #"{"data":{"add":{"cursor":"x"}}}"# },
      store: ApolloStore(), observers: [events])
    let lists = [
      ListID(field: "products"), ListID(field: "products", arguments: ["first": 2]),
      ListID(field: "answers"), ListID(in: "Query:7", field: "answers"),
      ListID(in: "Query:7", field: "products"),
    ]
    _ = try await client.perform(mutation: AppendToRoot(lists: lists.map(\.rawValue)))
    #expect(
      try reasons(in: events) == [
        .notFetched, .otherArguments(["first"]), .noConnection, .notFetched, .noConnection,
      ])
  }
}
