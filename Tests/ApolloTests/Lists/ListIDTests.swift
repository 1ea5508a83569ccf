import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import TestOperations
import Testing

/// Names of lists that are not at the root of queries, and of lists that are not there.
@Suite(.timeLimit(.minutes(10)))
struct ListIDTests {
  private typealias Embedded = SelectedQuery<ShopSelection.Embedded>

  private static let shop = ["shop", "products"]

  private static func shop(_ items: String) -> String {
    #"{"shop":{"name":"Corner","products":\#(ShopPage(items).json)}}"#
  }

  private func publish<Operation: GraphQLOperation>(
    _ data: String, of operation: Operation, to store: ApolloStore
  ) async throws {
    try await store.publish(body: Array(#"{"data":\#(data)}"#.utf8), of: operation)
  }

  // MARK: - Objects without keys

  /// A store with the list `abcd` of an object without a key, in two pages.
  private func store(_ kind: CacheKind) async throws -> (ApolloStore, AnyObject?) {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    try await publish(Self.shop("ab"), of: Embedded(first: 2), to: store)
    try await publish(Self.shop("cd"), of: Embedded(first: 2, after: "b"), to: store)
    return (store, owner)
  }

  private func data(_ store: ApolloStore) async throws -> Embedded.Data? {
    try await store.load(Embedded(first: 2)).data
  }

  @Test(arguments: CacheKind.allCases)
  func theListOfAnObjectWithoutAKeyIsChanged(kind: CacheKind) async throws {
    let (store, owner) = try await store(kind)
    let id = try #require(ListID(path: Self.shop, of: Embedded(first: 2))).rawValue
    try await publish(ShopPage.edge("x"), of: AppendEdge(lists: [id]), to: store)
    #expect(try await data(store)?.ids == "abcdx")
    try await publish(
      #"{"add":\#(ShopPage.product("y"))}"#, of: PrependNode(lists: [id]), to: store)
    #expect(try await data(store)?.ids == "yabcdx")
    try await publish(#"{"delete":["a","d"]}"#, of: DeleteEdge(lists: [id]), to: store)
    #expect(try await data(store)?.ids == "ybcx")
    // An item that is there stays where it is, and so does the rest of the object.
    try await publish(ShopPage.edge("b"), of: AppendEdge(lists: [id]), to: store)
    #expect(try await data(store)?.ids == "ybcx")
    #expect(try await data(store)?.json.contains(#""name":"Corner""#) == true)
    // What follows the last cursor comes after the item.
    try await publish(Self.shop("ef"), of: Embedded(first: 2, after: "d"), to: store)
    #expect(try await data(store)?.ids == "ybcxef")
    // Another first page ends the list, and the next item is at that end.
    try await publish(Self.shop("za"), of: Embedded(first: 2), to: store)
    try await publish(ShopPage.edge("w"), of: AppendEdge(lists: [id]), to: store)
    #expect(try await data(store)?.ids == "zaw")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: [CacheKind.memory, .disk])
  func anOptimisticItemIsInTheListOfAnObjectWithoutAKey(kind: CacheKind) async throws {
    let (store, owner) = try await store(kind)
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport, store: store)
    let id = try #require(ListID(path: Self.shop, of: Embedded(first: 2))).rawValue
    let expected = try AppendEdge.Data(jsonBytes: Array(ShopPage.edge("?").utf8))
    async let response = client.perform(mutation: AppendEdge(lists: [id]), optimistic: expected)
    await transport.untilSent(1)
    #expect(try await data(store)?.ids == "abcd?")
    transport.respond(to: 0, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
    _ = try await response
    #expect(try await data(store)?.ids == "abcdx")
    withExtendedLifetime(owner) {}
  }

  // MARK: - Requests under way

  /// A list inside of another object.
  private struct Inner: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var id: ListID?
    var fetch: @Sendable (ApolloClient, _ cursor: GraphQLNullable<String>) async throws -> Void
    var ids: @Sendable (ApolloStore) async throws -> String?
    var data: @Sendable (String) -> String
  }

  private static func inner<Selected: ShopSelections & SendableMetatype>(
    _ type: Selected.Type, _ path: [String], in record: RecordKey? = nil,
    _ data: @escaping @Sendable (String) -> String
  ) -> Inner {
    Inner(
      testDescription: "\(type)",
      id: ListID(path: path, of: SelectedQuery<Selected>(first: 2), in: record),
      fetch: {
        _ = try await $0.fetch(
          query: SelectedQuery<Selected>(first: 2, after: $1), cachePolicy: .networkOnly)
      }, ids: { try await $0.load(SelectedQuery<Selected>(first: 2)).data?.ids }, data: data)
  }

  private static let inners = [
    inner(ShopSelection.Embedded.self, shop) { shop($0) },
    inner(Keyed.self, ["best", "orders"]) { keyed($0) },
    inner(InPage.self, ["products", "orders"]) {
      #"{"products":\#(ShopPage("p").json.dropLast()),"orders":\#(ShopPage($0).json)}}"#
    },
    inner(InEdge.self, ["list", "edges", "orders"], in: "KeyedEdge:e") {
      #"{"list":{"edges":[{"__typename":"KeyedEdge","key":"e","node":\#(ShopPage.product("p")),"#
        + #""orders":\#(ShopPage($0).json)}],"pageInfo":{"hasNextPage":false,"endCursor":"p"}}}"#
    },
  ]

  private static let orders =
    "orders(after: $after) OrderConnection "
    + "{edges [OrderEdge {cursor String! node Product {__typename String! id ID! name String!}!}!]! "
    + "pageInfo PageInfo {hasNextPage Boolean! endCursor String}!}!"

  /// The list of an object that is itself a page of a list.
  private enum InPage: ShopSelections {
    static let selections = Selections(
      "Query {products(first: $first) ProductConnection "
        + "{edges [ProductEdge {node Product {__typename String! id ID!}!}!]! "
        + "pageInfo PageInfo {hasNextPage Boolean! endCursor String}! \(orders)}!}")
  }

  /// The list of an edge, which has a key.
  private enum InEdge: ShopSelections {
    static let selections = Selections(
      "Query {list KeyedConnection {edges [KeyedEdge {__typename String! key ID! "
        + "node Product {__typename String! id ID!}! \(orders)}!]! "
        + #"pageInfo PageInfo {hasNextPage Boolean! endCursor String}!}! @connection(key: "Keyed")}"#
    )
  }

  /// The list of an object with a key.
  private enum Keyed: ShopSelections {
    static let selections = Selections(
      "Query {best Product {__typename String! id ID! orders(after: $after) OrderConnection "
        + "{edges [OrderEdge {cursor String! node Product {__typename String! id ID! name String!}!}!]! "
        + "pageInfo PageInfo {hasNextPage Boolean! endCursor String}!}!}}")
  }

  private static func keyed(_ items: String) -> String {
    #"{"best":{"__typename":"Product","id":"p","orders":\#(ShopPage(items).json)}}"#
  }

  /// Returns a client that has fetched the first page of a list, and its transport.
  private func showing(
    _ items: String, of inner: Inner
  ) async throws -> (HeldTransport, ApolloClient) {
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    async let first: Void = inner.fetch(client, nil)
    await transport.untilSent(1)
    transport.respond(to: 0, .success(#"{"data":\#(inner.data(items))}"#))
    try await first
    return (transport, client)
  }

  /// Returns the response to a query after the object with the list itself.
  private func ids(_ inner: Inner, _ store: ApolloStore) async throws -> String? {
    try await inner.ids(store)?.replacing("p", with: "")
  }

  /// A page that was requested before an item was deleted comes without the item.
  @Test(arguments: inners.indices)
  func aDeletedItemDoesNotComeBackWithAPageUnderWay(index: Int) async throws {
    let inner = Self.inners[index]
    let (transport, client) = try await showing("ab", of: inner)
    async let page: Void = inner.fetch(client, "b")
    await transport.untilSent(2)
    let id = try #require(inner.id).rawValue
    async let deleted = client.perform(mutation: DeleteEdge(lists: [id]))
    await transport.untilSent(3)
    transport.respond(to: 2, .success(#"{"data":{"delete":["d"]}}"#))
    _ = try await deleted
    transport.respond(to: 1, .success(#"{"data":\#(inner.data("cde"))}"#))
    try await page
    #expect(try await ids(inner, client.store) == "abce")
  }

  /// The way may lead through a record that only this page brings.
  @Test(arguments: inners.indices)
  func aDeletedItemDoesNotComeBackWithTheFirstPage(index: Int) async throws {
    let inner = Self.inners[index]
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    async let first: Void = inner.fetch(client, nil)
    await transport.untilSent(1)
    let id = try #require(inner.id).rawValue
    async let deleted = client.perform(mutation: DeleteEdge(lists: [id]))
    await transport.untilSent(2)
    transport.respond(to: 1, .success(#"{"data":{"delete":["b"]}}"#))
    _ = try await deleted
    transport.respond(to: 0, .success(#"{"data":\#(inner.data("abc"))}"#))
    try await first
    #expect(try await ids(inner, client.store) == "ac")
  }

  /// A page that was requested before an item was appended comes after the item.
  @Test(arguments: inners.indices)
  func aPageUnderWayFollowsAnAppendedItem(index: Int) async throws {
    let inner = Self.inners[index]
    let (transport, client) = try await showing("ab", of: inner)
    async let page: Void = inner.fetch(client, "b")
    await transport.untilSent(2)
    let id = try #require(inner.id).rawValue
    async let appended = client.perform(mutation: AppendEdge(lists: [id]))
    await transport.untilSent(3)
    transport.respond(to: 2, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
    _ = try await appended
    transport.respond(to: 1, .success(#"{"data":\#(inner.data("cd"))}"#))
    try await page
    #expect(try await ids(inner, client.store) == "abxcd")
  }

  // MARK: - Objects with keys

  /// The way leads through a record, whose list has three names.
  @Test(arguments: [CacheKind.memory, .disk, .usersOwn])
  func theWayLeadsThroughRecords(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    typealias Query = SelectedQuery<Keyed>
    try await publish(Self.keyed("ab"), of: Query(), to: store)
    let names = [
      ListID(path: ["best", "orders"], of: Query()),
      ListID(path: ["best", "orders"], of: Query(after: "x"), in: "Product:p"),
      ListID(in: "Product:p", field: "orders"),
    ]
    for (name, item) in zip(names, "xyz") {
      let id = try #require(name)
      #expect(try await store.contains(id))
      try await publish(
        ShopPage.edge("\(item)"), of: AppendEdge(lists: [id.rawValue]), to: store)
    }
    #expect(try await store.load(Query()).data?.ids == "pabxyz")
    withExtendedLifetime(owner) {}
  }

  /// A list of an object with a key, in one without.
  private enum KeyedInside: ShopSelections {
    static let selections = Selections(
      "Query {mine:viewer(id: $before) Viewer {name String! top:best Product {__typename String! id ID! "
        + "all:orders(after: $after) OrderConnection "
        + "{edges [OrderEdge {cursor String! node Product {__typename String! id ID! name String!}!}!]! "
        + "pageInfo PageInfo {hasNextPage Boolean! endCursor String}!}!}}}")
  }

  @Test func theWayLeadsThroughARecordInAnObjectWithoutAKey() async throws {
    typealias Query = SelectedQuery<KeyedInside>
    let store = ApolloStore()
    try await publish(
      #"{"mine":{"name":"M","top":{"__typename":"Product","id":"p","all":\#(ShopPage("ab").json)}}}"#,
      of: Query(before: "me"), to: store)
    let id = try #require(ListID(path: ["mine", "top", "all"], of: Query(before: "me")))
    #expect(try await store.contains(id))
    let other = try #require(ListID(path: ["mine", "top", "all"], of: Query(before: "you")))
    #expect(try await !store.contains(other))
    try await publish(
      ShopPage.edge("x"), of: AppendEdge(lists: [id.rawValue, other.rawValue]), to: store)
    #expect(try await store.load(Query(before: "me")).data?.ids == "pabx")
  }

  /// Otherwise an item without a key would be in the list twice.
  @Test(arguments: [[0, 1], [1, 1]])
  func aListThatIsNamedTwiceIsChangedOnce(names: [Int]) async throws {
    typealias Query = SelectedQuery<Keyed>
    let store = ApolloStore()
    try await publish(Self.keyed("ab"), of: Query(), to: store)
    let ids = [
      try #require(ListID(path: ["best", "orders"], of: Query())).rawValue,
      ListID(in: "Product:p", field: "orders").rawValue,
    ]
    let mutation = SelectedMutation<AppendKeyless>(["lists": names.map { ids[$0] }])
    try await publish(#"{"add":{"__typename":"Note","name":"x"}}"#, of: mutation, to: store)
    let product = try #require(try await store.record("Product:p"))
    guard case .object(let page)? = product.fields["orders"], case .list(let edges)? = page["edges"]
    else {
      Issue.record("The list is gone.")
      return
    }
    #expect(edges.count == 3)
  }

  private enum AppendKeyless: ShopSelections {
    static let selections = Selections(
      "Mutation {add Note {__typename String! name String!} "
        + #"@appendNode(connections: $lists edgeTypeName: "OrderEdge")}"#)
  }

  /// Lists of `nodes`, and those that are read from their end, of the elements of a list.
  private enum Elements: ShopSelections {
    static let selections = Selections(
      "Query {all [Product {__typename String! id ID! "
        + "orders(before: $before last: $last) OrderConnection "
        + "{nodes [Product {__typename String! id ID! name String!}!]! "
        + "pageInfo PageInfo {hasPreviousPage Boolean! startCursor String}!}!}!]!}")
  }

  @Test func theListsOfTheElementsOfAListAreNamedWithTheirRecords() async throws {
    typealias Query = SelectedQuery<Elements>
    let store = ApolloStore()
    let elements = ["p", "q"].map {
      #"{"__typename":"Product","id":"\#($0)","orders":\#(ShopPage("ab").json)}"#
    }
    try await publish(
      #"{"all":[\#(elements.joined(separator: ","))]}"#, of: Query(last: 2), to: store)
    let id = try #require(
      ListID(path: ["all", "orders"], of: Query(last: 2), in: "Product:q"))
    #expect(try await store.contains(id))
    #expect(try await !store.contains(ListID(in: "Product:q", field: "orders")))
    try await publish(
      #"{"add":\#(ShopPage.product("x"))}"#, of: AppendNode(lists: [id.rawValue]), to: store)
    #expect(try await store.load(Query(last: 2)).data?.ids == "pabqabx")
  }

  /// The list of an object whose type decides that it has one.
  private enum Conditional: ShopSelections {
    static let selections = Selections(
      "Query {seller Seller {__typename String! ...Shop {products(first: $first) ProductConnection "
        + "{edges [ProductEdge {cursor String! node Product {__typename String! id ID! name String!}!}!]! "
        + "pageInfo PageInfo {hasNextPage Boolean! endCursor String}!}!}}}")
  }

  @Test func theFieldCanBeInAFragmentOnAType() async throws {
    typealias Query = SelectedQuery<Conditional>
    let store = ApolloStore()
    try await publish(
      #"{"seller":{"__typename":"Shop","products":\#(ShopPage("ab").json)}}"#, of: Query(first: 2),
      to: store)
    let id = try #require(ListID(path: ["seller", "products"], of: Query(first: 2)))
    try await publish(ShopPage.edge("x"), of: AppendEdge(lists: [id.rawValue]), to: store)
    #expect(try await store.load(Query(first: 2)).data?.ids == "abx")
  }

  /// A field on the way that is selected for all types, and with the list for one of them.
  private enum ConditionalWay: ShopSelections {
    static let selections = Selections(
      "Query {seller Seller {__typename String! place Place {name String!} ...Shop {place Place "
        + "{products(first: $first) ProductConnection "
        + "{edges [ProductEdge {cursor String! node Product {__typename String! id ID! name String!}!}!]! "
        + "pageInfo PageInfo {hasNextPage Boolean! endCursor String}!}! @connection(key: \"Place\")}}}}"
    )
  }

  @Test func theWayCanContinueInAFragmentOnAType() async throws {
    typealias Query = SelectedQuery<ConditionalWay>
    let store = ApolloStore()
    try await publish(
      #"{"seller":{"__typename":"Shop","place":{"name":"P","products":\#(ShopPage("ab").json)}}}"#,
      of: Query(first: 2), to: store)
    let id = try #require(ListID(path: ["seller", "place", "products"], of: Query(first: 2)))
    try await publish(ShopPage.edge("x"), of: AppendEdge(lists: [id.rawValue]), to: store)
    #expect(try await store.load(Query(first: 2)).data?.ids == "abx")
  }

  @Test(arguments: [
    [], ["nothing"], ["shop"], ["shop", "name"], ["shop", "nothing"], ["shop", "name", "x"],
    ["shop", "products", "edges"],
  ])
  func aPathThatLeadsToNoListHasNoName(path: [String]) {
    #expect(ListID(path: path, of: Embedded(first: 2)) == nil)
    #expect(ListID(path: path, of: Embedded(first: 2), in: "Shop:7") == nil)
  }

  @Test func theElementOfAListNeedsItsRecord() {
    #expect(ListID(path: ["all", "orders"], of: SelectedQuery<Elements>(last: 2)) == nil)
  }

  @Test func numbersOfEqualValueNameTheSameList() {
    func id(_ size: JSONValue) -> ListID {
      ListID(field: "products", arguments: ["size": size, "filter": ["sizes": [size]]])
    }
    #expect(id(4.0) == id(4))
    #expect(id(4.5) != id(4))
  }

  /// Temporary identifiers are replaced in the names of records, and the way stays.
  @Test func theWayStaysIfIdentifiersAreReplaced() throws {
    let id = try #require(ListID(path: Self.shop, of: Embedded(first: 2)))
    #expect(ListID.replacing(["a": "b"], in: id.rawValue) == id.rawValue)
  }

  /// A temporary identifier can be inside of an argument that selects the list, such as a filter.
  @Test func identifiersInsideOfArgumentsAreReplaced() {
    func id(_ owner: String) -> String {
      ListID(field: "products", arguments: ["filter": ["owners": [.string(owner), "me"]]]).rawValue
    }
    #expect(ListID.identifiers(in: id("temporary:1")).sorted() == ["me", "temporary:1"])
    #expect(ListID.replacing(["temporary:1": "7"], in: id("temporary:1")) == id("7"))
    #expect(ListID.replacing(["owners": "7"], in: id("a")) == id("a"))
  }

  /// In the key of a field on the way, names of members are in quotes like texts.
  @Test func namesOfMembersOnTheWayAreNotReplaced() {
    func id(_ owner: String) -> String {
      #"["QUERY_ROOT","all","first",{},["mine(filter:{\"owner\":\"\#(owner)\"})"]]"#
    }
    #expect(ListID.identifiers(in: id("a")) == ["a"])
    #expect(ListID.replacing(["a": "7"], in: id("a")) == id("7"))
    #expect(ListID.replacing(["owner": "7"], in: id("a")) == id("a"))
  }

  /// A temporary identifier can be the argument of a field on the way.
  @Test func identifiersOnTheWayAreReplaced() throws {
    func id(_ viewer: String) throws -> String {
      let query = SelectedQuery<KeyedInside>(before: .some(viewer))
      return try #require(ListID(path: ["mine", "top", "all"], of: query)).rawValue
    }
    for text in ["temporary:1", "a \"b\" \\ c"] {
      #expect(ListID.identifiers(in: try id(text)).contains(text))
      #expect(ListID.replacing([text: "7"], in: try id(text)) == (try id("7")))
    }
    #expect(ListID.replacing(["me": "7"], in: try id("not me")) == (try id("not me")))
  }
}
