import ApolloPagination
import ApolloSQLite
import CatalogAPI
import Foundation
import Testing

/// Pagers against a real server: Strawberry's Relay connections over 10,000 rows of SQLite.
@Suite(.needsServers, .timeLimit(.minutes(10)))
struct CatalogTests {
  typealias Product = ProductsQuery.Data.Products.Edge.Node
  typealias Pages = PaginationOutput<ProductsQuery, ProductsQuery>

  private static func pager(
    of client: ApolloClient, size: Int, after cursor: String? = nil, category: String? = nil
  ) -> GraphQLQueryPager<Pages> {
    @Sendable func query(after: String?, before: String? = nil) -> ProductsQuery {
      ProductsQuery(
        category: category.map { .some($0) } ?? nil, first: before == nil ? .some(size) : nil,
        after: after.map { .some($0) } ?? nil, last: before == nil ? nil : .some(size),
        before: before.map { .some($0) } ?? nil)
    }
    return GraphQLQueryPager(
      client: client, initialQuery: query(after: cursor),
      extractPageInfo: { data in
        CursorBasedPagination.Bidirectional(
          hasNext: data.products.pageInfo.hasNextPage, endCursor: data.products.pageInfo.endCursor,
          hasPrevious: data.products.pageInfo.hasPreviousPage,
          startCursor: data.products.pageInfo.startCursor)
      },
      pageResolver: { page, direction in
        switch direction {
        case .next: query(after: page.endCursor)
        case .previous: query(after: nil, before: page.startCursor)
        }
      })
  }

  private static func names(_ pages: Pages?) -> [String] {
    pages?.allData.flatMap { $0.products.edges.map(\.node.name) } ?? []
  }

  private static func latest(_ pager: GraphQLQueryPager<Pages>) async throws -> Pages? {
    for await result in pager.updates { return try result.get() }
    return nil
  }

  @Test(arguments: [false, true])
  func allProductsAreThere(onDisk: Bool) async throws {
    try await with(.catalog()) { server in
      let store =
        onDisk ? ApolloStore(cache: try SQLiteNormalizedCache.inMemory()) : ApolloStore()
      let client = ApolloClient(
        networkTransport: HTTPNetworkTransport(url: server.url), store: store)
      let pager = Self.pager(of: client, size: 100)
      try await pager.loadAll()
      let pages = try await Self.latest(pager)
      #expect(Self.names(pages) == (1...10_000).map { "Product \($0)" })
      // The cache has all of them.
      let cached = Self.pager(of: client, size: 100)
      await cached.fetch(cachePolicy: .cacheOnly)
      try await cached.loadNext(cachePolicy: .cacheOnly)
      #expect(Self.names(try await Self.latest(cached)).count == 200)
    }
  }

  @Test func bothDirectionsFromTheMiddle() async throws {
    try await with(.catalog()) { server in
      let client = ApolloClient(url: server.url)
      // Strawberry's cursor of the 5,000th product.
      let cursor = Data("arrayconnection:4999".utf8).base64EncodedString()
      let pager = Self.pager(of: client, size: 10, after: cursor)
      await pager.fetch()
      try await pager.loadNext()
      try await pager.loadPrevious()
      #expect(
        Self.names(try await Self.latest(pager)) == (4_991...5_020).map { "Product \($0)" })
    }
  }

  @Test func filteredListsAreApart() async throws {
    try await with(.catalog()) { server in
      let client = ApolloClient(url: server.url)
      for (category, first) in [("Books", 4), ("Games", 1)] {
        let pager = Self.pager(of: client, size: 2, category: category)
        await pager.fetch()
        try await pager.loadNext()
        #expect(
          Self.names(try await Self.latest(pager))
            == (0..<4).map { "Product \(first + 4 * $0)" })
      }
    }
  }

  /// Strawberry's cursors are offsets: a product that another user removes moves the others.
  @Test func aRefetchShowsTheEditsOfAnotherUser() async throws {
    try await with(.catalog()) { server in
      let (client, other) = (ApolloClient(url: server.url), ApolloClient(url: server.url))
      let pager = Self.pager(of: client, size: 2)
      await pager.fetch()
      try await pager.loadNext()
      let id = try #require(try await Self.latest(pager)?.allData[0].products.edges[0].node.id)
      _ = try await other.perform(mutation: RemoveProductMutation(id: id))
      await pager.refetch()
      try await pager.loadNext()
      #expect(Self.names(try await Self.latest(pager)) == (2...5).map { "Product \($0)" })
    }
  }

  @Test func aMutationChangesTheList() async throws {
    try await with(.catalog()) { server in
      let client = ApolloClient(url: server.url)
      let pager = Self.pager(of: client, size: 2)
      await pager.fetch()
      try await pager.loadNext()
      let id = try #require(try await Self.latest(pager)?.allData[1].products.edges[0].node.id)
      _ = try await client.perform(mutation: RenameProductMutation(id: id, name: "Kite"))
      for await result in pager.updates where Self.names(try result.get())[2] == "Kite" { break }
    }
  }

  @Test func aScreenReachesTheEndByScrolling() async throws {
    try await with(.catalog()) { server in
      await Self.scroll(ApolloClient(url: server.url))
    }
  }

  @MainActor private static func scroll(_ client: ApolloClient) async {
    let pages = ObservablePages(
      GraphQLQueryPager(
        client: client, initialQuery: ProductPageQuery(offset: 0, limit: 1_000),
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
              canLoadNext: data.productPage.count == 1_000)
          }
        }, pageResolver: { page, _ in ProductPageQuery(offset: page.offset, limit: 1_000) },
        transform: {
          (output: PaginationOutput<ProductPageQuery, ProductPageQuery>) in
          output.allData.flatMap(\.productPage)
        }))
    await pages.refetch().value
    while pages.canLoadNext { await pages.loadNext().value }
    #expect(pages.items.count == 10_000)
    #expect(pages.items.last?.name == "Product 10000")
  }
}
