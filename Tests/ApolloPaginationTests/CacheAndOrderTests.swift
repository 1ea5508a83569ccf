import ApolloAPI
import ApolloCache
import ApolloPagination
import ApolloTestSupport
import CatalogAPI
import Testing

@testable import ApolloPagination

/// The list follows the cache, and results come in order.
@Suite(.timeLimit(.minutes(10))) struct PagesAndCacheTests {
  let server = CatalogServer(count: 4)

  @Test func theResultOfAMutationAppearsInItsPage() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    try await pager.loadNext()
    _ = try await server.client.perform(mutation: RenameProductMutation(id: "3", name: "Robot"))
    let pages = await pager.result { $0.names.contains("Robot") }
    #expect(pages?.names == ["Product 0", "Product 1", "Product 2", "Robot"])
    #expect(pages?.lastUpdatedPage.data?.ids == ["2", "3"])
  }

  @Test func anOptimisticItemAppearsAndIsReplacedByTheServers() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    try await pager.loadNext()
    server.hold()
    @Sendable func insert(
      _ id: String, _ name: String, in transaction: ReadWriteTransaction
    ) throws {
      try transaction.update(EditedProductsLocalCacheMutation(first: 2)) {
        $0.products.edges.insert(
          .init(node: .init(id: id, name: name, category: "Toys")), at: 0)
      }
    }
    let call = Task {
      try await server.client.perform(
        mutation: AddProductMutation(name: "Kite", category: "Toys"),
        optimistic: { try insert("temporary", "Kite", in: $0) },
        update: { transaction, response in
          guard let product = response.data?.addProduct else { return }
          try insert(product.id, product.name, in: transaction)
        })
    }
    let shown = await pager.result { $0.ids.first == "temporary" }
    #expect(shown?.ids == ["temporary", "0", "1", "2", "3"])
    await server.hasRequests()
    server.release()
    _ = try await call.value
    let final = await pager.result { $0.ids.first == "new" }
    #expect(final?.ids == ["new", "0", "1", "2", "3"])
  }

  @Test func anOptimisticItemLeavesWithItsMutation() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    server.hold()
    let call = Task {
      try await server.client.perform(
        mutation: AddProductMutation(name: "Kite", category: "Toys"),
        optimistic: { transaction in
          try transaction.update(EditedProductsLocalCacheMutation(first: 2)) {
            $0.products.edges.removeFirst()
          }
        })
    }
    _ = await pager.result { $0.ids == ["1"] }
    await server.hasRequests()
    call.cancel()
    _ = await pager.result { $0.ids == ["0", "1"] }
    #expect(try await server.cached(ProductsQuery(first: 2))?.ids == ["0", "1"])
  }

  @Test func aCachedPageIsShownBeforeTheServers() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    try await pager.loadNext()
    server.edit { $0[2].name = "Robot" }
    await pager.fetch()
    let log = ResultLog(pager)
    try await pager.loadNext()
    #expect(log.values.dropFirst().map { $0.lastUpdatedPage.source } == [.cache, .server])
    #expect(
      log.values.dropFirst().map { $0.names[2] } == ["Product 2", "Robot"])
  }

  @Test(arguments: [CachePolicy.returnCacheDataElseFetch, .returnCacheDataDontFetch])
  func aCachedPageNeedsNoRequest(_ policy: CachePolicy) async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    try await pager.loadNext()
    await pager.fetch(cachePolicy: policy)
    try await pager.loadNext(cachePolicy: policy)
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
    #expect(server.requestCount == 2)
  }

  @Test func aPageThatTheCacheLacksIsAnErrorWithoutTheServer() async throws {
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    await pager.fetch()
    try await pager.loadNext(cachePolicy: .cacheOnly)
    #expect(log.errors.first is CacheMissError)
    #expect(log.last?.ids == ["0", "1"])
  }

  @Test func nothingIsWrittenWithTheFastestPolicy() async throws {
    let pager = server.forwardPager()
    await pager.fetch(cachePolicy: .fetchIgnoringCacheCompletely)
    try await pager.loadNext(cachePolicy: .fetchIgnoringCacheCompletely)
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
    #expect(try await server.cached(ProductsQuery(first: 2)) == nil)
  }

  @Test func aRefetchReplacesAllPagesAtOnce() async throws {
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    await pager.fetch()
    try await pager.loadNext()
    server.edit { $0.removeFirst() }
    await pager.refetch()
    #expect(log.values.map(\.ids) == [["0", "1"], ["0", "1", "2", "3"], ["1", "2"]])
    try await pager.loadNext()
    #expect(log.last?.ids == ["1", "2", "3"])
  }

  /// The law of the order: what was requested before a refetch is not shown after it.
  @Test func aPageOfBeforeARefetchIsNotDeliveredAfterIt() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    server.hold()
    let load = Task { await paginationError { try await pager.loadNext() } }
    await server.hasRequests()
    let log = ResultLog(pager)
    let refetch = Task { await pager.refetch() }
    #expect(await load.value?.name == "cancellation")
    await server.hasRequests()
    server.release()
    await refetch.value
    #expect(log.values.map(\.ids) == [["0", "1"], ["0", "1"]])
    #expect(log.last?.nextPages.isEmpty == true)
  }

  @Test func theLastOfTwoFetchesWins() async throws {
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    server.hold()
    let first = Task { await pager.fetch() }
    await server.hasRequests()
    server.edit { $0.removeFirst() }
    let second = Task { await pager.fetch() }
    await first.value
    await server.hasRequests()
    server.release()
    await second.value
    #expect(log.values.map(\.ids) == [["1", "2"]])
  }
}

