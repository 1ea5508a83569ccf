import Apollo
import ApolloAPI
import ApolloCache
import TestOperations
import Testing

/// Lists of several pages that local cache mutations change.
@Suite(.timeLimit(.minutes(10)))
struct ChangedListTests {
  private typealias Query = ShopAPI.ProductsQuery

  // fragment EditableProducts on Query {
  //   products(…) { edges { node { __typename id } } pageInfo { … } }
  // }
  private struct EditableProducts: ShopAPI.MutableSelectionSet {
    typealias Schema = ShopAPI.SchemaMetadata
    static let __selections = Selections(
      "Query {products(after: $after before: $before category: $category first: $first "
        + "last: $last sort: $sort) ProductConnection {"
        + "edges [ProductEdge {node Product {__typename String! id ID!}!}!]! "
        + "pageInfo PageInfo {hasNextPage Boolean! hasPreviousPage Boolean! "
        + "startCursor String endCursor String}!}!}")
    static let __layout = __selections[0]
    var __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }

    var products: Products {
      get { __object[0, Self.__layout] }
      set { __object[0, Self.__layout] = newValue }
    }

    struct Products: ShopAPI.MutableSelectionSet {
      typealias Schema = ShopAPI.SchemaMetadata
      static let __layout = EditableProducts.__selections[1]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }

      var edges: [Edge] {
        get { __object[0, Self.__layout] }
        set { __object[0, Self.__layout] = newValue }
      }
    }

    struct Edge: ShopAPI.MutableSelectionSet {
      typealias Schema = ShopAPI.SchemaMetadata
      static let __layout = EditableProducts.__selections[2]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }

      var node: Node {
        get { __object[0, Self.__layout] }
        set { __object[0, Self.__layout] = newValue }
      }
    }

    struct Node: ShopAPI.MutableSelectionSet {
      typealias Schema = ShopAPI.SchemaMetadata
      static let __layout = EditableProducts.__selections[3]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }

      var id: ID {
        get { __object[1, Self.__layout] }
        set { __object[1, Self.__layout] = newValue }
      }
    }
  }

  // fragment EditableUsers on Query { users(page: $page size: $size) { __typename id name } }
  private struct EditableUsers: ShopAPI.MutableSelectionSet {
    typealias Schema = ShopAPI.SchemaMetadata
    static let __selections = Selections(
      "Query {users(page: $page size: $size) "
        + "[Product {__typename String! id ID! name String!}!]!}")
    static let __layout = __selections[0]
    var __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }

    var users: [User] {
      get { __object[0, Self.__layout] }
      set { __object[0, Self.__layout] = newValue }
    }

    struct User: ShopAPI.MutableSelectionSet {
      typealias Schema = ShopAPI.SchemaMetadata
      static let __layout = EditableUsers.__selections[1]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }

      var id: ID {
        get { __object[1, Self.__layout] }
        set { __object[1, Self.__layout] = newValue }
      }
    }
  }

  private func publish(_ page: ShopPage, of query: Query, to store: ApolloStore) async throws {
    try await store.publish(body: Array(#"{"data":{"products":\#(page.json)}}"#.utf8), of: query)
  }

  private func list(_ store: ApolloStore, _ query: Query) async throws -> String? {
    try await store.load(query).data?.ids.joined()
  }

  /// Writes the list `abcd`, in two pages.
  private func fill(_ store: ApolloStore) async throws {
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    try await publish(
      ShopPage("cd", hasPrevious: true), of: Query(first: 2, after: "b"), to: store)
  }

  /// Gives a list these of its items, in this order.
  private func change(_ query: Query, to items: String, in store: ApolloStore) async throws {
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(
        ofType: EditableProducts.self, withKey: .queryRoot, variables: query.__variables
      ) { data in
        let known = data.products.edges
        data.products.edges = items.compactMap { item in
          known.first { $0.node.id == String(item) }
        }
      }
    }
  }

  /// The query selects more of an edge than the mutation, and nothing of it is missing afterwards.
  @Test(arguments: CacheKind.allCases, ["ab", "abd", "acd", "bacd", "dcba"])
  func aListOfSeveralPagesIsChangedAsOneArray(kind: CacheKind, items: String) async throws {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    try await fill(store)
    try await change(Query(first: 2), to: items, in: store)
    #expect(try await list(store, Query(first: 2)) == items)
    try await publish(ShopPage("ef"), of: Query(first: 2, after: "d"), to: store)
    #expect(try await list(store, Query(first: 2)) == items + "ef", "It follows the last cursor.")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: ["cd", "bcd", "dcba"])
  func aListThatIsReadFromItsEndIsChangedAsOneArray(items: String) async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    try await publish(
      ShopPage("cd", hasNext: false, hasPrevious: true), of: Query(last: 2), to: store)
    try await publish(
      ShopPage("ab", hasPrevious: true), of: Query(last: 2, before: "c"), to: store)
    try await change(Query(last: 2), to: items, in: store)
    #expect(try await list(store, Query(last: 2)) == items)
    try await publish(ShopPage("yz"), of: Query(last: 2, before: "a"), to: store)
    #expect(try await list(store, Query(last: 2)) == "yz" + items)
  }

  /// The edge keeps its cursor, which the mutation does not select, and so do those behind it.
  @Test func aListOfSeveralPagesWithAnInsertedEdgeIsChangedAsOneArray() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    try await fill(store)
    try await store.publish(
      body: Array(#"{"data":\#(ShopPage.edge("y"))}"#.utf8),
      of: PrependEdge(lists: [ListID(field: "products").rawValue]))
    #expect(try await list(store, Query(first: 2)) == "yabcd")
    try await change(Query(first: 2), to: "ycdb", in: store)
    #expect(try await list(store, Query(first: 2)) == "ycdb")
  }

  /// An edge that a directive has inserted is left out while something of its item is missing.
  @Test func anInsertedEdgeStaysOneIfTheLengthOfItsPageChanges() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    try await fill(store)
    let lists = [ListID(field: "products").rawValue]
    try await store.publish(
      body: Array(#"{"data":{"add":{"__typename":"Product","id":"x"}}}"#.utf8),
      of: AppendIdentifier(lists: lists))
    try await store.publish(
      body: Array(#"{"data":\#(ShopPage.edge("y"))}"#.utf8), of: AppendEdge(lists: lists))
    #expect(try await list(store, Query(first: 2)) == "abcdy")
    try await change(Query(first: 2, after: "b"), to: "cdx", in: store)
    #expect(try await list(store, Query(first: 2)) == "abcd")
  }

  /// The second page begins where the shorter list ends, and would follow it otherwise.
  @Test(arguments: ["kl", "klm", "mn", "lm", "nmlk"])
  func aListOfNumberedPagesIsChangedAsOneArray(items: String) async throws {
    typealias Items = ShopAPI.ItemsQuery
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    for (page, users) in [(1, "kl"), (2, "mn")] {
      let list = users.map { ShopPage.product(String($0)) }.joined(separator: ",")
      try await store.publish(
        body: Array(#"{"data":{"items":[],"users":[\#(list)]}}"#.utf8),
        of: Items(page: .some(page), size: 2))
    }
    let query = Items(page: 1, size: 2)
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(
        ofType: EditableUsers.self, withKey: .queryRoot, variables: query.__variables
      ) { data in
        let known = data.users
        data.users = items.compactMap { item in known.first { $0.id == String(item) } }
      }
    }
    #expect(try await store.load(query).data?.userIDs.joined() == items)
  }
}
