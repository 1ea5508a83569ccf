import Apollo
import ApolloAPI
import ApolloCache
import TestOperations
import Testing

/// Pages that are requested with unusual arguments and selections.
@Suite(.timeLimit(.minutes(10)))
struct PageArgumentsMeetingTests {
  private typealias Query = ShopAPI.ProductsQuery

  private func publish(_ page: ShopPage, of query: Query, to store: ApolloStore) async throws {
    try await store.publish(body: Array(#"{"data":{"products":\#(page.json)}}"#.utf8), of: query)
  }

  private func list(
    _ store: ApolloStore, _ query: Query = Query(first: 2)
  ) async throws -> String? {
    try await store.load(query).data?.ids.joined()
  }

  // MARK: - Sizes from the other end

  /// `last: 2, after: "b"` has the last two of all items behind the cursor, not the next two.
  @Test(arguments: CacheKind.allCases)
  func theLastItemsBehindACursorAreNotTheNextPage(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    try await publish(
      ShopPage("yz", hasNext: false, hasPrevious: true), of: Query(after: "b", last: 2), to: store)
    #expect(try await list(store) == "ab", "The items between the cursor and 'y' are unknown.")
    #expect(try await list(store, Query(after: "b", last: 2)) == "yz", "It is read alone.")
    withExtendedLifetime(owner) {}
  }

  /// `first: 2, before: "y"` has the first two of all items, not those that precede the cursor.
  @Test func theFirstItemsBeforeACursorAreNotThePreviousPage() async throws {
    let store = ApolloStore()
    try await publish(
      ShopPage("yz", hasNext: false, hasPrevious: true), of: Query(last: 2), to: store)
    try await publish(ShopPage("ab"), of: Query(first: 2, before: "y"), to: store)
    #expect(try await list(store, Query(last: 2)) == "yz")
    #expect(try await list(store, Query(first: 2, before: "y")) == "ab")
  }

  /// `first: 4, last: 2` has the third and the fourth item.
  @Test func theLastOfTheFirstItemsAreNotTheFirstPage() async throws {
    let store = ApolloStore()
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    try await publish(ShopPage("cd", hasPrevious: true), of: Query(first: 4, last: 2), to: store)
    #expect(try await list(store) == "ab")
    #expect(try await list(store, Query(first: 4, last: 2)) == "cd")
  }

  /// A page between two cursors has no place behind the first one alone.
  @Test func thePageBetweenTwoCursorsIsReadAlone() async throws {
    let store = ApolloStore()
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    try await publish(ShopPage("c"), of: Query(first: 2, after: "b", before: "d"), to: store)
    #expect(try await list(store) == "ab")
    #expect(try await list(store, Query(first: 2, after: "b", before: "d")) == "c")
  }

  /// A directive puts an item behind the known pages, and not behind the end of the whole list.
  @Test func theLastKnownPageIsNotThatFromTheOtherEnd() async throws {
    let store = ApolloStore()
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    try await publish(
      ShopPage("yz", hasNext: false, hasPrevious: true), of: Query(after: "b", last: 2), to: store)
    try await publish(ShopPage("cd"), of: Query(first: 2, after: "b"), to: store)
    #expect(try await list(store) == "abcd")
    #expect(try await list(store, Query(after: "b", last: 2)) == "yz")
  }

  // MARK: - Null

  /// With `products(category: String = "toys")`, null stands for all products and an absent
  /// category for toys.
  @Test(arguments: CacheKind.allCases)
  func anArgumentThatIsNullSelectsAnotherListThanAnAbsentOne(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    let all = Query(first: 2, category: .null)
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    try await publish(ShopPage("xy"), of: all, to: store)
    #expect(try await list(store) == "ab")
    #expect(try await list(store, all) == "xy")
    let id = ListID(field: "products", arguments: ["category": .null])
    #expect(ListID("products", of: all) == id)
    #expect(ListID("products", of: Query(first: 2)) == ListID(field: "products"))
    try await store.publish(
      body: Array(#"{"data":{"add":\#(ShopPage.product("z"))}}"#.utf8),
      of: AppendNode(lists: [id.rawValue]))
    #expect(try await list(store) == "ab")
    #expect(try await list(store, all) == "xyz")
    withExtendedLifetime(owner) {}
  }

  @Test func aCursorOrASizeThatIsNullIsAbsent() async throws {
    let store = ApolloStore()
    let query = Query(first: 2, after: .null, last: .null, before: .null)
    try await publish(ShopPage("ab"), of: query, to: store)
    #expect(try await list(store) == "ab")
    try await publish(ShopPage("cd"), of: Query(first: 2, after: "b", before: .null), to: store)
    #expect(try await list(store) == "abcd")
  }

  // MARK: - Cursors

  /// The first page of a list whose cursors are times.
  private enum FirstTimes: ShopSelections {
    static let selections = Selections("Query {products(first: 2) \(times)}")
  }

  /// The page behind the first one.
  private enum NextTimes: ShopSelections {
    static let selections = Selections("Query {products(after: 1.5 first: 2) \(times)}")
  }

  private static let times =
    "ProductConnection {edges [ProductEdge {node Product {__typename String! id ID!}!}!]! "
    + "pageInfo PageInfo {hasNextPage Boolean! endCursor Float}!}!"

  private static func timesPage(_ items: String, end: Double) -> [UInt8] {
    let edges = items.map { #"{"node":{"__typename":"Product","id":"\#($0)"}}"# }
    return Array(
      (#"{"data":{"products":{"edges":[\#(edges.joined(separator: ","))],"#
        + #""pageInfo":{"hasNextPage":true,"endCursor":\#(end)}}}}"#).utf8)
  }

  private func times(_ store: ApolloStore) async throws -> String? {
    let reading: CacheReading<SelectedQuery<FirstTimes>.Data> = try await store.load(
      SelectedQuery<FirstTimes>())
    return reading.data?.ids
  }

  @Test(arguments: CacheKind.allCases)
  func directivesChangeThePagesBehindACursorWithAFraction(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    try await store.publish(body: Self.timesPage("ab", end: 1.5), of: SelectedQuery<FirstTimes>())
    try await store.publish(body: Self.timesPage("cd", end: 2.5), of: SelectedQuery<NextTimes>())
    #expect(try await times(store) == "abcd")
    let id = try #require(ListID("products", of: SelectedQuery<FirstTimes>())).rawValue
    let added = #"{"data":{"add":\#(ShopPage.product("x"))}}"#
    try await store.publish(body: Array(added.utf8), of: AppendNode(lists: [id]))
    #expect(try await times(store) == "abcdx")
    try await store.publish(
      body: Array(#"{"data":{"delete":["d"]}}"#.utf8), of: DeleteEdge(lists: [id]))
    #expect(try await times(store) == "abcx")
    withExtendedLifetime(owner) {}
  }

  // MARK: - Aliases

  /// Two aliases of `pageInfo` that select different fields.
  private enum TwoInfos: ShopSelections {
    static let selections = Selections(
      "Query {products(after: $after first: $first) ProductConnection {"
        + "edges [ProductEdge {node Product {__typename String! id ID!}!}!]! "
        + "pageInfo PageInfo {hasNextPage Boolean! endCursor String}! "
        + "start:pageInfo PageInfo {hasPreviousPage Boolean! startCursor String}!}!}")
  }

  private static func twoInfos(_ items: String, hasPrevious: Bool) -> [UInt8] {
    let edges = items.map { #"{"node":{"__typename":"Product","id":"\#($0)"}}"# }
    return Array(
      (#"{"data":{"products":{"edges":[\#(edges.joined(separator: ","))],"#
        + #""pageInfo":{"hasNextPage":true,"endCursor":"\#(items.suffix(1))"},"#
        + #""start":{"hasPreviousPage":\#(hasPrevious),"startCursor":"\#(items.prefix(1))"}}}}"#)
        .utf8)
  }

  @Test func eachAliasOfPageInfoKeepsItsOwnFields() async throws {
    let store = ApolloStore()
    typealias Query = SelectedQuery<TwoInfos>
    try await store.publish(
      body: Self.twoInfos("ab", hasPrevious: false), of: Query(first: 2))
    try await store.publish(
      body: Self.twoInfos("cd", hasPrevious: true), of: Query(first: 2, after: "b"))
    let data = try #require(try await store.load(Query(first: 2)).data)
    #expect(data.ids == "abcd")
    #expect(data.json.contains(#""endCursor":"d""#))
    #expect(data.json.contains(#""startCursor":"a""#))
    #expect(data.json.contains(#""hasPreviousPage":false"#))
  }
}