@Suite(.timeLimit(.minutes(10))) struct PagerCancellationTests {
  let server = CatalogServer(count: 4)

  @Test func cancellingTheTaskCancelsTheLoad() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    let log = ResultLog(pager)
    server.hold()
    let load = Task { await paginationError { try await pager.loadNext() } }
    await server.hasRequests()
    load.cancel()
    #expect(await load.value?.name == "cancellation")
    server.release()
    #expect(log.all.count == 1)
    try await pager.loadNext()
    #expect(log.last?.ids == ["0", "1", "2", "3"])
  }

  @Test func aCancelledTaskLoadsNothing() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    let load = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await paginationError { try await pager.loadNext() }
    }
    #expect(await load.value?.name == "cancellation")
    #expect(pager.latest?.ids == ["0", "1"])
  }

  @Test func aCachedPageStaysWhenItsRequestIsCancelled() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    try await pager.loadNext()
    await pager.fetch()
    server.hold()
    let load = Task { await paginationError { try await pager.loadNext() } }
    _ = await pager.result { $0.ids.count == 4 }
    await server.hasRequests()
    load.cancel()
    #expect(await load.value?.name == "cancellation")
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
    #expect(!pager.canLoadNext)
  }

  @Test func pagesThatWereLoadedStayWhenLoadAllIsCancelled() async throws {
    let pager = server.forwardPager(size: 1)
    await pager.fetch()
    try await pager.loadNext()
    server.hold()
    let all = Task {
      await paginationError { try await pager.loadAll(fetchFromInitialPage: false) }
    }
    await server.hasRequests()
    all.cancel()
    #expect(await all.value?.name == "cancellation")
    #expect(pager.latest?.ids == ["0", "1"])
  }

  @Test func cancellingAFetchEndsIt() async throws {
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    server.hold()
    let fetch = Task { await pager.fetch() }
    await server.hasRequests()
    fetch.cancel()
    await fetch.value
    server.release()
    #expect(log.all.isEmpty)
    await pager.fetch()
    #expect(log.last?.ids == ["0", "1"])
  }
}

@Suite(.timeLimit(.minutes(10))) struct PrefetchTests {
  let server = CatalogServer(count: 6)

  @Test func aPrefetchedPageIsShownWithoutAnotherRequest() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    server.hold()
    pager.prefetchNext()
    pager.prefetchNext()
    await server.hasRequests()
    let log = ResultLog(pager)
    let load = Task { try await pager.loadNext() }
    server.release()
    try await load.value
    #expect(log.values.map(\.ids) == [["0", "1"], ["0", "1", "2", "3"]])
    #expect(server.requestCount == 2)
  }

  @Test func aPrefetchedPageIsNotShownBefore() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    pager.prefetchNext()
    // The response has been written when a query reads it.
    while try await server.cached(ProductsQuery(first: 2, after: .some("1"))) == nil {
      await Task.yield()
    }
    #expect(pager.latest?.ids == ["0", "1"])
    try await pager.loadNext()
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
    #expect(server.requestCount == 2)
  }

  @Test func aLoadReportsTheErrorOfThePrefetchThatItWaitsFor() async throws {
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    await pager.fetch()
    server.hold()
    server.fail()
    pager.prefetchNext()
    await server.hasRequests()
    let error = await withCheckedContinuation { done in
      pager.loadNext { done.resume(returning: $0) }
      server.release()
    }
    #expect(error == nil)
    #expect(log.errors.map { $0 as? CatalogServer.Failure } == [.connection])
    try await pager.loadNext()
    #expect(log.last?.ids == ["0", "1", "2", "3"])
  }

  @Test func withoutANextPageNothingIsPrefetched() async throws {
    let pager = server.forwardPager(size: 6)
    pager.prefetchNext()
    await pager.fetch()
    pager.prefetchNext()
    #expect(server.requestCount == 1)
  }
}

