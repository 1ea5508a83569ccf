import Apollo
import ApolloAPI
import ApolloCache
import Foundation
import TestOperations
import Testing

/// Changes of lists in optimistic layers, after a clearing, and of pages that are records.
@Suite(.timeLimit(.minutes(10)))
struct ListLayerTests {
  private typealias Query = ShopAPI.ProductsQuery
  private static let toys = ListID(field: "products", arguments: ["category": "toys"])
  private let query = Query(first: 2, category: "toys")
  private let next = Query(first: 2, after: "b", category: "toys")
  private let transport = HeldTransport()

  private func client(_ cache: any NormalizedCache) async throws -> ApolloClient {
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    try await fill(client.store)
    return client
  }

  private func fill(_ store: ApolloStore) async throws {
    try await store.publish(body: Array(body("ab").utf8), of: query)
    try await store.publish(body: Array(body("cd").utf8), of: next)
  }

  private func body(_ items: String) -> String {
    #"{"data":{"products":\#(ShopPage(items).json)}}"#
  }

  private func list(_ client: ApolloClient) async throws -> String? {
    try await client.store.load(query).data?.ids.joined()
  }

  private func edge(_ item: String) throws -> AppendEdge.Data {
    try AppendEdge.Data(jsonBytes: Array(ShopPage.edge(item).utf8))
  }

  private let lists = [toys.rawValue]

  private static let kinds: [CacheKind] = [.memory, .disk]

