// The examples of documentation comments, so that they are compiled. `DocumentationExamplesTests`
// compares them.

import ApolloPagination
import CatalogAPI

private typealias Product = ProductsQuery.Data.Products.Edge.Node

struct NumberedPages: PaginationInfo {
  let page: Int
  let pageCount: Int

  var canLoadNext: Bool { page < pageCount }
  var canLoadPrevious: Bool { page > 1 }
}

private func endOfPage(_ data: ProductsQuery.Data) -> CursorBasedPagination.Forward {
  CursorBasedPagination.Forward(
    hasNext: data.products.pageInfo.hasNextPage, endCursor: data.products.pageInfo.endCursor)
}

private func usePager(of apollo: ApolloClient) async throws {
  let pager = GraphQLQueryPager(
    client: apollo,
    initialQuery: ProductsQuery(first: 50),
    extractPageInfo: { data in
      CursorBasedPagination.Forward(
        hasNext: data.products.pageInfo.hasNextPage, endCursor: data.products.pageInfo.endCursor)
    },
    pageResolver: { page, direction in
      guard direction == .next, let cursor = page.endCursor else { return nil }
      return ProductsQuery(first: 50, after: .some(cursor))
    })
  await pager.fetch()
  try await pager.loadNext()

  for await result in pager.updates {
    print(try result.get().allData.count, "pages")
  }

  for try await page in pager.pages() {
    for edge in page.products.edges { print(edge.node.name) }
  }
}

private func usePagerWithOffsets(of apollo: ApolloClient) {
  _ = GraphQLQueryPager<PaginationOutput<ProductPageQuery, ProductPageQuery>>(
    client: apollo, initialQuery: ProductPageQuery(offset: 0, limit: 50),
    extractPageInfo: { page in
      switch page {
      case .initial(let data, let output), .paginated(let data, let output):
        OffsetPagination.Forward(
          offset: output?.allData.reduce(0) { $0 + $1.productPage.count } ?? 0,
          canLoadNext: data.productPage.count >= 50)
      }
    },
    pageResolver: { page, _ in ProductPageQuery(offset: page.offset, limit: 50) })
}

@MainActor private final class ProductScreen {
  let pages: ObservablePages<Product>

  init(_ pager: GraphQLQueryPager<[Product]>) { pages = ObservablePages(pager) }

  var rows: [String] { pages.items.map(\.name) }
  var hasSpinner: Bool { pages.isLoading }
  var problem: String? { pages.error.map { "\($0)" } }

  func rowAppeared(_ index: Int) { pages.itemAppeared(at: index) }
  func pulledDown() async { await pages.refetch().value }
}