@Suite(.timeLimit(.minutes(10))) struct PageSequenceTests {
  let server = CatalogServer(count: 5)

  @Test func eachPageIsLoadedWhenItIsAskedFor() async throws {
    let pager = server.forwardPager()
    var pages = pager.pages().makeAsyncIterator()
    #expect(try await pages.next()?.ids == ["0", "1"])
    #expect(server.requestCount == 1)
    #expect(try await pages.next()?.ids == ["2", "3"])
    #expect(server.requestCount == 2)
    #expect(try await pages.next()?.ids == ["4"])
    #expect(try await pages.next() == nil)
    #expect(try await pages.next() == nil)
    #expect(server.requestCount == 3)
    #expect(pager.latest?.ids == ["0", "1", "2", "3", "4"])
  }

  @Test func pagesThatWereLoadedAreNotLoadedAgain() async throws {
    let pager = server.forwardPager()
    try await pager.loadAll()
    var ids: [String] = []
    for try await page in pager.pages() { ids += page.ids }
    #expect(ids == ["0", "1", "2", "3", "4"])
    #expect(server.requestCount == 3)
  }

  @Test func anErrorEndsTheSequenceAndAnotherOneGoesOn() async throws {
    let pager = server.forwardPager()
    server.fail(2)
    var ids: [String] = []
    await #expect(throws: CatalogServer.Failure.connection) {
      for try await page in pager.pages() { ids += page.ids }
    }
    #expect(ids == ["0", "1"])
    for try await page in pager.pages().dropFirst() { ids += page.ids }
    #expect(ids == ["0", "1", "2", "3", "4"])
    // The first page is not loaded again.
    #expect(server.requestCount == 4)
  }

  /// Not only a part of the list, as if that were the whole of it.
  @Test(arguments: [true, false], [true, false])
  func removingThePagesEndsTheSequenceWithAnError(isRefetch: Bool, isLoaded: Bool) async throws {
    let pager = server.forwardPager()
    var pages = pager.pages().makeAsyncIterator()
    #expect(try await pages.next()?.ids == ["0", "1"])
    if isRefetch { await pager.refetch() } else { pager.reset() }
    if isRefetch, isLoaded { try await pager.loadNext() }
    #expect(await paginationError { _ = try await pages.next() }?.name == "cancellation")
    #expect(try await pages.next() == nil)
    var others = pager.pages().makeAsyncIterator()
    #expect(try await others.next()?.ids == ["0", "1"])
  }

  @Test func aPageThatAnotherLoadHoldsBackIsNotTheEnd() async throws {
    let pager = server.forwardPager()
    var pages = pager.pages().makeAsyncIterator()
    _ = try await pages.next()
    // A run that loads all pages, and has not begun with one.
    let run = try pager.core.startRun(fromInitialPage: false)
    #expect(await paginationError { _ = try await pages.next() }?.name == "loadInProgress")
    try await pager.core.finish(run)
    #expect(pager.latest?.ids == ["0", "1", "2", "3", "4"])
  }

  /// `loadAll` has the last page, and loads those before the initial one.
  @Test func theLastPageThatAnotherLoadHoldsBackIsNotLeftOut() async throws {
    let pager = server.bidirectionalPager(after: "1")
    var pages = pager.pages().makeAsyncIterator()
    #expect(try await pages.next()?.ids == ["2", "3"])
    server.hold()
    let all = Task { try await pager.loadAll(fetchFromInitialPage: false) }
    await server.hasRequests()
    server.clock.advance(by: .seconds(1))
    await server.hasRequests()
    #expect(server.queries.last?.before == .some("2"))
    #expect(await paginationError { _ = try await pages.next() }?.name == "loadInProgress")
    server.release()
    try await all.value
    #expect(pager.latest?.ids == ["0", "1", "2", "3", "4"])
  }

  @Test func aPageWithoutDataIsAnError() async throws {
    server.fail(2, with: .errorsAlone)
    let error = await #expect(throws: PageWithoutDataError.self) {
      for try await _ in server.forwardPager().pages() {}
    }
    #expect(error?.errors.map(\.message) == ["Not now."])
    #expect(error?.description == "The server responded to a page without data. Not now.")
  }

  @Test func cancellationIsReportedAsSuch() async throws {
    server.hold()
    let pager = server.forwardPager()
    let task = Task {
      for try await _ in pager.pages() {}
    }
    await server.hasRequests()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

@Test(arguments: [
  (
    PaginationError.missingInitialPage,
    "The first page is missing. Call 'fetch' and wait for its end before loading other pages."
  ),
  (
    .pageHasNoMoreContent,
    "The list has no more pages in this direction. Look at 'canLoadNext' or 'canLoadPrevious'."
  ),
  (.loadInProgress, "Another page is being loaded. Wait for its end."),
  (.noQuery, "'pageResolver' returned no query for this direction."),
  (.cancellation, "The load was cancelled."),
])
func errorsSayWhatToDo(_ error: PaginationError, _ sentence: String) {
  #expect("\(error)" == sentence)
}
