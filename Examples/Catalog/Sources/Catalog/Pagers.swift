import ApolloPagination
import CatalogAPI

typealias Product = ProductsQuery.Data.Products.Edge.Node

extension ApolloClient {
  /// The list from its beginning, as the products of all pages so far.
  func products(perPage count: Int) -> GraphQLQueryPager<[Product]> {
    GraphQLQueryPager(
      client: self,
      initialQuery: ProductsQuery(first: .some(count)),
      extractPageInfo: { data in
        CursorBasedPagination.Forward(
          hasNext: data.products.pageInfo.hasNextPage,
          endCursor: data.products.pageInfo.endCursor)
      },
      pageResolver: { page, direction in
        guard direction == .next, let cursor = page.endCursor else { return nil }
        return ProductsQuery(first: .some(count), after: .some(cursor))
      },
      transform: { data in data.products.edges.map(\.node) })
  }

  /// The list from its end, as pages.
  func productsFromTheEnd(
    perPage count: Int
  ) -> GraphQLQueryPager<PaginationOutput<ProductsQuery, ProductsQuery>> {
    GraphQLQueryPager(
      client: self,
      initialQuery: ProductsQuery(last: .some(count)),
      extractPageInfo: { data in
        CursorBasedPagination.Reverse(
          hasPrevious: data.products.pageInfo.hasPreviousPage,
          startCursor: data.products.pageInfo.startCursor)
      },
      pageResolver: { page, direction in
        guard direction == .previous, let cursor = page.startCursor else { return nil }
        return ProductsQuery(last: .some(count), before: .some(cursor))
      })
  }

  /// The list from its beginning, found by offsets.
  func productsByOffset(
    perPage count: Int
  ) -> GraphQLQueryPager<PaginationOutput<ProductPageQuery, ProductPageQuery>> {
    GraphQLQueryPager(
      client: self,
      initialQuery: ProductPageQuery(offset: 0, limit: count),
      extractPageInfo: { page in
        switch page {
        case .initial(let data, let output), .paginated(let data, let output):
          OffsetPagination.Forward(
            offset: output?.allData.reduce(0) { $0 + $1.productPage.count } ?? 0,
            canLoadNext: data.productPage.count >= count)
        }
      },
      pageResolver: { page, direction in
        direction == .next ? ProductPageQuery(offset: page.offset, limit: count) : nil
      })
  }
}
