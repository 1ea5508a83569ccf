import ApolloAPI
import ApolloPagination
import CatalogAPI
import Testing

@testable import ApolloPagination

/// Named after the tests of Apollo iOS.
@Suite(.timeLimit(.minutes(10))) struct GraphQLQueryPagerTests {
  let server = CatalogServer(count: 3)

  @Test func forwardInitSimple() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    #expect(pager.canLoadNext)
    try await pager.loadNext()
    #expect(!pager.canLoadNext)
    #expect(pager.latest?.ids == ["0", "1", "2"])
  }

  @Test func forwardInitSingleQueryTransform() async throws {
    let pager = server.namePager()
    let log = ResultLog(pager)
    await pager.fetch()
    try await pager.loadNext()
    #expect(log.values == [["Product 0", "Product 1"], ["Product 0", "Product 1", "Product 2"]])
  }

  @Test func forwardInitSingleQueryTransformOfThreeParts() async throws {
    let pager = GraphQLQueryPager(
      client: server.client, initialQuery: ProductsQuery(first: 2),
      extractPageInfo: { (data: ProductsQuery.Data) in data.products.pageInfo.forward },
      pageResolver: { page, _ in ProductsQuery(first: 2, after: page.endCursor.asNullable) },
      transform: { previous, initial, next in
        "\(previous.count) \(initial.ids) \(next.map(\.ids))"
      })
    await pager.fetch()
    try await pager.loadNext()
    #expect(pager.latest == #"0 ["0", "1"] [["2"]]"#)
  }

  enum Replacement: CaseIterable { case nextPage, fetch, reset }

  /// A model may own an object of the program that uses the pager when it is released.
  @Test(arguments: Replacement.allCases)
  func aModelIsReleasedWithoutALock(by replacement: Replacement) async throws {
    final class Model: Sendable {
      let onRelease: @Sendable () -> Void
      init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
      deinit { onRelease() }
    }
    let (releases, continuation) = AsyncStream.makeStream(of: Void.self)
    let onRelease = Lock<@Sendable () -> Void>({})
    let pager = GraphQLQueryPager(
      client: server.client, initialQuery: ProductsQuery(first: 2),
      extractPageInfo: { (data: ProductsQuery.Data) in data.products.pageInfo.forward },
      pageResolver: { page, _ in ProductsQuery(first: 2, after: page.endCursor.asNullable) },
      transform: { _, _, _ in Model { onRelease.get()() } })
    _ = onRelease.exchange { [weak pager] in
      _ = pager?.canLoadNext  // takes the lock
      continuation.yield()
    }
    await pager.fetch()
    switch replacement {
    case .nextPage: try await pager.loadNext()
    case .fetch:
      server.edit { $0[0].name = "New" }
      await pager.fetch()
    case .reset: pager.reset()
    }
    var iterator = releases.makeAsyncIterator()
    #expect(await iterator.next() != nil, "Its deinitializer did not wait for the lock.")
    withExtendedLifetime(pager) {}
  }

  @Test func forwardInitMultiQuery() async throws {
    let pager = GraphQLQueryPager(
      client: server.client, initialQuery: FirstProductsQuery(first: 1, featured: "2"),
      extractInitialPageInfo: { data in
        CursorBasedPagination.Forward(
          hasNext: data.products.pageInfo.hasNextPage, endCursor: data.products.pageInfo.endCursor)
      },
      extractNextPageInfo: { data in data.products.pageInfo.forward },
      pageResolver: { page, _ in ProductsQuery(first: 1, after: page.endCursor.asNullable) })
    await pager.fetch()
    try await pager.loadNext()
    try await pager.loadNext()
    #expect(pager.latest?.initialPage?.data?.product?.name == "Product 2")
    #expect(pager.latest?.nextPages.map(\.data?.ids) == [["1"], ["2"]])
    #expect(!pager.canLoadNext)
  }

  @Test func forwardInitMultiQueryTransform() async throws {
    let pager: GraphQLQueryPager<[String]> = GraphQLQueryPager(
      client: server.client, initialQuery: FirstProductsQuery(first: 1, featured: "2"),
      extractInitialPageInfo: { data in
        CursorBasedPagination.Forward(
          hasNext: data.products.pageInfo.hasNextPage, endCursor: data.products.pageInfo.endCursor)
      },
      extractNextPageInfo: { data in data.products.pageInfo.forward },
      pageResolver: { page, _ in ProductsQuery(first: 1, after: page.endCursor.asNullable) },
      initialTransform: { $0.products.edges.map(\.node.name) },
      pageTransform: { $0.products.edges.map(\.node.name) })
    try await pager.loadAll()
    #expect(pager.latest == ["Product 0", "Product 1", "Product 2"])
  }

  @Test func transformOfTheOutput() async throws {
    let pager = GraphQLQueryPager(
      client: server.client, initialQuery: ProductsQuery(first: 2),
      extractPageInfo: { (page: PageExtractionData<ProductsQuery, ProductsQuery, ProductPages?>) in
        switch page {
        case .initial(let data, _), .paginated(let data, _): data.products.pageInfo.forward
        }
      },
      pageResolver: { page, _ in ProductsQuery(first: 2, after: page.endCursor.asNullable) },
      transform: { (output: ProductPages) in output.ids.joined(separator: " ") })
    try await pager.loadAll()
    #expect(pager.latest == "0 1 2")
  }

  @Test func aTransformThatThrowsDeliversItsError() async throws {
    struct NoProducts: Error {}
    let pager: GraphQLQueryPager<[String]> = GraphQLQueryPager(
      client: server.client, initialQuery: ProductsQuery(first: 2),
      extractPageInfo: { (data: ProductsQuery.Data) in data.products.pageInfo.forward },
      pageResolver: { _, _ in nil }, transform: { (_: ProductsQuery.Data) in throw NoProducts() })
    let log = ResultLog(pager)
    await pager.fetch()
    #expect(log.errors.count == 1 && log.errors.first is NoProducts)
  }

  @Test func anUpdateTransformsTheChangedPageAlone() async throws {
    let transformed = Lock<[[String]]>([])
    let pager: GraphQLQueryPager<[String]> = GraphQLQueryPager(
      client: server.client, initialQuery: ProductsQuery(first: 1),
      extractPageInfo: { (data: ProductsQuery.Data) in data.products.pageInfo.forward },
      pageResolver: { page, _ in ProductsQuery(first: 1, after: page.endCursor.asNullable) },
      transform: { (data: ProductsQuery.Data) in
        transformed.withLock { $0.append(data.ids) }
        return data.names
      })
    await pager.fetch()
    try await pager.loadNext()
    try await pager.loadNext()
    _ = try await server.client.perform(mutation: RenameProductMutation(id: "1", name: "Robot"))
    let names = await pager.result { $0.contains("Robot") }
    #expect(names == ["Product 0", "Robot", "Product 2"])
    #expect(transformed.get() == [["0"], ["1"], ["2"], ["1"]])
  }

  @Test func passesBackSeparateData() async throws {
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    await pager.fetch()
    #expect(log.last?.initialPage?.data?.names.last == "Product 1")
    try await pager.loadNext()
    #expect(log.last?.nextPages.last?.data?.names.last == "Product 2")
  }

  @Test func errorsPartialSuccess() async throws {
    server.fail(with: .errorsBesideData)
    let pager = server.forwardPager()
    await pager.fetch()
    #expect(pager.latest?.allErrors.map(\.message) == ["Not now."])
    #expect(pager.latest?.ids == ["0", "1"])
    #expect(pager.latest?.lastUpdatedPage.errors?.count == 1)
  }

  @Test func errorsNoData() async throws {
    server.fail(with: .errorsAlone)
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    await pager.fetch()
    #expect(log.all.count == 1)
    #expect(log.last?.allErrors.map(\.message) == ["Not now."])
    #expect(log.last?.initialPage?.data == nil)
    #expect(!pager.canLoadNext)
  }

  @Test func errorsNoDataLoadAll() async throws {
    server.fail(with: .errorsAlone)
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    try await pager.loadAll()
    #expect(log.all.count == 1)
    #expect(log.last?.allErrors.isEmpty == false)
  }

  @Test func errorsNoDataOnSecondPageLoadAll() async throws {
    server.fail(2, with: .errorsAlone)
    let pager = server.forwardPager(size: 1)
    let log = ResultLog(pager)
    try await pager.loadAll()
    #expect(log.all.count == 1)
    #expect(log.last?.allErrors.map(\.message) == ["Not now."])
    #expect(log.last?.ids == ["0"])
    #expect(server.requestCount == 2)
  }
}

