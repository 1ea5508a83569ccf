import Apollo
import ApolloAPI
import ApolloCache
import Foundation
import TestOperations
import Testing

/// Directives of mutations and subscriptions that change lists of the cache.
@Suite(.timeLimit(.minutes(10)))
struct ListEditTests {
  private typealias Query = ShopAPI.ProductsQuery
  private static let toys = ListID(field: "products", arguments: ["category": "toys"])
  private let query = Query(first: 2, category: "toys")

  /// A client whose cache has the list `abcd` in two pages.
  private func client(
    _ cache: any NormalizedCache, _ transport: HeldTransport
  ) async throws -> ApolloClient {
    let store = ApolloStore(cache: cache)
    try await publish(ShopPage("ab"), of: query, to: store)
    try await publish(
      ShopPage("cd"), of: Query(first: 2, after: "b", category: "toys"), to: store)
    return ApolloClient(networkTransport: transport, store: store)
  }

  private func publish(_ page: ShopPage, of query: Query, to store: ApolloStore) async throws {
    try await store.publish(body: body(page), of: query)
  }

  private func body(_ page: ShopPage) -> [UInt8] {
    Array(#"{"data":{"products":\#(page.json)}}"#.utf8)
  }

  private func list(_ client: ApolloClient) async throws -> String? {
    try await client.store.load(query).data?.ids.joined()
  }

  private static func node(_ item: String) -> String { #"{"add":\#(ShopPage.product(item))}"# }

  // MARK: - Each directive

  @Test(arguments: CacheKind.allCases)
  func edgesAreInsertedAtBothEnds(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = try await client(cache, transport)
    async let appended = client.perform(mutation: AppendEdge(lists: [Self.toys.rawValue]))
    await transport.untilSent(1)
    transport.respond(to: 0, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
    _ = try await appended
    #expect(try await list(client) == "abcdx")
    async let prepended = client.perform(mutation: PrependEdge(lists: [Self.toys.rawValue]))
    await transport.untilSent(2)
    transport.respond(to: 1, .success(#"{"data":\#(ShopPage.edge("y"))}"#))
    _ = try await prepended
    #expect(try await list(client) == "yabcdx")
    // What follows the last cursor comes after the item.
    try await publish(
      ShopPage("ef"), of: Query(first: 2, after: "d", category: "toys"), to: client.store)
    #expect(try await list(client) == "yabcdxef")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: CacheKind.allCases)
  func nodesAreInsertedAtBothEnds(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = try await client(cache, transport)
    async let appended = client.perform(mutation: AppendNode(lists: [Self.toys.rawValue]))
    await transport.untilSent(1)
    transport.respond(to: 0, .success(#"{"data":\#(Self.node("x"))}"#))
    _ = try await appended
    #expect(try await list(client) == "abcdx")
    async let prepended = client.perform(mutation: PrependNode(lists: [Self.toys.rawValue]))
    await transport.untilSent(2)
    transport.respond(to: 1, .success(#"{"data":\#(Self.node("y"))}"#))
    _ = try await prepended
    #expect(try await list(client) == "yabcdx")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: CacheKind.allCases)
  func edgesAreDeletedFromEachPage(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = try await client(cache, transport)
    async let deleted = client.perform(mutation: DeleteEdge(lists: [Self.toys.rawValue]))
    await transport.untilSent(1)
    transport.respond(to: 0, .success(#"{"data":{"delete":["a","d"]}}"#))
    _ = try await deleted
    #expect(try await list(client) == "bc")
    let record = try await client.store.withinReadTransaction { try $0.record(for: "Product:a") }
    #expect(record != nil, "Only the list has changed.")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: CacheKind.allCases)
  func recordsAreDeletedWithTheirEdges(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = try await client(cache, transport)
    async let deleted = client.perform(mutation: DeleteRecord(lists: [Self.toys.rawValue]))
    await transport.untilSent(1)
    transport.respond(to: 0, .success(#"{"data":{"delete":\#(ShopPage.product("c"))}}"#))
    _ = try await deleted
    #expect(try await list(client) == "abd")
    let record = try await client.store.withinReadTransaction { try $0.record(for: "Product:c") }
    #expect(record == nil)
    withExtendedLifetime(owner) {}
  }

  // MARK: - Rules

  @Test func anItemThatThePageHasIsNotInsertedAgain() async throws {
    let transport = HeldTransport()
    let client = try await client(InMemoryNormalizedCache(), transport)
    for (number, item) in ["a", "d"].enumerated() {
      async let appended = client.perform(mutation: AppendEdge(lists: [Self.toys.rawValue]))
      await transport.untilSent(number + 1)
      transport.respond(to: number, .success(#"{"data":\#(ShopPage.edge(item))}"#))
      _ = try await appended
      #expect(try await list(client) == "abcd")
    }
  }

  @Test func listsThatAreNotCachedStayUnknown() async throws {
    let transport = HeldTransport()
    let client = try await client(InMemoryNormalizedCache(), transport)
    let other = ListID(field: "products", arguments: ["category": "food"])
    async let appended = client.perform(mutation: AppendEdge(lists: [other.rawValue, "nothing"]))
    await transport.untilSent(1)
    transport.respond(to: 0, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
    _ = try await appended
    #expect(try await list(client) == "abcd")
    #expect(try await client.store.load(Query(first: 2, category: "food")).data == nil)
  }

  @Test(arguments: CacheKind.allCases)
  func anOptimisticItemIsReplacedByThatOfTheResponse(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = try await client(cache, transport)
    let mutation = AppendEdge(lists: [Self.toys.rawValue])
    let expected = try AppendEdge.Data(jsonBytes: Array(ShopPage.edge("?").utf8))
    async let response = client.perform(mutation: mutation, optimistic: expected)
    await transport.untilSent(1)
    #expect(try await list(client) == "abcd?")
    // The layer is computed again over the new page.
    try await publish(ShopPage("ab"), of: query, to: client.store)
    try await publish(
      ShopPage("ce"), of: Query(first: 2, after: "b", category: "toys"), to: client.store)
    #expect(try await list(client) == "abce?")
    transport.respond(to: 0, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
    _ = try await response
    #expect(try await list(client) == "abcex")
    withExtendedLifetime(owner) {}
  }

  @Test func nothingRemainsOfAMutationThatFails() async throws {
    let cache = InMemoryNormalizedCache()
    let transport = HeldTransport()
    let client = try await client(cache, transport)
    func record() async throws -> Record? {
      try await client.store.withinReadTransaction { try $0.record(for: .queryRoot) }
    }
    let before = try await record()
    let expected = try AppendEdge.Data(jsonBytes: Array(ShopPage.edge("?").utf8))
    let mutation = AppendEdge(lists: [Self.toys.rawValue])
    async let response = client.perform(mutation: mutation, optimistic: expected)
    await transport.untilSent(1)
    #expect(try await list(client) == "abcd?")
    transport.respond(to: 0, .success(#"{"data":null,"errors":[{"message":"no"}]}"#))
    _ = try await response
    #expect(try await list(client) == "abcd")
    #expect(try await record() == before)
  }

  /// A page that was requested before the response came does not have the item.
  @Test func aPageOfAnOlderRequestDoesNotRemoveTheItem() async throws {
    let transport = HeldTransport()
    let client = try await client(InMemoryNormalizedCache(), transport)
    let next = Query(first: 2, after: "b", category: "toys")
    async let older = client.fetch(query: next, cachePolicy: .networkOnly)
    await transport.untilSent(1)
    async let appended = client.perform(mutation: AppendEdge(lists: [Self.toys.rawValue]))
    await transport.untilSent(2)
    transport.respond(to: 1, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
    _ = try await appended
    transport.respond(to: 0, .success(String(decoding: body(ShopPage("cd")), as: UTF8.self)))
    _ = try await older
    #expect(try await list(client) == "abcdx")
  }

  @Test func aLaterRefetchIsNewer() async throws {
    let transport = HeldTransport()
    let client = try await client(InMemoryNormalizedCache(), transport)
    async let appended = client.perform(mutation: AppendEdge(lists: [Self.toys.rawValue]))
    await transport.untilSent(1)
    transport.respond(to: 0, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
    _ = try await appended
    try await publish(
      ShopPage("cd"), of: Query(first: 2, after: "b", category: "toys"), to: client.store)
    #expect(try await list(client) == "abcd")
  }

  @Test func aWatchShowsTheItem() async throws {
    let transport = HeldTransport()
    let client = try await client(InMemoryNormalizedCache(), transport)
    let (lists, delivered) = AsyncStream<String?>.makeStream()
    let watcher = client.watch(query: query) { result in
      delivered.yield((try? result.get())?.data?.ids.joined())
    }
    var iterator = lists.makeAsyncIterator()
    #expect(await iterator.next() == "abcd")
    async let appended = client.perform(mutation: AppendEdge(lists: [Self.toys.rawValue]))
    await transport.untilSent(1)
    transport.respond(to: 0, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
    _ = try await appended
    #expect(await iterator.next() == "abcdx")
    watcher.cancel()
  }

  @Test func anEventOfASubscriptionChangesTheList() async throws {
    let client = try await client(InMemoryNormalizedCache(), HeldTransport())
    let event = Array(#"{"data":\#(ShopPage.edge("x"))}"#.utf8)
    try await client.store.publish(body: event, of: Added(lists: [Self.toys.rawValue]))
    #expect(try await list(client) == "abcdx")
  }

  // MARK: - Names

  @Test func aQueryKnowsItsList() throws {
    #expect(ListID("products", of: query) == Self.toys)
    #expect(ListID("products", of: Query(first: 9, after: "x", category: "toys")) == Self.toys)
    #expect(ListID("products", of: Query(last: 2, category: "toys")) != Self.toys)
    #expect(ListID("items", of: ShopAPI.ItemsQuery()) == nil, "It is no connection.")
    #expect(ListID("nothing", of: query) == nil)
  }

  @Test func variablesOfListsAreNotSent() {
    let body = String(decoding: AppendEdge(lists: ["products"]).requestBody(), as: UTF8.self)
    #expect(!body.contains("lists"), "\(body)")
    #expect(body.contains(#""variables":{"name":"x"}"#), "\(body)")
  }
}
