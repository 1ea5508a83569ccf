import ApolloAPI
import ApolloCache
import ApolloPagination
import ApolloTestSupport
import CatalogAPI
import Foundation

/// A catalog of products without a network, and a client of it.
///
/// Cursors are the identifiers of products, so that a removed product leaves no gap.
final class CatalogServer: Sendable {
  struct Item: Hashable {
    var id: String
    var name: String
  }

  private struct State {
    var items: [Item]
    /// The requests that fail, by their number from 1 on.
    var failures: [Int: Failure] = [:]
    var requestCount = 0
    var isSlow = false
  }

  enum Failure: Error { case connection, errorsAlone, errorsBesideData }

  let clock = TestClock()
  let transport: MockNetworkTransport
  let client: ApolloClient
  private let state: Lock<State>

  init(count: Int, store: ApolloStore = ApolloStore()) {
    state = Lock(State(items: (0..<count).map { Item(id: "\($0)", name: "Product \($0)") }))
    transport = MockNetworkTransport(clock: clock)
    client = ApolloClient(networkTransport: transport, store: store)
    transport.respond(to: ProductsQuery.self) { [state] query in
      try Self.respond(state) { items in
        let (page, hasNext, hasPrevious) = Self.page(
          items, first: query.first.unwrapped, after: query.after.unwrapped,
          last: query.last.unwrapped, before: query.before.unwrapped)
        return #"{"products":\#(Self.connection(page, items.count, hasNext, hasPrevious))}"#
      }
    }
    transport.respond(to: FirstProductsQuery.self) { [state] query in
      try Self.respond(state) { items in
        let (page, hasNext, _) = Self.page(items, first: query.first)
        return """
          {"product":\(items.first { $0.id == query.featured }.map(Self.json) ?? "null"),\
          "products":\(Self.connection(page, items.count, hasNext, false))}
          """
      }
    }
    transport.respond(to: ProductPageQuery.self) { [state] query in
      try Self.respond(state) { items in
        let page = items.dropFirst(query.offset).prefix(query.limit).map(Self.json)
        return #"{"productPage":[\#(page.joined(separator: ","))]}"#
      }
    }
    transport.respond(to: RenameProductMutation.self) { [state] mutation in
      try Self.respond(state) { items in
        let index = items.firstIndex { $0.id == mutation.id }!
        items[index].name = mutation.name
        return #"{"renameProduct":\#(Self.json(items[index]))}"#
      }
    }
    transport.respond(to: AddProductMutation.self) { [state] mutation in
      try Self.respond(state) { items in
        let item = Item(id: "new", name: mutation.name)
        items.insert(item, at: 0)
        return #"{"addProduct":\#(Self.json(item))}"#
      }
    }
  }

  var requestCount: Int { state.withLock { $0.requestCount } }
  var queries: [ProductsQuery] { transport.operations(ProductsQuery.self) }

  /// Changes the list, as another user does.
  func edit(_ body: (inout [Item]) -> Void) { state.withLock { body(&$0.items) } }

  /// Lets a request fail, counted from the next one, which is 1.
  func fail(_ number: Int = 1, with failure: Failure = .connection) {
    state.withLock { $0.failures[$0.requestCount + number] = failure }
  }

  /// Delays all responses from now on until ``release()``.
  func hold() { state.withLock { $0.isSlow = true } }

  /// Returns when a number of requests are held.
  func hasRequests(_ count: Int = 1) async { await clock.waitForSleepers(count) }

  /// Sends the responses that are held, and those from now on at once.
  func release() {
    state.withLock { $0.isSlow = false }
    clock.advance(by: .seconds(1))
  }

  /// Returns the cached data of a query, or `nil` if some of it is missing.
  func cached(_ query: ProductsQuery) async throws -> ProductsQuery.Data? {
    let reading: CacheReading<ProductsQuery.Data> = try await client.store.load(query)
    return reading.data
  }

