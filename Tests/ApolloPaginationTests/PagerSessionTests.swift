import ApolloAPI
import ApolloCache
import ApolloTestSupport
import CatalogAPI
import Testing

@testable import ApolloPagination

/// The end of a user's session: nothing of the user arrives afterwards, and nothing is loaded for
/// the next one before a `fetch`.
@Suite(.timeLimit(.minutes(10))) struct PagerSessionTests {
  let server = CatalogServer(count: 5)

  /// Another user's catalog.
  private func changeUser() { server.edit { $0 = [.init(id: "b", name: "Of Bob")] } }

  /// A pager with its first page, and a log of its further results.
  private func shownPager() async -> (GraphQLQueryPager<ProductPages>, ResultLog<ProductPages>) {
    let pager = server.forwardPager()
    await pager.fetch()
    return (pager, ResultLog(pager))
  }

  @Test func aLoadUnderWayIsCancelled() async throws {
    let (pager, log) = await shownPager()
    server.hold()
    let load = Task { await paginationError { try await pager.loadNext() } }
    await server.hasRequests()
    try await server.client.endSession()
    changeUser()
    server.release()
    #expect(await load.value?.name == "cancellation")
    #expect(!pager.canLoadNext)
    #expect(await paginationError { try await pager.loadNext() }?.name == "missingInitialPage")
    #expect(log.all.count == 1, "It had the first page from the start.")
    #expect(server.requestCount == 2)
    await pager.fetch()
    #expect(pager.latest?.ids == ["b"])
    #expect(log.last?.ids == ["b"])
    #expect(server.requestCount == 3)
  }

  @Test func theInitialPageUnderWayIsCancelled() async throws {
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    server.hold()
    let fetch = Task { await pager.fetch() }
    await server.hasRequests()
    try await server.client.endSession()
    server.release()
    await fetch.value
    #expect(log.all.isEmpty)
    #expect(server.requestCount == 1)
  }

  @Test func pagesDoNotFollowTheNextUsersCache() async throws {
    let (pager, log) = await shownPager()
    try await pager.loadNext()
    let count = log.all.count
    try await server.client.endSession()
    _ = try await server.client.fetch(query: ProductsQuery(first: .some(2)))
    _ = try await server.client.perform(mutation: RenameProductMutation(id: "0", name: "Robot"))
    await pager.fetch(cachePolicy: .cacheOnly)
    #expect(log.all.count == count + 1)
    #expect(log.last?.names == ["Robot", "Product 1"])
    #expect(server.requestCount == 4)
  }

  @Test func aPrefetchedPageIsForgotten() async throws {
    let (pager, _) = await shownPager()
    server.hold()
    pager.prefetchNext()
    await server.hasRequests()
    try await server.client.endSession()
    server.release()
    await pager.fetch()
    try await pager.loadNext()
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
    #expect(server.requestCount == 4)
  }

  @Test func loadingAllPagesIsCancelledAndDeliversNothing() async throws {
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    await pager.fetch()
    server.hold()
    let load = Task { await paginationError { try await pager.loadAll() } }
    await server.hasRequests()
    try await server.client.endSession()
    server.release()
    #expect(await load.value?.name == "cancellation")
    #expect(log.all.count == 1)
    #expect(server.requestCount == 2)
  }

  @Test(arguments: [true, false])
  func anIterationOfPagesDoesNotGoOnWithTheNextUsersPages(areFetched: Bool) async throws {
    let pager = server.forwardPager()
    var pages = pager.pages().makeAsyncIterator()
    #expect(try await pages.next()?.ids == ["0", "1"])
    try await server.client.endSession()
    if areFetched {
      await pager.fetch()
      try await pager.loadNext()
    }
    let error = await paginationError { _ = try await pages.next() }
    #expect(error?.name == "cancellation")
    var others = pager.pages().makeAsyncIterator()
    #expect(try await others.next()?.ids == ["0", "1"])
  }

  @Test func resultsThatWereNotReadAreDropped() async throws {
    let pager = server.forwardPager()
    var updates = pager.updates.makeAsyncIterator()
    await pager.fetch()
    try await pager.loadNext()
    try await server.client.endSession()
    changeUser()
    await pager.fetch()
    #expect(try await updates.next()?.get().ids == ["b"])
  }

  @Test(.timeLimit(.minutes(10))) func theResultsEndWithTheirTaskAndWithThePager() async throws {
    let pager = server.forwardPager()
    let updates = pager.updates
    let (isWaiting, wait) = AsyncStream<Void>.makeStream()
    let reader = Task {
      wait.yield()
      for await _ in updates {}
    }
    for await _ in isWaiting { break }
    reader.cancel()
    await reader.value
    weak var released: Deliveries<ProductPages>?
    do {
      let other = server.forwardPager()
      released = other.core.deliveries
      let updates = other.updates
      await other.fetch()
      #expect(await updates.first { _ in true } != nil)
    }
    // Tasks of the pager may still end. The limit of time cancels this one.
    while released != nil, !Task.isCancelled { await Task.yield() }
    #expect(released == nil)
  }

  enum Loading: CaseIterable { case next, all, iteration }

  /// The response does not reach the cache, so the page is fetched again, by its watch.
  @Test(arguments: Loading.allCases)
  func aPageThatIsLoadedWhileTheCacheIsClearedIsNotLost(loading: Loading) async throws {
    let (pager, _) = await shownPager()
    server.hold()
    let load = Task {
      switch loading {
      case .next: try await pager.loadNext()
      case .all: try await pager.loadAll(fetchFromInitialPage: false)
      case .iteration: for try await _ in pager.pages() {}
      }
    }
    await server.hasRequests()
    try await server.client.clearCache()
    server.release()
    try await load.value
    #expect(pager.latest?.ids == (0..<(loading == .next ? 4 : 5)).map { "\($0)" })
  }

  /// The watches of the pages fetch again, as all others do.
  @Test func clearingTheCacheAloneFetchesThePagesAgain() async throws {
    let (pager, _) = await shownPager()
    try await pager.loadNext()
    server.edit { items in
      for index in items.indices { items[index].name = "New \(index)" }
    }
    try await server.client.clearCache()
    let pages = await pager.result { $0.names == ["New 0", "New 1", "New 2", "New 3"] }
    #expect(pages?.ids == ["0", "1", "2", "3"])
    #expect(server.requestCount == 4)
  }

  /// A consumer on a busy main actor shows a result later than it has read it.
  @Test(arguments: [true, false])
  func aResultThatWasReadKnowsWhetherItsListHasEnded(withSession: Bool) async {
    let deliveries = Deliveries<String>()
    var results = deliveries.listStream().makeAsyncIterator()
    _ = deliveries.send(Delivery(result: .success("alice")))
    let alice = await results.next()
    #expect(alice.map { deliveries.isCurrent(list: $0.list) } == true)
    if withSession { _ = deliveries.endSession() } else { _ = deliveries.endList() }
    #expect(alice.map { deliveries.isCurrent(list: $0.list) } == false)
    #expect(deliveries.isCurrent(session: 0) == !withSession)
    _ = deliveries.send(Delivery(result: .success("bob")))
    let bob = await results.next()
    #expect(bob.map { deliveries.isCurrent(list: $0.list) } == true)
  }
}
