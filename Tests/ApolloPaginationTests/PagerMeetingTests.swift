import ApolloAPI
import ApolloCache
import ApolloPagination
import ApolloTestSupport
import CatalogAPI
import Testing

@testable import ApolloPagination

/// Yields to other tasks until a condition holds, at most 20,000 times: a test cannot wait for an
/// event that must not happen.
private func settle(until condition: () -> Bool = { false }) async {
  var count = 0
  while count < 20_000, !condition() {
    count += 1
    await Task.yield()
  }
}

/// Returns the identifiers of the first page that an iteration of its own gives.
private func firstPage(of pager: GraphQLQueryPager<ProductPages>) async throws -> [String]? {
  var pages = pager.pages().makeAsyncIterator()
  return try await pages.next()?.ids
}

/// Calls of one pager that meet in time.
@Suite(.timeLimit(.minutes(10))) struct MeetingLoadsTests {
  let server = CatalogServer(count: 4)

  @Test func loadsInBothDirectionsFollowEachOther() async throws {
    let pager = server.bidirectionalPager(size: 1, after: "1")
    await pager.fetch()
    server.hold()
    let next = Task { try await pager.loadNext() }
    await server.hasRequests()
    #expect(await paginationError { try await pager.loadPrevious() }?.name == "loadInProgress")
    server.release()
    try await next.value
    try await pager.loadPrevious()
    #expect(pager.latest?.ids == ["1", "2", "3"])
  }

  /// Both are begun before a page of the run is under way, as between two of its pages.
  @Test func aLoadThatComesBetweenTwoPagesDoesNotEndLoadAll() async throws {
    let pager = server.forwardPager(size: 1)
    await pager.fetch()
    let run = try pager.core.startRun(fromInitialPage: false)
    server.hold()
    let next = Task { await paginationError { try await pager.loadNext() } }
    await settle { server.requestCount > 1 }
    let all = Task { [core = pager.core] in
      await paginationError { try await core.finish(run) }
    }
    await server.hasRequests()
    await settle()
    server.release()
    #expect(await all.value?.name == nil)
    _ = await next.value
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
  }

  @Test func aCancelledLoadAllKeepsThePagesThatWereThere() async throws {
    let pager = server.forwardPager(size: 1)
    try await pager.loadAll()
    server.hold()
    let all = Task { await paginationError { try await pager.loadAll() } }
    await server.hasRequests()
    all.cancel()
    #expect(await all.value?.name == "cancellation")
    server.release()
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
    _ = try await server.client.perform(mutation: RenameProductMutation(id: "3", name: "Robot"))
    let pages = await pager.result { $0.names.contains("Robot") }
    #expect(pages?.ids == ["0", "1", "2", "3"])
  }

  @Test func aSecondIterationDoesNotEndTheFirst() async throws {
    let pager = server.forwardPager()
    server.hold()
    let first = Task { try? await firstPage(of: pager) }
    await server.hasRequests()
    let second = Task { try? await firstPage(of: pager) }
    await settle { server.requestCount > 1 }
    server.release()
    #expect(await first.value == ["0", "1"])
    second.cancel()
    _ = await second.value
  }

  @Test func anIterationThatBeginsDoesNotEndAFetch() async throws {
    let pager = server.forwardPager()
    server.hold()
    let fetch = Task {
      await pager.fetch()
      return pager.latest?.ids
    }
    await server.hasRequests()
    let iteration = Task { try? await firstPage(of: pager) }
    await settle { server.requestCount > 1 }
    server.release()
    #expect(await fetch.value == ["0", "1"], "A caller that has waited finds its results.")
    iteration.cancel()
    _ = await iteration.value
  }

  @Test func anIterationThatBeginsDoesNotEndLoadAll() async throws {
    let pager = server.forwardPager()
    server.hold()
    let all = Task { await paginationError { try await pager.loadAll() } }
    await server.hasRequests()
    let iteration = Task { try? await firstPage(of: pager) }
    await settle { server.requestCount > 1 }
    server.release()
    #expect(await all.value?.name == nil)
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
    iteration.cancel()
    _ = await iteration.value
  }

  /// The watch of the page without data follows the cache, and the load has a watch of its own.
  @Test func aPageThatOthersCacheWhileItIsTriedAgainIsThereOnce() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    server.fail(with: .errorsAlone)
    try await pager.loadNext()
    server.hold()
    let load = Task { try await pager.loadNext(cachePolicy: .networkOnly) }
    await server.hasRequests()
    let edges = ["2", "3"].map { id in
      [
        "__typename": "ProductEdge",
        "node": ["__typename": "Product", "id": id, "name": "Product \(id)", "category": "Toys"],
      ] as [String: Any]
    }
    let page = try ProductsQuery.Data(jsonObject: [
      "products": [
        "__typename": "ProductConnection", "totalCount": 4, "edges": edges,
        "pageInfo": [
          "__typename": "PageInfo", "hasNextPage": false, "endCursor": "3",
          "hasPreviousPage": true, "startCursor": "2",
        ],
      ]
    ])
    try await server.client.store.withinReadWriteTransaction { transaction in
      try transaction.write(data: page, for: ProductsQuery(first: 2, after: .some("1")))
    }
    await settle { pager.latest?.ids.count == 4 }
    server.release()
    try await load.value
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
  }

  @Test func aCancelledLoadOfOnePagerLeavesThatOfAnother() async throws {
    let (pager, other) = (server.forwardPager(), server.forwardPager())
    await pager.fetch()
    await other.fetch()
    server.hold()
    let load = Task { try await pager.loadNext() }
    await server.hasRequests()
    let cancelled = Task { await paginationError { try await other.loadNext() } }
    await settle { server.requestCount > 3 }
    cancelled.cancel()
    #expect(await cancelled.value?.name == "cancellation")
    server.release()
    try await load.value
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
    #expect(other.latest?.ids == ["0", "1"])
  }
}