  @Test(arguments: kinds, [false, true])
  func theItemOfOneOfTwoMutationsStays(kind: CacheKind, firstFails: Bool) async throws {
    let (cache, owner) = try kind.make()
    let client = try await client(cache)
    async let one = client.perform(mutation: AppendEdge(lists: lists), optimistic: edge("1"))
    await transport.untilSent(1)
    async let two = client.perform(mutation: AppendEdge(lists: lists), optimistic: edge("2"))
    await transport.untilSent(2)
    #expect(try await list(client) == "abcd12")
    let failed = firstFails ? 0 : 1
    transport.respond(to: failed, .failure(URLError(.timedOut)))
    if firstFails { _ = try? await one } else { _ = try? await two }
    #expect(try await list(client) == (firstFails ? "abcd2" : "abcd1"))
    transport.respond(to: 1 - failed, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
    if firstFails { _ = try await two } else { _ = try await one }
    #expect(try await list(client) == "abcdx")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: kinds, [false, true])
  func whatWasDeletedOptimisticallyComesBackIfTheMutationFails(
    kind: CacheKind, fails: Bool
  ) async throws {
    let (cache, owner) = try kind.make()
    let client = try await client(cache)
    let data = try DeleteRecord.Data(
      jsonBytes: Array(#"{"delete":\#(ShopPage.product("c"))}"#.utf8))
    async let deleted = client.perform(mutation: DeleteRecord(lists: lists), optimistic: data)
    await transport.untilSent(1)
    #expect(try await list(client) == "abd")
    // A page that is fetched in the meantime has the item still.
    async let page = client.fetch(query: next, cachePolicy: .networkOnly)
    await transport.untilSent(2)
    transport.respond(to: 1, .success(body("cde")))
    _ = try await page
    #expect(try await list(client) == "abde")
    if fails {
      transport.respond(to: 0, .failure(URLError(.timedOut)))
    } else {
      transport.respond(to: 0, .success(#"{"data":{"delete":\#(ShopPage.product("c"))}}"#))
    }
    _ = try? await deleted
    #expect(try await list(client) == (fails ? "abcde" : "abde"))
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: kinds)
  func anItemThatARefetchHasBroughtIsNotInsertedAgain(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let client = try await client(cache)
    async let appended = client.perform(mutation: AppendEdge(lists: lists), optimistic: edge("?"))
    await transport.untilSent(1)
    async let page = client.fetch(query: next, cachePolicy: .networkOnly)
    await transport.untilSent(2)
    transport.respond(to: 1, .success(body("cdx")))
    _ = try await page
    #expect(try await list(client) == "abcdx?")
    transport.respond(to: 0, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
    _ = try await appended
    #expect(try await list(client) == "abcdx")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: kinds)
  func aClearingTakesTheListAndTheOptimisticItem(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let client = try await client(cache)
    async let appended = client.perform(mutation: AppendEdge(lists: lists), optimistic: edge("?"))
    await transport.untilSent(1)
    try await client.store.clearCache()
    #expect(try await client.store.contains(Self.toys) == false)
    try await fill(client.store)
    #expect(try await list(client) == "abcd")
    transport.respond(to: 0, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
    _ = try await appended
    // The response is from before the clearing.
    #expect(try await list(client) == "abcd")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: CacheKind.allCases)
  func afterAClearingAnItemIsAtTheNewEnd(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let client = try await client(cache)
    try await client.store.publish(
      body: Array(#"{"data":\#(ShopPage.edge("x"))}"#.utf8), of: AppendEdge(lists: lists))
    #expect(try await list(client) == "abcdx")
    try await client.store.clearCache()
    try await client.store.publish(body: Array(body("ab").utf8), of: query)
    try await client.store.publish(
      body: Array(#"{"data":\#(ShopPage.edge("y"))}"#.utf8), of: AppendEdge(lists: lists))
    #expect(try await list(client) == "aby")
    try await client.store.publish(body: Array(body("cd").utf8), of: next)
    try await client.store.publish(
      body: Array(#"{"data":\#(ShopPage.edge("z"))}"#.utf8), of: AppendEdge(lists: lists))
    #expect(try await list(client) == "abycdz")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: CacheKind.allCases)
  func aListWithoutItemsTakesThem(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let client = try await client(cache)
    func publish(_ data: String, of mutation: some GraphQLMutation) async throws {
      try await client.store.publish(body: Array(#"{"data":\#(data)}"#.utf8), of: mutation)
    }
    try await publish(#"{"delete":["a","b","c","d"]}"#, of: DeleteEdge(lists: lists))
    #expect(try await list(client) == "")
    try await publish(ShopPage.edge("x"), of: PrependEdge(lists: lists))
    try await publish(ShopPage.edge("y"), of: AppendEdge(lists: lists))
    try await publish(ShopPage.edge("z"), of: PrependEdge(lists: lists))
    #expect(try await list(client) == "zxy")
    try await publish(#"{"delete":["x"]}"#, of: DeleteEdge(lists: lists))
    try await publish(ShopPage.edge("x"), of: AppendEdge(lists: lists))
    #expect(try await list(client) == "zyx")
    withExtendedLifetime(owner) {}
  }

  /// A later mutation has inserted an item again that an earlier one has deleted.
  @Test(arguments: CacheKind.allCases)
  func anOldPageTakesAwayNoItemThatWasInsertedAgain(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    try await client.store.publish(body: Array(body("ab").utf8), of: query)
    async let page = client.fetch(query: next, cachePolicy: .networkOnly)
    await transport.untilSent(1)
    async let deleted = client.perform(mutation: DeleteEdge(lists: lists))
    await transport.untilSent(2)
    transport.respond(to: 1, .success(#"{"data":{"delete":["c"]}}"#))
    _ = try await deleted
    async let appended = client.perform(mutation: AppendEdge(lists: lists))
    await transport.untilSent(3)
    transport.respond(to: 2, .success(#"{"data":\#(ShopPage.edge("c"))}"#))
    _ = try await appended
    #expect(try await list(client) == "abc")
    transport.respond(to: 0, .success(body("cd")))
    _ = try await page
    #expect(try await list(client) == "abcd")
    withExtendedLifetime(owner) {}
  }

  // MARK: - Wrappers

  private enum Wrapped: ShopSelections {
    static let selections = Selections(
      "Mutation {payload Payload {results [Result {product Product {__typename String! id ID! "
        + "name String!} @appendNode(connections: $lists edgeTypeName: \"ProductEdge\") "
        + "gone ID @deleteRecord(connections: $lists typeName: \"Product\")}]}}")
  }

  @Test(arguments: CacheKind.allCases)
  func theDirectivesOfAllElementsOfAPayloadApply(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let client = try await client(cache)
    let mutation = SelectedMutation<Wrapped>(["lists": [Self.toys.rawValue]])
    let results =
      #"{"product":\#(ShopPage.product("x")),"gone":"a"},null,"#
      + #"{"product":null,"gone":"x"},{"product":\#(ShopPage.product("y")),"gone":null}"#
    try await client.store.publish(
      body: Array(#"{"data":{"payload":{"results":[\#(results)]}}}"#.utf8), of: mutation)
    #expect(try await list(client) == "bcdy")
    #expect(try await client.store.record("Product:a") == nil)
    try await client.store.publish(body: Array(#"{"data":{"payload":null}}"#.utf8), of: mutation)
    #expect(try await list(client) == "bcdy")
    withExtendedLifetime(owner) {}
  }

  // MARK: - Pages that are records

  private enum Keyed: ShopSelections {
    static let selections = Selections(
      "Query {list(after: $after) KeyedEdge {__typename String! key ID! "
        + "edges [ProductEdge {cursor String! node Product {__typename String! id ID! name String!}!}!]! "
        + "pageInfo PageInfo {hasNextPage Boolean! endCursor String}!}! @connection(key: \"Keyed\")}"
    )
  }

  private func keyed(_ items: String, _ key: String) -> String {
    let page = ShopPage(items).json.replacing(
      #""ProductConnection""#, with: #""KeyedEdge","key":"\#(key)""#)
    return #"{"data":{"list":\#(page)}}"#
  }

  @Test(arguments: CacheKind.allCases)
  func aPageUnderWayThatIsARecordDoesNotBringBackADeletedItem(kind: CacheKind) async throws {
    let ids = try await idsAfterDeletingC(
      of: SelectedQuery<Keyed>.self, kind, pages: keyed("ab", "1"), keyed("cd", "2"))
    #expect(ids == "abd")
  }

  /// Returns the items of a list from whose second page `c` is deleted while that is under way.
  private func idsAfterDeletingC<Selected: ShopSelections>(
    of query: SelectedQuery<Selected>.Type, _ kind: CacheKind, pages first: String,
    _ second: String
  ) async throws -> String? {
    let (cache, owner) = try kind.make()
    defer { withExtendedLifetime(owner) {} }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    try await client.store.publish(body: Array(first.utf8), of: query.init())
    async let page = client.fetch(query: query.init(after: "b"), cachePolicy: .networkOnly)
    await transport.untilSent(1)
    async let deleted = client.perform(mutation: DeleteEdge(lists: ["__Keyed_connection"]))
    await transport.untilSent(2)
    transport.respond(to: 1, .success(#"{"data":{"delete":["c"]}}"#))
    _ = try await deleted
    transport.respond(to: 0, .success(second))
    _ = try await page
    return try await client.store.load(query.init()).data?.ids
  }

  /// The first edge of a page is selected twice, without its node before.
  private enum KeyedEdges: ShopSelections {
    static let selections = Selections(
      "Query {top KeyedEdge {__typename String! key ID!}! list(after: $after) KeyedConnection "
        + "{__typename String! edges [KeyedEdge {__typename String! key ID! cursor String! "
        + "node Product {__typename String! id ID! name String!}!}!]! pageInfo PageInfo "
        + "{hasNextPage Boolean! endCursor String}!}! @connection(key: \"Keyed\")}")
  }

  private func keyedEdges(_ first: String, _ second: String) -> String {
    func edge(_ item: String) -> String {
      #"{"__typename":"KeyedEdge","key":"e\#(item)","cursor":"\#(item)","#
        + #""node":\#(ShopPage.product(item))}"#
    }
    return #"{"data":{"top":{"__typename":"KeyedEdge","key":"e\#(first)"},"list":"#
      + #"{"__typename":"KeyedConnection","edges":[\#(edge(first)),\#(edge(second))],"#
      + #""pageInfo":{"__typename":"PageInfo","hasNextPage":true,"endCursor":"\#(second)"}}}}"#
  }

  @Test(arguments: CacheKind.allCases)
  func aPageUnderWayDoesNotBringBackAnEdgeThatIsSelectedTwice(kind: CacheKind) async throws {
    let ids = try await idsAfterDeletingC(
      of: SelectedQuery<KeyedEdges>.self, kind, pages: keyedEdges("a", "b"), keyedEdges("c", "d"))
    #expect(ids == "abd")
  }
}