/// The tests of Apollo iOS for its `PagerCoordinator`, and the rules for failures and resets.
@Suite(.timeLimit(.minutes(10))) struct PagerCoordinatorTests {
  let server = CatalogServer(count: 4)

  @Test func canLoadMore() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    #expect(pager.canLoadNext)
    try await pager.loadNext()
    #expect(!pager.canLoadNext)
    #expect(await paginationError { try await pager.loadNext() }?.name == "pageHasNoMoreContent")
  }

  @Test func canLoadPrevious() async throws {
    let pager = server.reversePager()
    await pager.fetch()
    #expect(pager.canLoadPrevious)
    try await pager.loadPrevious()
    #expect(!pager.canLoadPrevious)
    #expect(
      await paginationError { try await pager.loadPrevious() }?.name == "pageHasNoMoreContent")
  }

  @Test func canResetMidflight() async throws {
    server.hold()
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    let all = Task { await paginationError { try await pager.loadAll() } }
    await server.hasRequests()
    pager.reset()
    #expect(await all.value?.name == "cancellation")
    server.release()
    #expect(log.all.isEmpty)
  }

  @Test func resetEndsLoads() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    server.hold()
    let load = Task { await paginationError { try await pager.loadNext() } }
    await server.hasRequests()
    pager.reset()
    #expect(await load.value?.name == "cancellation")
    #expect(!pager.canLoadNext)
    #expect(await paginationError { try await pager.loadNext() }?.name == "missingInitialPage")
    server.release()
    await pager.fetch()
    try await pager.loadNext()
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
  }

  @Test func resetCallsCallback() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    server.hold()
    let error = await withCheckedContinuation { done in
      pager.loadNext { done.resume(returning: $0) }
      pager.reset()
    }
    #expect(error?.name == "cancellation")
  }

  @Test func resetCallsCallbackManyQueuedRequests() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    let log = ResultLog(pager)
    server.hold()
    let (errors, continuation) = AsyncStream<PaginationError?>.makeStream()
    pager.loadNext { continuation.yield($0) }
    pager.loadNext { continuation.yield($0) }
    pager.reset()
    var names: Set<String> = []
    for await error in errors.prefix(2) { names.insert(error?.name ?? "none") }
    #expect(names == ["cancellation", "loadInProgress"])
    #expect(log.all.count == 1)
  }

  @Test func releaseCallsCallback() async throws {
    var pager: GraphQLQueryPager? = server.forwardPager()
    await pager?.fetch()
    server.hold()
    let (errors, continuation) = AsyncStream<PaginationError?>.makeStream()
    pager?.loadNext { continuation.yield($0) }
    await server.hasRequests()
    pager = nil
    for await error in errors.prefix(1) { #expect(error?.name == "cancellation") }
  }

  @Test func loadsNeedAnInitialPage() async throws {
    let pager = server.forwardPager()
    #expect(await paginationError { try await pager.loadNext() }?.name == "missingInitialPage")
    #expect(await paginationError { try await pager.loadPrevious() }?.name == "missingInitialPage")
    #expect(
      await paginationError { try await pager.loadAll(fetchFromInitialPage: false) }?.name
        == "missingInitialPage")
  }

  @Test func aSecondRunOverAllPagesDoesNotReplaceTheFirst() async throws {
    let pager = server.forwardPager(size: 1)
    await pager.fetch()
    server.hold()
    let first = Task {
      await paginationError { try await pager.loadAll(fetchFromInitialPage: false) }
    }
    await server.hasRequests()
    let second = await paginationError { try await pager.loadAll(fetchFromInitialPage: false) }
    #expect(second?.name == "loadInProgress")
    server.release()
    #expect(await first.value == nil)
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
  }

  @Test func loadAllGoesOnFromThePagesThatAreThere() async throws {
    let pager = server.forwardPager(size: 1)
    await pager.fetch()
    try await pager.loadNext()
    try await pager.loadAll(fetchFromInitialPage: false)
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
    #expect(server.requestCount == 4)
  }

  @Test func aDirectionWithoutAQueryIsAnError() async throws {
    let pager = GraphQLQueryPager(
      client: server.client, initialQuery: ProductsQuery(first: 2),
      extractPageInfo: { (data: ProductsQuery.Data) in data.products.pageInfo.forward },
      pageResolver: { _, _ -> ProductsQuery? in nil })
    await pager.fetch()
    #expect(await paginationError { try await pager.loadNext() }?.name == "noQuery")
    #expect(await paginationError { try await pager.loadNext() }?.name == "noQuery")
  }

  @Test(arguments: [CatalogServer.Failure.connection, .errorsAlone])
  func aPageThatFailsKeepsWhatIsThere(_ failure: CatalogServer.Failure) async throws {
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    await pager.fetch()
    server.fail(with: failure)
    try await pager.loadNext()
    #expect(log.last?.ids == ["0", "1"])
    #expect(log.errors.isEmpty == (failure == .errorsAlone))
    #expect(pager.canLoadNext)
    try await pager.loadNext()
    #expect(log.last?.ids == ["0", "1", "2", "3"])
    #expect(log.last?.allErrors.isEmpty == true)
    #expect(server.queries.suffix(2).map(\.after) == [.some("1"), .some("1")])
  }

  @Test func aRefetchThatFailsDeliversTheErrorAlone() async throws {
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    await pager.fetch()
    server.fail()
    await pager.refetch()
    #expect(log.values.map(\.ids) == [["0", "1"]])
    #expect(log.errors.count == 1)
    await pager.refetch()
    #expect(log.last?.ids == ["0", "1"])
  }

  @Test func aFailedPageOfLoadAllComesAfterThePagesBeforeIt() async throws {
    server.fail(3)
    let pager = server.forwardPager(size: 1)
    let log = ResultLog(pager)
    try await pager.loadAll()
    #expect(log.all.count == 2)
    #expect(log.last?.ids == ["0", "1"])
    #expect(log.errors.count == 1)
  }

  /// A server whose cursor does not move would otherwise be asked forever.
  @Test func aRepeatedPageEndsTheList() async throws {
    let pager = GraphQLQueryPager(
      client: server.client, initialQuery: ProductsQuery(first: 2),
      extractPageInfo: { (_: ProductsQuery.Data) in
        CursorBasedPagination.Forward(hasNext: true, endCursor: "1")
      },
      pageResolver: { page, _ in ProductsQuery(first: 2, after: page.endCursor.asNullable) })
    try await pager.loadAll()
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
    #expect(await paginationError { try await pager.loadNext() }?.name == "pageHasNoMoreContent")
    #expect(server.requestCount == 2)
  }
}

