import Apollo
import ApolloAPI
import ApolloCache
import Foundation
import ManualClock
import TestOperations
import Testing

/// The table of the article "Lists in the cache", line by line.
@Suite(.timeLimit(.minutes(10)))
struct MergedPagesTests {
  private typealias Query = ShopAPI.ProductsQuery

  private func store(_ kind: CacheKind) throws -> (ApolloStore, AnyObject?) {
    let (cache, owner) = try kind.make()
    return (ApolloStore(cache: cache), owner)
  }

  private func publish(_ page: ShopPage, of query: Query, to store: ApolloStore) async throws {
    try await store.publish(body: Array(#"{"data":{"products":\#(page.json)}}"#.utf8), of: query)
  }

  private func list(_ store: ApolloStore, _ query: Query = Query(first: 2)) async throws -> String {
    let data = try #require(try await store.load(query).data)
    return data.ids.joined()
  }

  @Test(arguments: CacheKind.allCases)
  func pagesThatFollowAreOneList(kind: CacheKind) async throws {
    let (store, owner) = try store(kind)
    try await publish(ShopPage("ab", total: 5), of: Query(first: 2), to: store)
    #expect(try await list(store) == "ab")
    try await publish(
      ShopPage("cd", hasPrevious: true), of: Query(first: 2, after: "b"), to: store)
    try await publish(
      ShopPage("e", hasNext: false, hasPrevious: true), of: Query(first: 2, after: "d"), to: store)
    let data = try #require(try await store.load(Query(first: 2)).data)
    #expect(data.ids.joined() == "abcde")
    let info = data.products.pageInfo
    #expect(info.startCursor == "a" && !info.hasPreviousPage)
    #expect(info.endCursor == "e" && !info.hasNextPage)
    #expect(data.products.totalCount == 5, "It is that of the first page.")
    // A page is read alone.
    #expect(try await list(store, Query(first: 2, after: "b")) == "cd")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: CacheKind.allCases)
  func theListEndsAtAGap(kind: CacheKind) async throws {
    let (store, owner) = try store(kind)
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    try await publish(ShopPage("ef"), of: Query(first: 2, after: "d"), to: store)
    let data = try #require(try await store.load(Query(first: 2)).data)
    #expect(data.ids.joined() == "ab")
    #expect(data.products.pageInfo.endCursor == "b" && data.products.pageInfo.hasNextPage)
    try await publish(ShopPage("cd"), of: Query(first: 2, after: "b"), to: store)
    #expect(try await list(store) == "abcdef")
    withExtendedLifetime(owner) {}
  }

  @Test func twoPagesAtOnceMakeOneListInAnyOrder() async throws {
    let store = ApolloStore()
    try await publish(ShopPage("ef"), of: Query(first: 2, after: "d"), to: store)
    try await publish(ShopPage("cd"), of: Query(first: 2, after: "b"), to: store)
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    #expect(try await list(store) == "abcdef")
  }

  /// A query with `last` begins at the end.
  @Test(arguments: CacheKind.allCases)
  func pagesBeforeTheLastOneAreOneList(kind: CacheKind) async throws {
    let (store, owner) = try store(kind)
    let query = Query(last: 2)
    try await publish(ShopPage("ef", hasNext: false, hasPrevious: true), of: query, to: store)
    try await publish(
      ShopPage("cd", hasPrevious: true), of: Query(last: 2, before: "e"), to: store)
    try await publish(ShopPage("ab"), of: Query(last: 2, before: "c"), to: store)
    let data = try #require(try await store.load(query).data)
    #expect(data.ids.joined() == "abcdef")
    let info = data.products.pageInfo
    #expect(info.startCursor == "a" && !info.hasPreviousPage)
    #expect(info.endCursor == "f" && !info.hasNextPage)
    #expect(try await store.load(Query(first: 2)).data == nil, "The beginning is another page.")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: [
    // The last item is the same: what follows it stays.
    ("xb", "xbcd"),
    // Another last item: nothing is known behind it.
    ("xa", "xa"),
    // An item has moved to the beginning, and is shown there.
    ("cb", "cbd"),
    // An item has been removed.
    ("b", "bcd"),
  ])
  func aRefetchOfTheFirstPage(page: String, result: String) async throws {
    let store = ApolloStore()
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    try await publish(ShopPage("cd", hasNext: false), of: Query(first: 2, after: "b"), to: store)
    try await publish(ShopPage(page), of: Query(first: 2), to: store)
    let data = try #require(try await store.load(Query(first: 2)).data)
    #expect(data.ids.joined() == result)
    #expect(data.products.pageInfo.hasNextPage == (result == "xa"))
  }

  @Test func theLastPageHasNoOldPagesBehindIt() async throws {
    let store = ApolloStore()
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    try await publish(ShopPage("cd"), of: Query(first: 2, after: "b"), to: store)
    try await publish(ShopPage("ab", hasNext: false), of: Query(first: 2), to: store)
    #expect(try await list(store) == "ab")
  }

  @Test func aCursorThatComesAgainEndsTheList() async throws {
    let store = ApolloStore()
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    try await publish(ShopPage("cd", end: "b"), of: Query(first: 2, after: "b"), to: store)
    #expect(try await list(store) == "abcd")
  }

  @Test func argumentsThatSelectAnotherList() async throws {
    let store = ApolloStore()
    try await publish(ShopPage("ab"), of: Query(first: 2, category: "toys"), to: store)
    try await publish(ShopPage("xy"), of: Query(first: 2, category: "food"), to: store)
    try await publish(
      ShopPage("cd"), of: Query(first: 9, after: "b", category: "toys", sort: "up"), to: store)
    #expect(try await list(store, Query(first: 2, category: "toys")) == "abcd")
    #expect(try await list(store, Query(first: 7, category: "toys", sort: "down")) == "abcd")
    #expect(try await list(store, Query(first: 2, category: "food")) == "xy")
    #expect(try await store.load(Query(first: 2)).data == nil)
  }

  @Test func aConnectionWithAKeyIsAListOfItsOwn() async throws {
    let store = ApolloStore()
    typealias Featured = ShopAPI.FeaturedQuery
    func publish(_ featured: ShopPage, _ orders: ShopPage, _ query: Featured) async throws {
      let body = #"{"data":{"featured":\#(featured.json),"orders":\#(orders.json)}}"#
      try await store.publish(body: Array(body.utf8), of: query)
    }
    try await self.publish(ShopPage("ab"), of: Query(first: 2, category: "toys"), to: store)
    try await publish(ShopPage("pq"), ShopPage("12"), Featured(category: "toys", sort: "up"))
    try await publish(ShopPage("rs"), ShopPage("34"), Featured(after: "q", category: "toys"))
    try await publish(ShopPage("uv"), ShopPage("56"), Featured(after: "2"))
    let data = try #require(try await store.load(Featured(category: "toys")).data)
    #expect(data.ids.joined() == "pqrs")
    #expect(data.orderIDs.joined() == "1256", "The policy in code has no arguments in its key.")
    #expect(try await list(store, Query(first: 2, category: "toys")) == "ab")
  }

  @Test func aRemovedItemEndsTheListBeforeItsPage() async throws {
    let store = ApolloStore()
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    try await publish(ShopPage("cd"), of: Query(first: 2, after: "b"), to: store)
    try await store.removeObject(for: "Product:d")
    let data = try #require(try await store.load(Query(first: 2)).data)
    #expect(data.ids.joined() == "ab" && data.products.pageInfo.hasNextPage)
    try await store.removeObject(for: "Product:a")
    #expect(try await store.load(Query(first: 2)).data == nil)
  }

  /// The page that is left out has no part in the age of the list.
  @Test func aListThatEndsBeforeAPageIsAsFreshAsItsOwnPages() async throws {
    var configuration = ApolloStore.Configuration()
    configuration.freshness.isTracked = true
    configuration.freshness.defaultMaxAge = .seconds(3_600)
    let store = ApolloStore(configuration: configuration)
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    try await publish(ShopPage("cd"), of: Query(first: 2, after: "b"), to: store)
    try await store.removeObject(for: "Product:d")
    let reading = try await store.load(Query(first: 2), ttlEnforcement: .strict)
    #expect(reading.data?.ids.joined() == "ab")
    try await publish(ShopPage("cd"), of: Query(first: 2, after: "b"), to: store)
    #expect(try await list(store) == "abcd")
  }

  /// A call that missed because of a later page would fetch the first one, again and again.
  @Test(arguments: [("Query.products", true), ("ProductConnection", true), ("Product", false)])
  func aLaterPageIsAsFreshAsItsItemsWithKeys(rule: String, isFresh: Bool) async throws {
    let time = Lock(1_000.0)
    var configuration = ApolloStore.Configuration()
    configuration.freshness.maxAges = [rule: .seconds(60)]
    configuration.freshness.now = { Date(timeIntervalSince1970: time.get()) }
    let store = ApolloStore(configuration: configuration)
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    try await publish(ShopPage("cd"), of: Query(first: 2, after: "b"), to: store)
    time.withLock { $0 += 60 }
    #expect(try await store.load(Query(first: 2), ttlEnforcement: .strict).data == nil)
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    let data = try await store.load(Query(first: 2), ttlEnforcement: .strict).data
    #expect(data?.ids.joined() == (isFresh ? "abcd" : nil))
  }

  /// The whole list is written to its first page, and nothing comes back.
  @Test(arguments: CacheKind.allCases)
  func aListThatIsWrittenBackIsTheList(kind: CacheKind) async throws {
    let (store, owner) = try store(kind)
    try await publish(ShopPage("ab"), of: Query(first: 2), to: store)
    try await publish(ShopPage("cd"), of: Query(first: 2, after: "b"), to: store)
    let all = try #require(try await store.load(Query(first: 2)).data)
    // The item under the cursor of the first page is removed.
    let kept = try Query.Data(
      jsonBytes: Array(#"{"products":\#(ShopPage("acd").json)}"#.utf8))
    try await store.withinReadWriteTransaction { transaction in
      try transaction.write(data: kept, for: Query(first: 2))
    }
    #expect(all.ids.joined() == "abcd")
    #expect(try await list(store) == "acd")
    try await publish(ShopPage("ef"), of: Query(first: 2, after: "d"), to: store)
    #expect(try await list(store) == "acdef")
    withExtendedLifetime(owner) {}
  }

  // MARK: - Offsets and numbers

  @Test(arguments: CacheKind.allCases)
  func pagesWithOffsetsAndNumbersAreLists(kind: CacheKind) async throws {
    let (store, owner) = try store(kind)
    typealias Items = ShopAPI.ItemsQuery
    func publish(_ items: String, _ users: String, _ query: Items) async throws {
      func list(_ text: String) -> String {
        text.map { $0 == "-" ? "null" : ShopPage.product(String($0)) }.joined(separator: ",")
      }
      let body = #"{"data":{"items":[\#(list(items))],"users":[\#(list(users))]}}"#
      try await store.publish(body: Array(body.utf8), of: query)
    }
    try await publish("a-", "kl", Items(size: 2))
    try await publish("cd", "mn", Items(offset: 2, page: 2, size: 2))
    // An item that comes again because another one was inserted before it; a short page.
    try await publish("de", "o", Items(offset: 4, page: 3, size: 2))
    try await publish("", "zz", Items(offset: 6, page: 4, size: 2))
    let data = try #require(try await store.load(Items(size: 2)).data)
    #expect(data.ids == ["a", nil, "c", "d", "e"])
    #expect(data.userIDs.joined() == "klmno", "A short page is the last one.")
    #expect(try await store.load(Items(offset: 0, page: 1, size: 2)).data?.ids.count == 5)
    #expect(try await store.load(Items(offset: 2, page: 2, size: 2)).data?.ids == ["c", "d"])
    #expect(try await store.load(Items(page: 1, size: 3)).data == nil, "Pages of another size.")
    withExtendedLifetime(owner) {}
  }

  // MARK: - Watches and the order of requests

  /// One watch of the first page has the whole list.
  @Test(arguments: CacheKind.allCases)
  func aWatchFollowsTheList(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let pages = Lock(["": ShopPage("ab"), "b": ShopPage("cd"), "d": ShopPage("e", hasNext: false)])
    let transport = ScriptedTransport { request, _ in
      let query = try #require(request.operation as? Query)
      let page = pages.get()[query.after.unwrapped ?? ""]
      return #"{"data":{"products":\#(try #require(page).json)}}"#
    }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    let watcher = client.watch(query: Query(first: 2))
    var updates = watcher.makeAsyncIterator()
    #expect(try await updates.next()?.get().data?.ids.joined() == "ab")
    for (cursor, list) in [("b", "abcd"), ("d", "abcde")] {
      _ = try await client.fetch(
        query: Query(first: 2, after: .some(cursor)), cachePolicy: .networkOnly)
      #expect(try await updates.next()?.get().data?.ids.joined() == list)
    }
    // A refetch brings the first page alone; the watch shows the list with it.
    pages.withLock { $0[""] = ShopPage("xb") }
    updates.watcher.refetch()
    #expect(try await updates.next()?.get().data?.ids.joined() == "xbcde")
    #expect(transport.requestCount == 4)
    withExtendedLifetime(owner) {}
  }

  /// A fetch renews the page of its query alone.
  @Test func aWatchRefreshesItsPageWhenALaterOneHasExpired() async throws {
    let (clock, time) = (ManualClock(), Lock(0.0))
    var configuration = ApolloStore.Configuration()
    configuration.freshness.maxAges = ["Product": .seconds(60)]
    configuration.freshness.now = { Date(timeIntervalSince1970: 1_000 + time.get()) }
    let transport = ScriptedTransport { request, _ in
      let query = try #require(request.operation as? Query)
      let page = ShopPage(query.after.unwrapped == nil ? "ab" : "cd")
      return #"{"data":{"products":\#(page.json)}}"#
    }
    let client = ApolloClient(
      networkTransport: transport, store: ApolloStore(configuration: configuration), clock: clock)
    _ = try await client.fetch(query: Query(first: 2), cachePolicy: .networkOnly)
    _ = try await client.fetch(query: Query(first: 2, after: "b"), cachePolicy: .networkOnly)
    var updates = client.watch(query: Query(first: 2)).makeAsyncIterator()
    #expect(try await updates.next()?.get().data?.ids.joined() == "abcd")
    updates.watcher.automaticallyRefreshOnExpiry = true
    for requestCount in 2...4 {
      await clock.waitForAlarm(after: .seconds(60))
      #expect(transport.requestCount == requestCount)
      time.withLock { $0 += 60 }
      clock.advance(by: .seconds(60))
    }
    await clock.waitForAlarm(after: .seconds(60))
    #expect(transport.requestCount == 5)
    updates.watcher.cancel()
  }

  /// The response of an older request never goes over that of a newer one.
  @Test func anOlderPageDoesNotReplaceANewerRefresh() async throws {
    let gates = [AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream()]
    let streams = gates.map(\.stream)
    let (arrivals, arrive) = AsyncStream<Void>.makeStream()
    let transport = ScriptedTransport { _, number in
      if number < 2 {
        arrive.yield()
        for await _ in streams[number] { break }
        return #"{"data":{"products":\#(ShopPage(number == 0 ? "cd" : "ab").json)}}"#
      }
      return #"{"data":{"products":\#(ShopPage("xa").json)}}"#
    }
    let client = ApolloClient(networkTransport: transport)
    var arrived = arrivals.makeAsyncIterator()
    async let second = client.fetch(
      query: Query(first: 2, after: "b"), cachePolicy: .networkOnly)
    await arrived.next()
    async let first = client.fetch(query: Query(first: 2), cachePolicy: .networkOnly)
    await arrived.next()
    _ = try await client.fetch(query: Query(first: 2), cachePolicy: .networkOnly)
    for gate in gates { gate.continuation.yield() }
    _ = try await (second, first)
    #expect(try await list(client.store) == "xa")
  }
}
