import ApolloPagination
import ApolloTestSupport
import CatalogAPI
import Testing

@testable import ApolloPagination

/// Named after the tests of Apollo iOS.
@Suite(.timeLimit(.minutes(10))) struct ReversePaginationTests {
  let server = CatalogServer(count: 3)

  @Test func fetchMultiplePages() async throws {
    let pager = server.reversePager()
    let log = ResultLog(pager)
    await pager.fetch()
    #expect(log.last?.ids == ["1", "2"])
    #expect(pager.canLoadPrevious && !pager.canLoadNext)
    try await pager.loadPrevious()
    #expect(log.last?.previousPages.map(\.data?.ids) == [["0"]])
    #expect(log.last?.initialPage == log.values.first?.initialPage)
    #expect(log.last?.nextPages.isEmpty == true)
    #expect(log.last?.ids == ["0", "1", "2"])
    #expect(!pager.canLoadPrevious)
  }

  @Test func loadAll() async throws {
    let pager = server.reversePager(size: 1)
    let log = ResultLog(pager)
    try await pager.loadAll()
    #expect(log.values.map(\.ids) == [["0", "1", "2"]])
  }
}

/// Named after the tests of Apollo iOS.
@Suite(.timeLimit(.minutes(10))) struct BidirectionalPaginationTests {
  let server = CatalogServer(count: 7)

  @Test func fetchMultiplePagesAsync() async throws {
    let pager = server.bidirectionalPager(after: "2")
    let log = ResultLog(pager)
    await pager.fetch()
    try await pager.loadNext()
    try await pager.loadPrevious()
    try await pager.loadPrevious()
    #expect(
      log.values.map(\.ids) == [
        ["3", "4"], ["3", "4", "5", "6"], ["1", "2", "3", "4", "5", "6"],
        ["0", "1", "2", "3", "4", "5", "6"],
      ])
    #expect(log.last?.previousPages.map(\.data?.ids) == [["0"], ["1", "2"]])
    #expect(!pager.canLoadNext && !pager.canLoadPrevious)
  }

  @Test func loadAllAsync() async throws {
    let pager = server.bidirectionalPager(after: "2")
    let log = ResultLog(pager)
    try await pager.loadAll()
    #expect(log.values.map(\.ids) == [["0", "1", "2", "3", "4", "5", "6"]])
  }

  @Test func fetchMultiplePages() async throws {
    let pager = server.bidirectionalPager(after: "2")
    await withCheckedContinuation { done in pager.fetch { done.resume() } }
    await withCheckedContinuation { done in pager.loadNext { _ in done.resume() } }
    await withCheckedContinuation { done in pager.loadPrevious { _ in done.resume() } }
    #expect(pager.latest?.ids == ["1", "2", "3", "4", "5", "6"])
  }

  @Test func loadAll() async throws {
    let pager = server.bidirectionalPager(after: "2")
    let error = await withCheckedContinuation { done in
      pager.loadAll { done.resume(returning: $0) }
    }
    #expect(error == nil)
    #expect(pager.latest?.ids == ["0", "1", "2", "3", "4", "5", "6"])
  }
}

/// Named after the tests of Apollo iOS.
@Suite(.timeLimit(.minutes(10))) struct OffsetTests {
  typealias Pages = PaginationOutput<ProductPageQuery, ProductPageQuery>
  let server = CatalogServer(count: 5)

  private func makePager(size: Int) -> GraphQLQueryPager<Pages> {
    GraphQLQueryPager(
      client: server.client, initialQuery: ProductPageQuery(offset: 0, limit: size),
      extractPageInfo: { page in
        switch page {
        case .initial(let data, let output), .paginated(let data, let output):
          OffsetPagination.Forward(
            offset: output?.allData.reduce(0) { $0 + $1.productPage.count } ?? 0,
            canLoadNext: data.productPage.count >= size)
        }
      },
      pageResolver: { page, direction in
        direction == .next ? ProductPageQuery(offset: page.offset, limit: size) : nil
      })
  }

  @Test func concatenatesPagesMatchingInitialAndPaginated() async throws {
    let pager = makePager(size: 2)
    let log = ResultLog(pager)
    await pager.fetch()
    #expect(pager.canLoadNext)
    try await pager.loadNext()
    try await pager.loadNext()
    let ids = log.values.map { $0.allData.flatMap { $0.productPage.map(\.id) } }
    #expect(ids == [["0", "1"], ["0", "1", "2", "3"], ["0", "1", "2", "3", "4"]])
    #expect(!pager.canLoadNext)
  }

  @Test func loadAllFindsTheOffsetsOfPagesThatAreNotDelivered() async throws {
    let pager = makePager(size: 2)
    try await pager.loadAll()
    #expect(
      server.transport.operations(ProductPageQuery.self).map(\.offset) == [0, 2, 4])
  }

  @Test func anEmptyPageEndsTheList() async throws {
    server.edit { $0.removeLast() }
    let pager = makePager(size: 2)
    try await pager.loadAll()
    #expect(pager.latest?.allData.map(\.productPage.count) == [2, 2, 0])
    #expect(!pager.canLoadNext)
  }

  /// The server has inserted it, too, so that the next page begins behind it.
  @Test func anItemThatTheProgramInsertsDoesNotEndTheList() async throws {
    let pager = makePager(size: 2)
    await pager.fetch()
    server.edit { $0.insert(.init(id: "new", name: "Kite"), at: 0) }
    let items = ["new", "0", "1"].map { id in
      ["__typename": "Product", "id": id, "name": id, "category": "Toys"] as [String: Any]
    }
    let page = try ProductPageQuery.Data(jsonObject: ["productPage": items])
    try await server.client.store.withinReadWriteTransaction { transaction in
      try transaction.write(data: page, for: ProductPageQuery(offset: 0, limit: 2))
    }
    _ = await pager.result { $0.allData.first?.productPage.count == 3 }
    #expect(pager.canLoadNext)
    try await pager.loadNext()
    let ids = pager.latest?.allData.flatMap { $0.productPage.map(\.id) }
    #expect(ids == ["new", "0", "1", "2", "3"])
  }
}