/// Named after the tests of Apollo iOS.
@Suite(.timeLimit(.minutes(10))) struct ConcurrencyTests {
  let server = CatalogServer(count: 4)

  @Test func concurrentFetches() async throws {
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    await pager.fetch()
    server.hold()
    let loads = (0..<5).map { _ in Task { await paginationError { try await pager.loadNext() } } }
    await server.hasRequests()
    server.release()
    var names: [String] = []
    for load in loads { names.append(await load.value?.name ?? "none") }
    #expect(names.contains("none"))
    #expect(Set(names).isSubset(of: ["none", "loadInProgress", "pageHasNoMoreContent"]))
    #expect(log.values.map(\.ids) == [["0", "1"], ["0", "1", "2", "3"]])
  }

  @Test func concurrentFetchesThrowsError() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    server.hold()
    let load = Task { try await pager.loadNext() }
    await server.hasRequests()
    #expect(await paginationError { try await pager.loadNext() }?.name == "loadInProgress")
    server.release()
    try await load.value
  }

  @Test func concurrentFetchesNonisolated() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    let (errors, continuation) = AsyncStream<PaginationError?>.makeStream()
    server.hold()
    for _ in 0..<5 { pager.loadNext { continuation.yield($0) } }
    await server.hasRequests()
    server.release()
    var names: [String] = []
    for await error in errors.prefix(5) { names.append(error?.name ?? "none") }
    #expect(names.sorted() == Array(repeating: "loadInProgress", count: 4) + ["none"])
    #expect(server.requestCount == 2)
  }
}