  private static func respond<Operation>(
    _ state: Lock<State>, _ data: (inout [Item]) -> String
  ) throws -> MockResponse<Operation> {
    let (text, failure, isSlow) = state.withLock { state in
      state.requestCount += 1
      return (
        data(&state.items), state.failures.removeValue(forKey: state.requestCount), state.isSlow
      )
    }
    let errors = #""errors":[{"message":"Not now."}]"#
    let response: MockResponse<Operation> =
      switch failure {
      case .connection: .failure(Failure.connection)
      case .errorsAlone: .json("{\(errors)}")
      case .errorsBesideData: .json(#"{\#(errors),"data":\#(text)}"#)
      case nil: .json(#"{"data":\#(text)}"#)
      }
    return isSlow ? response.delayed(by: .seconds(1)) : response
  }

  private static func page(
    _ items: [Item], first: Int? = nil, after: String? = nil, last: Int? = nil,
    before: String? = nil
  ) -> (page: [Item], hasNext: Bool, hasPrevious: Bool) {
    var range = items.indices
    if let after { range = (items.firstIndex { $0.id == after } ?? -1) + 1..<range.upperBound }
    if let before {
      range = range.lowerBound..<(items.firstIndex { $0.id == before } ?? range.upperBound)
    }
    if let first { range = range.prefix(first) }
    if let last { range = range.suffix(last) }
    return (Array(items[range]), range.upperBound < items.count, range.lowerBound > 0)
  }

  private static func json(_ item: Item) -> String {
    #"{"__typename":"Product","id":"\#(item.id)","name":"\#(item.name)","category":"Toys"}"#
  }

  private static func connection(
    _ page: [Item], _ count: Int, _ hasNext: Bool, _ hasPrevious: Bool
  ) -> String {
    let edges = page.map { #"{"__typename":"ProductEdge","node":\#(json($0))}"# }
    func cursor(_ item: Item?) -> String { item.map { #""\#($0.id)""# } ?? "null" }
    return """
      {"__typename":"ProductConnection","totalCount":\(count),\
      "edges":[\(edges.joined(separator: ","))],"pageInfo":{"__typename":"PageInfo",\
      "hasNextPage":\(hasNext),"endCursor":\(cursor(page.last)),\
      "hasPreviousPage":\(hasPrevious),"startCursor":\(cursor(page.first))}}
      """
  }
}

// MARK: - Pagers

typealias ProductPages = PaginationOutput<ProductsQuery, ProductsQuery>

extension CatalogServer {
  /// A pager from the beginning of the list, or from after a product.
  func forwardPager(size: Int = 2, after: String? = nil) -> GraphQLQueryPager<ProductPages> {
    GraphQLQueryPager(
      client: client, initialQuery: ProductsQuery(first: .some(size), after: after.asNullable),
      extractPageInfo: { $0.products.pageInfo.forward },
      pageResolver: { page, direction in
        guard direction == .next else { return nil }
        return ProductsQuery(first: .some(size), after: page.endCursor.asNullable)
      })
  }

  /// A pager from the end of the list.
  func reversePager(size: Int = 2) -> AsyncGraphQLQueryPager<ProductPages> {
    AsyncGraphQLQueryPager(
      client: client, initialQuery: ProductsQuery(last: .some(size)),
      extractPageInfo: { data in
        CursorBasedPagination.Reverse(
          hasPrevious: data.products.pageInfo.hasPreviousPage,
          startCursor: data.products.pageInfo.startCursor)
      },
      pageResolver: { page, direction in
        guard direction == .previous else { return nil }
        return ProductsQuery(last: .some(size), before: page.startCursor.asNullable)
      })
  }

  /// A pager from the middle of the list.
  func bidirectionalPager(size: Int = 2, after: String) -> GraphQLQueryPager<ProductPages> {
    GraphQLQueryPager(
      client: client, initialQuery: ProductsQuery(first: .some(size), after: .some(after)),
      extractPageInfo: { data in
        CursorBasedPagination.Bidirectional(
          hasNext: data.products.pageInfo.hasNextPage, endCursor: data.products.pageInfo.endCursor,
          hasPrevious: data.products.pageInfo.hasPreviousPage,
          startCursor: data.products.pageInfo.startCursor)
      },
      pageResolver: { page, direction in
        switch direction {
        case .next: ProductsQuery(first: .some(size), after: page.endCursor.asNullable)
        case .previous: ProductsQuery(last: .some(size), before: page.startCursor.asNullable)
        }
      })
  }

  /// A pager that delivers the names of the products.
  func namePager(size: Int = 2) -> GraphQLQueryPager<[String]> {
    GraphQLQueryPager(
      client: client, initialQuery: ProductsQuery(first: .some(size)),
      extractPageInfo: { $0.products.pageInfo.forward },
      pageResolver: { page, _ in
        ProductsQuery(first: .some(size), after: page.endCursor.asNullable)
      }, transform: { $0.products.edges.map(\.node.name) })
  }
}

extension ProductsQuery.Data.Products.PageInfo {
  var forward: CursorBasedPagination.Forward {
    CursorBasedPagination.Forward(hasNext: hasNextPage, endCursor: endCursor)
  }
}

extension ProductsQuery.Data {
  var ids: [String] { products.edges.map(\.node.id) }
  var names: [String] { products.edges.map(\.node.name) }
}

extension PaginationOutput where InitialQuery == ProductsQuery, PaginatedQuery == ProductsQuery {
  var ids: [String] { allData.flatMap(\.ids) }
  var names: [String] { allData.flatMap(\.names) }
}

extension Optional where Wrapped: Sendable {
  var asNullable: GraphQLNullable<Wrapped> { map { .some($0) } ?? .none }
}