/// Prefetched pages, and loads that meet them.
@Suite(.timeLimit(.minutes(10))) struct MeetingPrefetchTests {
  let server = CatalogServer(count: 4)

  enum Load: CaseIterable { case next, nextOfServer, all }

  /// A load ends when the server has responded, also if the cache had the page.
  @Test(arguments: Load.allCases)
  func aPageThatWasPrefetchedFromTheCacheIsRenewedByItsLoad(_ load: Load) async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    try await pager.loadNext()
    server.edit { $0[2].name = "Robot" }
    await pager.fetch()
    pager.prefetchNext()
    switch load {
    case .next: try await pager.loadNext()
    case .nextOfServer: try await pager.loadNext(cachePolicy: .networkOnly)
    case .all: try await pager.loadAll(fetchFromInitialPage: false)
    }
    #expect(pager.latest?.names == ["Product 0", "Product 1", "Robot", "Product 3"])
  }

  /// The article: "The request is cancelled, unless the page was prefetched".
  @Test func aPrefetchGoesOnWhenTheLoadThatWaitsForItIsCancelled() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    server.hold()
    pager.prefetchNext()
    await server.hasRequests()
    let load = try pager.core.start(.next, PageFetch(.cacheFirst))
    let wait = Task { [core = pager.core] in await core.outcome(of: load) }
    wait.cancel()
    _ = await wait.value
    await settle()
    #expect(pager.latest?.ids == ["0", "1"])
    server.release()
    try await pager.loadNext(cachePolicy: .networkOnly)
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
    #expect(server.requestCount == 2)
  }
}

