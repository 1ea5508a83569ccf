import ApolloCache
import ApolloPagination
import ApolloTestSupport
import ApolloTransport
import CatalogAPI
import Observation
import Testing

@MainActor @Suite(.timeLimit(.minutes(10))) struct ObservablePagesTests {
  private typealias Node = ProductsQuery.Data.Products.Edge.Node
  private let server = CatalogServer(count: 5)

  private func makePages(size: Int = 2) -> ObservablePages<Node> {
    ObservablePages(
      GraphQLQueryPager(
        client: server.client, initialQuery: ProductsQuery(first: .some(size)),
        extractPageInfo: { (data: ProductsQuery.Data) in data.products.pageInfo.forward },
        pageResolver: { page, _ in
          ProductsQuery(first: .some(size), after: page.endCursor.asNullable)
        }, transform: { (data: ProductsQuery.Data) in data.products.edges.map(\.node) }))
  }

  /// Pages of two items each, which are found by their offsets.
  private func makeOffsetPages() -> ObservablePages<ProductPageQuery.Data.ProductPage> {
    ObservablePages(
      GraphQLQueryPager(
        client: server.client, initialQuery: ProductPageQuery(offset: 0, limit: 2),
        extractPageInfo: {
          (
            page: PageExtractionData<
              ProductPageQuery, ProductPageQuery,
              PaginationOutput<ProductPageQuery, ProductPageQuery>?
            >
          ) in
          switch page {
          case .initial(let data, let output), .paginated(let data, let output):
            OffsetPagination.Forward(
              offset: output?.allData.reduce(0) { $0 + $1.productPage.count } ?? 0,
              canLoadNext: data.productPage.count == 2)
          }
        }, pageResolver: { page, _ in ProductPageQuery(offset: page.offset, limit: 2) },
        transform: {
          (output: PaginationOutput<ProductPageQuery, ProductPageQuery>) in
          output.allData.flatMap(\.productPage)
        }))
  }

  /// Suspends until one of the properties that `read` reads is about to change.
  private func change(of read: () -> Void) async {
    await withCheckedContinuation { continuation in
      withObservationTracking(read) { continuation.resume() }
    }
    await Task.yield()
  }

  /// Suspends until a condition on the properties of a list holds.
  private func wait(until condition: () -> Bool) async {
    while !condition() { await change { _ = condition() } }
  }

  @Test func nothingIsFetchedBeforeAPropertyIsRead() async {
    let pages = makePages()
    #expect(server.requestCount == 0)
    #expect(pages.items.isEmpty && pages.isLoading && pages.error == nil && !pages.canLoadNext)
    await wait { !pages.isLoading }
    #expect(pages.items.map(\.id) == ["0", "1"])
    #expect(pages.canLoadNext && !pages.canLoadPrevious)
  }

  @Test func pagesAreAdded() async {
    let pages = makePages()
    await wait { !pages.isLoading && !pages.items.isEmpty }
    let load = pages.loadNext()
    #expect(pages.isLoading)
    await load.value
    #expect(pages.items.map(\.id) == ["0", "1", "2", "3"])
    await pages.loadNext().value
    #expect(pages.items.map(\.id) == ["0", "1", "2", "3", "4"])
    #expect(!pages.isLoading && !pages.canLoadNext)
    await pages.loadNext().value
    #expect(server.requestCount == 3)
  }

  /// The next user must not see the former one's items beside an error.
  @Test func aRefetchOfTheNextSessionThatFailsShowsNothingOfTheFormer() async throws {
    let pages = makePages()
    await wait { !pages.isLoading && !pages.items.isEmpty }
    try await server.client.endSession()
    #expect(pages.items.map(\.id) == ["0", "1"], "They are the program's to drop.")
    server.fail()
    await pages.refetch().value
    #expect(pages.error != nil && pages.items.isEmpty && !pages.isLoading)
  }

  @Test func theEndOfASessionEndsLoadsUntilARefetch() async throws {
    let pages = makePages()
    await wait { !pages.isLoading && !pages.items.isEmpty }
    server.hold()
    let load = pages.loadNext()
    await server.hasRequests()
    try await server.client.endSession()
    server.edit { $0 = [.init(id: "b", name: "Of Bob")] }
    server.release()
    await load.value
    #expect(!pages.isLoading && !pages.canLoadNext)
    pages.itemAppeared(at: 1)
    await pages.loadNext().value
    #expect(server.requestCount == 2)
    await pages.refetch().value
    #expect(pages.items.map(\.id) == ["b"])
  }

  @Test func aSecondLoadBesideOneDoesNothing() async {
    let pages = makePages()
    await wait { !pages.isLoading && !pages.items.isEmpty }
    let load = pages.loadNext()
    await pages.loadNext().value
    await load.value
    #expect(pages.items.count == 4)
    #expect(pages.error == nil)
    #expect(server.requestCount == 2)
  }

  @Test func anItemNearTheEndLoadsTheNextPage() async {
    let pages = makePages()
    pages.prefetchDistance = 1
    await wait { !pages.isLoading && !pages.items.isEmpty }
    pages.itemAppeared(at: 0)
    pages.itemAppeared(pages.items[0])
    #expect(!pages.isLoading)
    pages.itemAppeared(pages.items[1])
    #expect(pages.isLoading)
    await wait { pages.items.count == 4 && !pages.isLoading }
    pages.itemAppeared(at: 3)
    await wait { pages.items.count == 5 }
  }

  @Test(arguments: [CatalogServer.Failure.connection, .errorsAlone])
  func aPageThatFailsKeepsTheItems(_ failure: CatalogServer.Failure) async {
    let pages = makePages()
    await wait { !pages.isLoading && !pages.items.isEmpty }
    server.fail(with: failure)
    await pages.loadNext().value
    #expect(pages.items.map(\.id) == ["0", "1"])
    #expect(pages.error != nil && !pages.isLoading && pages.canLoadNext)
    #expect(pages.errors.isEmpty == (failure == .connection))
    await pages.loadNext().value
    #expect(pages.items.map(\.id) == ["0", "1", "2", "3"])
    #expect(pages.error == nil && pages.errors.isEmpty)
  }

  @Test func aRefetchKeepsTheItemsUntilItsPageArrives() async {
    let pages = makePages()
    await wait { !pages.isLoading && !pages.items.isEmpty }
    await pages.loadNext().value
    server.edit { $0.removeFirst() }
    server.hold()
    let refetch = pages.refetch()
    await server.hasRequests()
    #expect(pages.items.map(\.id) == ["0", "1", "2", "3"] && pages.isLoading)
    server.release()
    await refetch.value
    #expect(pages.items.map(\.id) == ["1", "2"] && !pages.isLoading)
  }

  /// Loads three pages of two items each, the last one with one.
  private func makeThreePages() async -> ObservablePages<Node> {
    let pages = makePages()
    await wait { !pages.isLoading && !pages.items.isEmpty }
    await pages.loadNext().value
    await pages.loadNext().value
    #expect(pages.items.count == 5)
    return pages
  }

  private func rename(_ id: String, _ name: String) async throws {
    try await server.client.store.publish([RecordKey("Product:\(id)"): ["name": .string(name)]])
  }

  @Test func optimisticDataAppearsDuringARefetch() async throws {
    let pages = await makeThreePages()
    server.hold()
    let refetch = pages.refetch()
    await server.hasRequests()
    let mutation = Task { [server] in
      try await server.client.perform(
        mutation: RenameProductMutation(id: "4", name: "Robot"),
        optimistic: { try $0.merge(["Product:4": ["name": "Expected"]]) })
    }
    await wait { pages.items.last?.name == "Expected" }
    #expect(pages.items.count == 5 && pages.isLoading)
    await server.hasRequests(2)
    server.release()
    await refetch.value
    _ = try await mutation.value
    #expect(pages.items.map(\.id) == ["0", "1"])
  }

  @Test(arguments: ["cancelled", "failed", "errors alone"])
  func thePagesFollowTheCacheAfterARefetchWithoutData(_ end: String) async throws {
    let pages = await makeThreePages()
    let canLoadNext = pages.canLoadNext
    switch end {
    case "cancelled":
      server.hold()
      let refetch = pages.refetch()
      await server.hasRequests()
      refetch.cancel()
      await refetch.value
    default:
      server.fail(with: end == "failed" ? .connection : .errorsAlone)
      await pages.refetch().value
      #expect(pages.error != nil)
    }
    #expect(pages.items.count == 5 && !pages.isLoading && pages.canLoadNext == canLoadNext)
    try await rename("4", "Robot")
    await wait { pages.items.last?.name == "Robot" }
    try await rename("0", "Kite")
    await wait { pages.items.first?.name == "Kite" }
    #expect(pages.items.map(\.id) == ["0", "1", "2", "3", "4"])
  }

  @Test func theNextPageCanBeLoadedAfterARefetchThatWasCancelled() async throws {
    let pages = makePages()
    await wait { !pages.isLoading && !pages.items.isEmpty }
    server.hold()
    let refetch = pages.refetch()
    await server.hasRequests()
    refetch.cancel()
    await refetch.value
    server.release()
    #expect(pages.canLoadNext)
    await pages.loadNext().value
    #expect(pages.items.map(\.id) == ["0", "1", "2", "3"])
  }

  @Test func theItemsFollowTheCache() async throws {
    let pages = makePages()
    await wait { !pages.isLoading && !pages.items.isEmpty }
    _ = try await server.client.perform(mutation: RenameProductMutation(id: "1", name: "Robot"))
    await wait { pages.items.map(\.name) == ["Product 0", "Robot"] }
    #expect(pages.items.map(\.name) == ["Product 0", "Robot"])
  }

  /// An item that another user has inserted moves the others to the next page.
  @Test func anItemOnTwoPagesIsShownOnce() async {
    let pages = makeOffsetPages()
    await wait { !pages.isLoading && !pages.items.isEmpty }
    server.edit { $0.insert(.init(id: "new", name: "Kite"), at: 0) }
    await pages.loadNext().value
    #expect(pages.items.map(\.id) == ["0", "1", "2"])
  }

  /// Inserts as many items as a page has, as another user does. The next page repeats the first.
  private func insertTwoItems() {
    server.edit { items in
      items.insert(contentsOf: ["x", "y"].map { CatalogServer.Item(id: $0, name: $0) }, at: 0)
    }
  }

  @Test func anItemNearTheEndLoadsOnBehindAPageThatAddsNoItems() async {
    let pages = makeOffsetPages()
    await wait { !pages.isLoading && !pages.items.isEmpty }
    insertTwoItems()
    pages.itemAppeared(at: 1)
    #expect(pages.isLoading)
    await wait { !pages.isLoading }
    #expect(pages.items.map(\.id) == ["0", "1", "2", "3"])
    #expect(server.requestCount == 3)
  }

  @Test func aCallOfLoadNextLoadsOnePage() async {
    let pages = makeOffsetPages()
    await wait { !pages.isLoading && !pages.items.isEmpty }
    insertTwoItems()
    await pages.loadNext().value
    #expect(pages.items.map(\.id) == ["0", "1"] && pages.canLoadNext)
    #expect(server.requestCount == 2)
  }

  /// A list that leaves out all other items might be endless.
  @Test func anItemNearTheEndLoadsTenPagesThatAddNoItems() async {
    let server = CatalogServer(count: 50)
    let pages = ObservablePages(
      GraphQLQueryPager(
        client: server.client, initialQuery: ProductsQuery(first: 2),
        extractPageInfo: { (data: ProductsQuery.Data) in data.products.pageInfo.forward },
        pageResolver: { page, _ in ProductsQuery(first: 2, after: page.endCursor.asNullable) },
        transform: { (data: ProductsQuery.Data) in
          data.products.edges.map(\.node).filter { $0.id == "1" }
        }))
    await wait { !pages.isLoading && !pages.items.isEmpty }
    for requestCount in [11, 21] {
      pages.itemAppeared(at: 0)
      await wait { !pages.isLoading }
      #expect(server.requestCount == requestCount)
      #expect(pages.items.map(\.id) == ["1"] && pages.canLoadNext)
    }
  }

  @Test func releasingTheObjectEndsItsRequest() async {
    let (ends, end) = AsyncStream<Void>.makeStream()
    let transport = CancellationReportingTransport(end)
    var pages: ObservablePages? = ObservablePages(
      GraphQLQueryPager(
        client: ApolloClient(networkTransport: transport), initialQuery: ProductsQuery(),
        extractPageInfo: { (data: ProductsQuery.Data) in data.products.pageInfo.forward },
        pageResolver: { _, _ in nil }, transform: { (data: ProductsQuery.Data) in data.names }))
    weak let released = pages
    _ = pages?.items
    await transport.hasBegun
    pages = nil
    #expect(released == nil)
    for await _ in ends { break }
  }

  @Test func cancellingTheTaskEndsTheLoad() async {
    let pages = makePages()
    await wait { !pages.isLoading && !pages.items.isEmpty }
    server.hold()
    let load = pages.loadNext()
    await server.hasRequests()
    load.cancel()
    await load.value
    #expect(!pages.isLoading && pages.items.count == 2 && pages.canLoadNext)
  }
}

/// A transport whose requests last until they are cancelled.
private final class CancellationReportingTransport: NetworkTransport {
  private let end: AsyncStream<Void>.Continuation
  private let (beginnings, begin) = AsyncStream<Void>.makeStream()
  private let clock = TestClock()

  init(_ end: AsyncStream<Void>.Continuation) { self.end = end }

  var hasBegun: Void {
    get async { for await _ in beginnings { break } }
  }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    begin.yield()
    defer { end.yield() }
    try await clock.sleep(for: .seconds(1))
    throw CancellationError()
  }
}
