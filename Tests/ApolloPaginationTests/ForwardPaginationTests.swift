import ApolloCache
import ApolloPagination
import CatalogAPI
import Testing

@testable import ApolloPagination

/// Named after the tests of Apollo iOS.
@Suite(.timeLimit(.minutes(10))) struct ForwardPaginationTests {
  let server = CatalogServer(count: 3)

  @Test func fetchMultiplePages() async throws {
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    await pager.fetch()
    #expect(log.last?.initialPage?.data?.ids == ["0", "1"])
    #expect(log.last?.initialPage?.data?.products.totalCount == 3)
    #expect(log.last?.initialPage?.source == .server)
    #expect(log.last?.nextPages.isEmpty == true)

    try await pager.loadNext()
    #expect(log.last?.initialPage == log.values.first?.initialPage)
    #expect(log.last?.nextPages.map(\.data?.ids) == [["2"]])
    #expect(log.last?.nextPages.first?.source == .server)
    #expect(log.last?.previousPages.isEmpty == true)
    #expect(log.last?.lastUpdatedPage.data?.ids == ["2"])
    #expect(log.last?.ids == ["0", "1", "2"])
    #expect(log.all.count == 2)
  }

  @Test func variableMapping() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    try await pager.loadNext(cachePolicy: .fetchIgnoringCacheData)
    #expect(
      server.queries == [ProductsQuery(first: 2), ProductsQuery(first: 2, after: .some("1"))])
  }

  @Test func paginationState() async throws {
    let pager = server.forwardPager()
    #expect(!pager.canLoadNext && !pager.canLoadPrevious)
    await pager.fetch()
    #expect(pager.canLoadNext && !pager.canLoadPrevious)
    try await pager.loadNext()
    #expect(!pager.canLoadNext && !pager.canLoadPrevious)
  }

  @Test func fetchMultiplePagesMutateProduct() async throws {
    let pager = server.forwardPager()
    await pager.fetch()
    try await pager.loadNext()
    let log = ResultLog(pager)
    try await server.client.store.withinReadWriteTransaction { transaction in
      try transaction.update(EditedProductsLocalCacheMutation(first: 2, after: .some("1"))) {
        $0.products.edges[0].node.name = "Robot"
      }
    }
    _ = await pager.result { $0.names == ["Product 0", "Product 1", "Robot"] }
    #expect(log.last?.lastUpdatedPage.source == .cache)
    #expect(server.requestCount == 2)
  }

  @Test func loadAll() async throws {
    let pager = server.forwardPager(size: 1)
    let log = ResultLog(pager)
    try await pager.loadAll()
    #expect(log.all.count == 1)
    #expect(log.last?.ids == ["0", "1", "2"])
  }

  @Test func failingFetchFinishes() async throws {
    server.fail()
    let pager = server.forwardPager()
    let log = ResultLog(pager)
    await pager.fetch()
    #expect(log.values.isEmpty)
    #expect(log.errors.map { $0 as? CatalogServer.Failure } == [.connection])
  }
}
