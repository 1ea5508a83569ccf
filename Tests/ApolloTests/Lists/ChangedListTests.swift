import Apollo
import ApolloAPI
import ApolloCache
import Foundation
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
      init(id: ID) { self.init(__values: ["__typename": "Product", "id": id, "name": id]) }

      var id: ID {
        get { __object[1, Self.__layout] }
        set { __object[1, Self.__layout] = newValue }
      }
    }
  }

  private static func shelves(page: Int) -> Selections {
    Selections(
      "Query {shelves [Shelf {users(page: \(page) size: 2) "
        + "[Product {__typename String! id ID! name String!}!]!}!]!}")
  }

  /// Objects without keys, each of which has a list with page numbers.
  private enum Shelves: ShopSelections { static let selections = shelves(page: 1) }
  private enum SecondPages: ShopSelections { static let selections = shelves(page: 2) }

  // fragment EditableShelves on Query {
  //   shelves { users(page: 1, size: 2) { __typename id name } }
  // }
  private struct EditableShelves: ShopAPI.MutableSelectionSet {
    typealias Schema = ShopAPI.SchemaMetadata
    static let __selections = ChangedListTests.shelves(page: 1)
    static let __layout = __selections[0]
    var __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }

    var shelves: [Shelf] {
      get { __object[0, Self.__layout] }
      set { __object[0, Self.__layout] = newValue }
    }

    struct Shelf: ShopAPI.MutableSelectionSet {
      typealias Schema = ShopAPI.SchemaMetadata
      static let __layout = EditableShelves.__selections[1]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }

      var users: [User] {
        get { __object[0, Self.__layout] }
        set { __object[0, Self.__layout] = newValue }
      }
    }

    struct User: ShopAPI.MutableSelectionSet {
      typealias Schema = ShopAPI.SchemaMetadata
      static let __layout = EditableShelves.__selections[2]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
      init(id: ID) { self.init(__values: ["__typename": "Product", "id": id, "name": id]) }

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

  /// The page before has the item `c`, too, with an edge that the list shows neither before nor
  /// after the change. The mutation does not select cursors.
  @Test(arguments: ["cd", "bcd", "dc"])
  func anItemOnTwoPagesOfAListThatIsReadFromItsEndKeepsItsEdge(items: String) async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    try await publish(
      ShopPage("cd", hasNext: false, hasPrevious: true), of: Query(last: 2), to: store)
    let page = ShopPage("bc").json.replacingOccurrences(
      of: #""cursor":"c""#, with: #""cursor":"other""#)
    try await store.publish(
      body: Array(#"{"data":{"products":\#(page)}}"#.utf8), of: Query(last: 2, before: "c"))
    func cursors() async throws -> String? {
      try await store.load(Query(last: 2)).data?.products.edges.map(\.cursor).joined()
    }
    #expect(try await cursors() == "bcd")
    try await change(Query(last: 2), to: items, in: store)
    #expect(try await cursors() == items)
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

  @Test func thePagesBehindACursorStay() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    try await fill(store)
    try await change(Query(first: 2), to: "ab", in: store)
    #expect(try await list(store, Query(first: 2)) == "ab")
    #expect(try await list(store, Query(first: 2, after: "b")) == "cd")
  }

  // MARK: - Pages with numbers

  /// The list `klmnop`, in three pages.
  private static let pages = ["kl", "mn", "op"]

  private static func query(page: Int) -> ShopAPI.ItemsQuery {
    ShopAPI.ItemsQuery(page: .some(page), size: 2)
  }

  private func fillUsers(_ store: ApolloStore, _ pages: [String] = Self.pages) async throws {
    for (index, users) in pages.enumerated() {
      try await store.publish(
        body: Array(#"{"data":{"items":[],"users":[\#(products(users))]}}"#.utf8),
        of: Self.query(page: index + 1))
    }
  }

  private func products(_ items: String) -> String {
    items.map { ShopPage.product(String($0)) }.joined(separator: ",")
  }

  private func users(_ store: ApolloStore, page: Int = 1) async throws -> String? {
    try await store.load(Self.query(page: page)).data?.userIDs.joined()
  }

  /// Gives a list these items, some of which may be new.
  private static func changeUsers(
    page: Int = 1, to items: String, _ transaction: ReadWriteTransaction
  ) throws {
    try transaction.updateObject(
      ofType: EditableUsers.self, withKey: .queryRoot, variables: query(page: page).__variables
    ) { data in
      let known = data.users
      data.users = items.map { item in
        known.first { $0.id == String(item) } ?? EditableUsers.User(id: String(item))
      }
    }
  }

  /// A page that begins where the list ends would follow it otherwise, also if the list ended
  /// elsewhere in the meantime.
  @Test(arguments: [
    ["kl"], ["klm"], ["mn"], ["lm"], ["klmn"], ["nmlk"], ["ponmlk"], ["klmnopx"], ["k", "kl"],
    ["klm", "n", "nx"], ["klm", "klmx"], ["kl", "klxy"], ["", "kl"], ["", "xyzw", "x"],
  ])
  func aListOfNumberedPagesIsChangedAsOneArray(changes: [String]) async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    try await fillUsers(store)
    for items in changes {
      try await store.withinReadWriteTransaction { transaction in
        try Self.changeUsers(to: items, transaction)
      }
      #expect(try await users(store) == items)
    }
  }

  /// Another user has inserted items between the loads. The list shows fewer items than its pages
  /// have, so the last of them begins where the list ends.
  @Test(arguments: [
    (["kl", "l"], "kx"), (["kl", "l"], "xk"), (["kl", "kl", "mn"], "klmx"),
    (["kl", "kl", "mn"], "xnlk"),
  ])
  func anItemThatIsReplacedDoesNotComeBackWithAPageBehindRepeatedItems(
    pages: [String], items: String
  ) async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    try await fillUsers(store, pages)
    #expect(try await users(store)?.count == items.count)
    try await store.withinReadWriteTransaction { transaction in
      try Self.changeUsers(to: items, transaction)
    }
    #expect(try await users(store) == items)
  }

  /// Its items are not counted from the beginning of the list.
  @Test(arguments: [["mnx", "mn"], ["mnxy"], ["m"]])
  func aNumberedPageThatIsReadAloneEmptiesNone(changes: [String]) async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    try await fillUsers(store)
    for items in changes {
      try await store.withinReadWriteTransaction { transaction in
        try Self.changeUsers(page: 2, to: items, transaction)
      }
      #expect(try await users(store, page: 2) == items)
    }
    #expect(try await users(store, page: 3) == "op")
  }

  @Test func thePagesBehindAListComeBackWhenItsOptimisticChangeLeaves() async throws {
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    try await fillUsers(client.store)
    async let call = client.perform(
      mutation: AppendEdge(lists: []),
      optimistic: { transaction in try Self.changeUsers(to: "kl", transaction) })
    await transport.untilSent(1)
    #expect(try await users(client.store) == "kl")
    #expect(try await users(client.store, page: 2) == "")
    transport.respond(to: 0, .failure(URLError(.timedOut)))
    _ = try? await call
    #expect(try await users(client.store) == "klmnop")
    #expect(try await users(client.store, page: 2) == "mn")
  }

  /// The pages are among the fields of an object of another list.
  @Test(arguments: [["kl"], ["klm"], ["k", "kl"]])
  func numberedPagesOfAnObjectInAListAreChangedAsOneArray(changes: [String]) async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    func body(_ pages: String...) -> [UInt8] {
      let shelves = pages.map { #"{"users":[\#(products($0))]}"# }.joined(separator: ",")
      return Array(#"{"data":{"shelves":[\#(shelves)]}}"#.utf8)
    }
    try await store.publish(body: body("kl", "qr"), of: SelectedQuery<Shelves>())
    try await store.publish(body: body("mn", "st"), of: SelectedQuery<SecondPages>())
    for items in changes {
      try await store.withinReadWriteTransaction { transaction in
        try transaction.updateObject(ofType: EditableShelves.self, withKey: .queryRoot) { data in
          let known = data.shelves[0].users
          data.shelves[0].users = items.map { item in
            known.first { $0.id == String(item) } ?? EditableShelves.User(id: String(item))
          }
        }
      }
      let ids = try await store.load(SelectedQuery<Shelves>()).data?.ids
      #expect(ids == items + "qrst")
    }
  }
}
