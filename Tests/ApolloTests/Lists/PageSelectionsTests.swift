import Apollo
import ApolloAPI
import ApolloCache
import Foundation
import TestOperations
import Testing

/// Queries that select less of a merged list than others, or other parts of it.
@Suite(.timeLimit(.minutes(10)))
struct PageSelectionsTests {
  private typealias Whole = ShopAPI.ProductsQuery

  private func publish<Query: GraphQLQuery>(
    _ page: ShopPage, of query: Query, to store: ApolloStore, errors: String = ""
  ) async throws {
    try await store.publish(
      body: Array(#"{\#(errors)"data":{"products":\#(page.json)}}"#.utf8), of: query)
  }

  /// A store with the list `abcd`, whose pages end behind `b` and `d`.
  private func store(_ kind: CacheKind) async throws -> (ApolloStore, AnyObject?) {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    try await publish(ShopPage("ab"), of: Whole(first: 2), to: store)
    try await publish(ShopPage("cd"), of: Whole(first: 2, after: "b"), to: store)
    return (store, owner)
  }

  // MARK: - Values of their own

  /// Such a query would bring one item, or one cursor, for a page of two.
  private func isAValueOfItsOwn<Selected: ShopSelections>(
    _ selected: Selected.Type, _ kind: CacheKind, ids: String = "a",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let (store, owner) = try await store(kind)
    typealias Query = SelectedQuery<Selected>
    let small = Query(first: 1)
    #expect(try await store.load(small).data == nil, sourceLocation: sourceLocation)
    try await publish(ShopPage("a"), of: small, to: store)
    let read = try #require(try await store.load(small).data, sourceLocation: sourceLocation)
    #expect(read.ids == ids, sourceLocation: sourceLocation)
    // Nor does a page in the middle replace a part.
    try await publish(ShopPage("c"), of: Query(first: 1, after: "b"), to: store)
    let whole = try #require(
      try await store.load(Whole(first: 2)).data, sourceLocation: sourceLocation)
    #expect(whole.ids.joined() == "abcd", sourceLocation: sourceLocation)
    #expect(whole.products.pageInfo.endCursor == "d", sourceLocation: sourceLocation)
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: CacheKind.allCases)
  func aFieldThatSelectsNoPageLeavesTheListAsItIs(kind: CacheKind) async throws {
    try await isAValueOfItsOwn(ShopSelection.NoPageInfo.self, kind)
    try await isAValueOfItsOwn(ShopSelection.NoCursor.self, kind)
    try await isAValueOfItsOwn(ShopSelection.NoHasNextPage.self, kind)
    try await isAValueOfItsOwn(ShopSelection.OtherEnd.self, kind)
    try await isAValueOfItsOwn(ShopSelection.NoItems.self, kind, ids: "")
    try await isAValueOfItsOwn(ShopSelection.NoNodes.self, kind, ids: "")
  }

  /// Otherwise the cursor of the one would be behind the items of the other.
  @Test(arguments: CacheKind.allCases)
  func aFieldWithOtherListsOfItemsIsAnotherList(kind: CacheKind) async throws {
    func check<Selected: ShopSelections>(_ selected: Selected.Type, copies: Int) async throws {
      let (store, owner) = try await store(kind)
      typealias Query = SelectedQuery<Selected>
      #expect(try await store.load(Query(first: 1)).data == nil)
      try await publish(ShopPage("x"), of: Query(first: 1), to: store)
      try await publish(ShopPage("y"), of: Query(first: 1, after: "x"), to: store)
      let read = try #require(try await store.load(Query(first: 1)).data)
      #expect(read.ids == String(repeating: "xy", count: copies))
      #expect(try await store.load(Whole(first: 2)).data?.ids.joined() == "abcd")
      withExtendedLifetime(owner) {}
    }
    try await check(ShopSelection.Nodes.self, copies: 1)
    try await check(ShopSelection.EdgesAndNodes.self, copies: 2)
  }

  // MARK: - Edges

  /// The cursor of an edge belongs to its node.
  @Test(arguments: CacheKind.allCases)
  func edgesOfOtherNodesAreOtherEdges(kind: CacheKind) async throws {
    typealias Query = SelectedQuery<ShopSelection.NoEdgeCursors>
    let (store, owner) = try await store(kind)
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    let read = try await store.load(Whole(first: 2)).data
    #expect(read?.ids.joined() == "abcd", "The same nodes have the cursors that are known.")
    try await publish(ShopPage("bx"), of: Query(first: 2), to: store)
    #expect(try await store.load(Query(first: 2)).data?.ids == "bx")
    let other = try await store.load(Whole(first: 2))
    #expect(other.data == nil)
    #expect(other.misses.map(\.path.dotted).contains("products.edges.0.cursor"))
    withExtendedLifetime(owner) {}
  }

  // MARK: - Failures

  private static func failure(at index: Int) -> String {
    #""errors":[{"message":"no note","path":["products","edges",\#(index),"node","note"]}],"#
  }

  private func page(_ items: String, failing: Character? = nil) -> String {
    ShopPage(items, hasPrevious: true).json.replacing(#""name":""#, with: #""note":""#)
      .replacing(#""note":"\#(failing ?? "-")""#, with: #""note":null"#)
  }

  /// Otherwise the page would be requested again and again, and never be shown.
  @Test(arguments: CacheKind.allCases, [true, false])
  func aFieldOfALaterPageThatFailedIsNullWithItsError(
    kind: CacheKind, servesFailures: Bool
  ) async throws {
    typealias Query = SelectedQuery<ShopSelection.Notes>
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    func publish(_ json: String, _ query: Query, _ errors: String = "") async throws {
      try await store.publish(
        body: Array(#"{\#(errors)"data":{"products":\#(json)}}"#.utf8), of: query)
    }
    // An item of the further page is on the first one, too.
    try await publish(page("ab"), Query(first: 2))
    try await publish(
      page("bcd", failing: "d"), Query(first: 2, after: "b"), Self.failure(at: 2))
    try await publish(page("ef"), Query(first: 2, after: "d"))
    let forward = try await store.load(Query(first: 2), servesFailures: servesFailures)
    #expect(forward.data?.ids == "abcdef")
    #expect(forward.errors.map(\.path?.dotted) == ["products.edges.3.node.note"])

    try await publish(page("yz", failing: "z"), Query(last: 2), Self.failure(at: 1))
    try await publish(
      page("vw", failing: "v"), Query(last: 2, before: "y"), Self.failure(at: 0))
    let backward = try await store.load(Query(last: 2), servesFailures: servesFailures)
    guard servesFailures else {
      #expect(backward.data == nil, "The first page that is read is an ordinary field.")
      return
    }
    #expect(backward.data?.ids == "vwyz")
    #expect(
      Set(backward.errors.map(\.path?.dotted)) == [
        "products.edges.0.node.note", "products.edges.3.node.note",
      ])
    withExtendedLifetime(owner) {}
  }

  /// The watch shows the page, and where it goes on.
  @Test func aWatchShowsAPageWithAFailure() async throws {
    typealias Query = SelectedQuery<ShopSelection.Notes>
    let first = page("ab")
    let second = page("cd", failing: "c")
    let client = ApolloClient(
      networkTransport: ScriptedTransport { request, _ in
        (request.operation as? Query)?.after.unwrapped == nil
          ? #"{"data":{"products":\#(first)}}"#
          : #"{\#(Self.failure(at: 0))"data":{"products":\#(second)}}"#
      })
    let watcher = client.watch(query: Query(first: 2))
    var updates = watcher.makeAsyncIterator()
    #expect(try await updates.next()?.get().data?.ids == "ab")
    _ = try await client.fetch(query: Query(first: 2, after: "b"), cachePolicy: .networkOnly)
    let both = try #require(try await updates.next()?.get())
    #expect(both.data?.ids == "abcd")
    #expect(both.errors?.map(\.path?.dotted) == ["products.edges.2.node.note"])
    #expect(both.data?.json.contains(#""endCursor":"d""#) == true)
    withExtendedLifetime(watcher) {}
  }

  // MARK: - Objects without a key

  @Test(arguments: CacheKind.allCases)
  func listsOfObjectsWithoutAKeyAreMerged(kind: CacheKind) async throws {
    typealias Query = SelectedQuery<ShopSelection.Embedded>
    typealias Other = SelectedQuery<ShopSelection.EmbeddedElsewhere>
    let (cache, owner) = try kind.make()
    let pages = Lock(["": ShopPage("ab"), "b": ShopPage("cd"), "d": ShopPage("e", hasNext: false)])
    let transport = ScriptedTransport { request, _ in
      let after = (request.operation as? Query)?.after ?? (request.operation as? Other)?.after
      let page = try #require(pages.get()[after?.unwrapped ?? ""])
      return #"{"data":{"shop":{"name":"S","products":\#(page.json)}}}"#
    }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    let watcher = client.watch(query: Query(first: 2))
    var updates = watcher.makeAsyncIterator()
    #expect(try await updates.next()?.get().data?.ids == "ab")
    _ = try await client.fetch(query: Query(first: 2, after: "b"), cachePolicy: .networkOnly)
    #expect(try await updates.next()?.get().data?.ids == "abcd")
    _ = try await client.fetch(query: Query(first: 9, after: "d"), cachePolicy: .networkOnly)
    let whole = try #require(try await updates.next()?.get().data)
    #expect(whole.ids == "abcde" && whole.json.contains(#""hasNextPage":false"#))
    #expect(try await client.store.load(Other(first: 2)).data?.ids == "abcde")
    // The other selection replaces the first page.
    pages.withLock { $0[""] = ShopPage("ab", hasNext: false) }
    _ = try await client.fetch(query: Other(first: 2), cachePolicy: .networkOnly)
    #expect(try await updates.next()?.get().data?.ids == "ab")
    #expect(transport.requestCount == 4)
    withExtendedLifetime((owner, watcher)) {}
  }
}