/// Ends of lists, and changes at the ends of pages.
@Suite(.timeLimit(.minutes(10))) struct EndsOfListsTests {
  let server = CatalogServer(count: 8)

  /// A pager of a server whose cursor does not move.
  private func stuckPager(at cursor: String?) -> GraphQLQueryPager<ProductPages> {
    GraphQLQueryPager(
      client: server.client, initialQuery: ProductsQuery(first: 2),
      extractPageInfo: { (_: ProductsQuery.Data) in
        CursorBasedPagination.Forward(hasNext: true, endCursor: cursor)
      },
      pageResolver: { page, _ in ProductsQuery(first: 2, after: page.endCursor.asNullable) })
  }

  @Test func aListWhoseCursorDoesNotMoveHasNoNextPage() async throws {
    let pager = stuckPager(at: "1")
    await pager.fetch()
    #expect(pager.canLoadNext)
    try await pager.loadNext()
    #expect(!pager.canLoadNext)
  }

  @Test func aListWithoutACursorEnds() async throws {
    let pager = stuckPager(at: nil)
    try await pager.loadAll()
    #expect(pager.latest?.ids == ["0", "1"])
    #expect(await paginationError { try await pager.loadNext() }?.name == "pageHasNoMoreContent")
    #expect(server.requestCount == 1)
  }

  @Test func theNextPageFollowsACursorWhoseItemWasRemoved() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    try await server.client.store.withinReadWriteTransaction { transaction in
      try transaction.update(EditedProductsLocalCacheMutation(first: 2)) {
        _ = $0.products.edges.removeLast()
      }
    }
    _ = await pager.result { $0.ids == ["0"] }
    try await pager.loadNext()
    #expect(pager.latest?.ids == ["0", "2", "3"])
    #expect(server.queries.last?.after == .some("1"))
  }

  @Test func anOptimisticItemAtTheEndOfAPageLeavesWhileTheNextPageIsLoaded() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    server.hold()
    let load = Task { try await pager.loadNext() }
    await server.hasRequests()
    let call = Task {
      try await server.client.perform(
        mutation: AddProductMutation(name: "Kite", category: "Toys"),
        optimistic: { transaction in
          try transaction.update(EditedProductsLocalCacheMutation(first: 2)) {
            $0.products.edges.append(
              .init(node: .init(id: "temporary", name: "Kite", category: "Toys")))
          }
        })
    }
    _ = await pager.result { $0.ids == ["0", "1", "temporary"] }
    await server.hasRequests(2)
    call.cancel()
    _ = await pager.result { $0.ids == ["0", "1"] }
    server.release()
    try await load.value
    #expect(pager.latest?.ids == ["0", "1", "2", "3"])
  }
}

/// Errors without data, for pagers that deliver models of the program.
@Suite(.timeLimit(.minutes(10))) struct ErrorsOfModelsTests {
  let server = CatalogServer(count: 4)

  @Test(arguments: [true, false])
  func errorsWithoutDataAreAResultOfAPagerOfItems(isInitial: Bool) async throws {
    let pager = server.namePager()
    let log = ResultLog(pager)
    if !isInitial { await pager.fetch() }
    server.fail(with: .errorsAlone)
    if isInitial { await pager.fetch() } else { try await pager.loadNext() }
    #expect(!log.errors.isEmpty)
  }

  /// A `PaginationError` is no error of the server.
  @Test func errorsWithoutDataAreAResultOfAPagerOfThreeParts() async throws {
    let pager = GraphQLQueryPager(
      client: server.client, initialQuery: ProductsQuery(first: 2),
      extractPageInfo: { (data: ProductsQuery.Data) in data.products.pageInfo.forward },
      pageResolver: { page, _ in ProductsQuery(first: 2, after: page.endCursor.asNullable) },
      transform: { previous, initial, next in
        "\(previous.count) \(initial.ids) \(next.map(\.ids))"
      })
    let log = ResultLog(pager)
    server.fail(with: .errorsAlone)
    await pager.fetch()
    #expect(!log.errors.isEmpty)
    #expect(log.errors.allSatisfy { !($0 is PaginationError) })
  }
}