/// Named after the test of Apollo iOS.
@Suite(.timeLimit(.minutes(10))) struct SubscribeTests {
  let server = CatalogServer(count: 4)

  @MainActor @Test func multipleSubscribers() async throws {
    let pager = server.forwardPager()
    let (first, toFirst) = AsyncStream<[String]>.makeStream()
    let (second, toSecond) = AsyncStream<[String]>.makeStream()
    pager.subscribe { toFirst.yield((try? $0.get().ids) ?? []) }
    pager.subscribe { toSecond.yield((try? $0.get().ids) ?? []) }
    await pager.fetch()
    try await pager.loadNext()
    let expected = [["0", "1"], ["0", "1", "2", "3"]]
    var results: [[String]] = []
    for await result in first.prefix(2) { results.append(result) }
    for await result in second.prefix(2) { results.append(result) }
    #expect(results == expected + expected)
  }

  @Test func aLateSubscriberGetsTheLatestResult() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    try await pager.loadNext()
    for await result in pager.updates.prefix(1) {
      #expect(try result.get().ids == ["0", "1", "2", "3"])
    }
  }

  @Test func aLateSubscriberGetsThePagesAndTheErrorAfterThem() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    server.fail()
    try await pager.loadNext()
    var results = pager.updates.makeAsyncIterator()
    #expect(try await results.next()?.get().ids == ["0", "1"])
    await #expect(throws: CatalogServer.Failure.connection) { _ = try await results.next()?.get() }
  }

  @MainActor @Test func aCancelledSubscriptionGetsNothingMore() async throws {
    let pager = server.forwardPager()
    var count = 0
    let subscription = pager.subscribe { _ in count += 1 }
    subscription.cancel()
    await pager.fetch()
    await pager.refetch()
    #expect(count == 0)
  }

  @Test func theSequenceEndsWithThePager() async throws {
    var pager: GraphQLQueryPager? = server.forwardPager()
    await pager?.fetch()
    let updates = try #require(pager?.updates)
    pager = nil
    var count = 0
    for await _ in updates { count += 1 }
    #expect(count == 1)
  }
}