/// Subscribers that read later than results come.
@Suite(.timeLimit(.minutes(10))) struct LateReadersTests {
  let server = CatalogServer(count: 4)

  @MainActor private final class Receiver {
    var results: [[String]] = []
    var isCancelled = false
    var countAfterCancellation = 0

    func receive(_ ids: [String]) {
      results.append(ids)
      if isCancelled { countAfterCancellation += 1 }
    }
  }

  /// A program that logs out resets its lists first.
  @Test func resultsOfBeforeAResetAreDroppedAtTheEndOfTheSession() async throws {
    let pager = server.forwardPager()
    var updates = pager.updates.makeAsyncIterator()
    await pager.fetch()
    pager.reset()
    try await server.client.endSession()
    server.edit { $0 = [.init(id: "b", name: "Of Bob")] }
    await pager.fetch()
    #expect(try await updates.next()?.get().ids == ["b"])
  }

  @Test func resultsOfAReleasedPagerAreDroppedAtTheEndOfTheSession() async throws {
    var pager: GraphQLQueryPager? = server.forwardPager()
    let stream = try #require(pager?.updates)
    await pager?.fetch()
    pager = nil
    try await server.client.endSession()
    var updates = stream.makeAsyncIterator()
    let result = await updates.next()
    #expect(result == nil)
  }

  /// Nothing is delivered after a reset before the next `fetch`, and nothing of before it.
  @MainActor @Test func aSubscriberOnABusyMainActorGetsNothingOfBeforeAReset() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    let receiver = Receiver()
    pager.subscribe { result in receiver.receive((try? result.get().ids) ?? []) }
    pager.reset()
    server.edit { $0.removeFirst() }
    await pager.fetch(cachePolicy: .networkOnly)
    while receiver.results.last != ["1", "2"], !Task.isCancelled { await Task.yield() }
    #expect(receiver.results == [["1", "2"]])
  }

  /// The task of the subscription has read a result, and waits for the main actor with it.
  @MainActor @Test func aSubscriberOnABusyMainActorGetsNothingAfterItsCancellation() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    for _ in 0..<50 {
      let receiver = Receiver()
      let subscription = pager.subscribe { result in
        receiver.receive((try? result.get().ids) ?? [])
      }
      await Task.yield()
      let end = ContinuousClock.now + .milliseconds(2)
      while ContinuousClock.now < end {}
      subscription.cancel()
      receiver.isCancelled = true
      for _ in 0..<10 { await Task.yield() }
      #expect(receiver.countAfterCancellation == 0)
    }
  }
}

/// Lists of a user interface, whose main actor is busy.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ObservedMeetingTests {
  private typealias Node = ProductsQuery.Data.Products.Edge.Node
  private let server = CatalogServer(count: 5)

  /// A pager by the cursors of the server, or by one that does not move.
  private func makePager(stuckAt cursor: String? = nil) -> GraphQLQueryPager<[Node]> {
    GraphQLQueryPager(
      client: server.client, initialQuery: ProductsQuery(first: 2),
      extractPageInfo: { (data: ProductsQuery.Data) -> CursorBasedPagination.Forward in
        if let cursor { return CursorBasedPagination.Forward(hasNext: true, endCursor: cursor) }
        return data.products.pageInfo.forward
      },
      pageResolver: { page, _ in
        ProductsQuery(first: 2, after: page.endCursor.asNullable)
      }, transform: { (data: ProductsQuery.Data) in data.products.edges.map(\.node) })
  }

  /// The main actor has not seen the failure when the refetch begins.
  @Test func theErrorOfAnEarlierLoadIsNotShownAfterARefetch() async {
    let pager = makePager()
    let log = ResultLog(pager)
    let pages = ObservablePages(pager)
    await pages.refetch().value
    server.fail()
    let load = pages.loadNext()
    let deadline = ContinuousClock.now + .seconds(60)
    while log.errors.isEmpty, ContinuousClock.now < deadline {}
    #expect(log.errors.count == 1)
    let refetch = pages.refetch()
    await load.value
    await refetch.value
    #expect(pages.items.map(\.id) == ["0", "1"])
    #expect(pages.error == nil)
  }

  @Test func theEndOfAListWhoseCursorDoesNotMoveIsNoError() async {
    let pages = ObservablePages(makePager(stuckAt: "1"))
    await pages.refetch().value
    await pages.loadNext().value
    #expect(pages.items.map(\.id) == ["0", "1", "2", "3"])
    #expect(!pages.canLoadNext)
    await pages.loadNext().value
    #expect(pages.error == nil)
    #expect(server.requestCount == 2)
  }
}
