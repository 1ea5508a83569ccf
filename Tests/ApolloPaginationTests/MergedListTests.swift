import Apollo
import ApolloAPI
import ApolloCache
import ApolloPagination
import ApolloTestSupport
import CatalogAPI
import Foundation
import Testing

/// Pagers of lists whose pages the cache merges.
@Suite(.timeLimit(.minutes(10))) struct MergedListTests {
  private static let pages = ["": ("01", true), "c1": ("23", true), "c3": ("4", false)]

  private static func product(_ id: Character, _ name: String = "P") -> String {
    #"{"__typename":"Product","id":"\#(id)","name":"\#(name)"}"#
  }

  private static func body(after cursor: String?) -> String {
    let (ids, hasNext) = pages[cursor ?? ""] ?? ("", false)
    let edges = ids.map { #"{"__typename":"ProductEdge","node":\#(product($0))}"# }
    return """
      {"data":{"products":{"__typename":"ProductConnection",\
      "edges":[\(edges.joined(separator: ","))],"pageInfo":{"__typename":"PageInfo",\
      "hasNextPage":\(hasNext),"endCursor":\(ids.last.map { "\"c\($0)\"" } ?? "null")}}}}
      """
  }

  /// Each page has its own items, although a query of the first page has all.
  @Test func aPagerReadsEachPageAlone() async throws {
    let transport = MockNetworkTransport()
    transport.respond(to: ListQuery.self) { .json(Self.body(after: $0.after.unwrapped)) }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    let pager: GraphQLQueryPager<PaginationOutput<ListQuery, ListQuery>> = GraphQLQueryPager(
      client: client, initialQuery: ListQuery(),
      extractPageInfo: { data in
        CursorBasedPagination.Forward(
          hasNext: data.products.pageInfo.hasNextPage, endCursor: data.products.pageInfo.endCursor)
      },
      pageResolver: { page, direction in
        direction == .next ? ListQuery(after: page.endCursor.map { .some($0) } ?? nil) : nil
      })
    let log = ResultLog(pager)
    await pager.fetch()
    try await pager.loadAll(fetchFromInitialPage: false)
    #expect(log.last?.initialPage?.data?.ids == "01")
    #expect(log.last?.nextPages.map(\.data?.ids) == ["23", "4"])
    #expect(try await client.store.load(ListQuery()).data?.ids == "01234")
    // So it is when the cache has changed.
    try await client.store.publish(["Product:0": ["name": "new"], "Product:3": ["name": "new"]])
    let changed = await pager.result { $0.names == ["new", "P", "P", "new", "P"] }
    #expect(changed != nil)
    #expect(transport.operations(ListQuery.self).count == 3)
  }
}

extension PaginationOutput<ListQuery, ListQuery> {
  fileprivate var names: [String] {
    ([initialPage].compactMap { $0 } + nextPages).flatMap {
      $0.data?.products.edges.map(\.node.name) ?? []
    }
  }
}

/// A list whose pages are merged, as generated code has it.
struct ListQuery: GraphQLQuery {
  static let operationName = "List"
  static let operationDocument = OperationDocument(
    definition: .init("query List { products { __typename } }"))

  var after: GraphQLNullable<String> = nil
  var __variables: Variables? { ["after": after] }

  static let __selections = GeneratedCode.Selections(
    "Query {products(after: $after first: 2) ProductConnection {__typename String! "
      + "edges [ProductEdge {__typename String! node Product {__typename String! id ID! name String!}!}!]! "
      + "pageInfo PageInfo {__typename String! hasNextPage Boolean! endCursor String}!}! "
      + #"@connection(key: "List")}"#)

  struct Data: CatalogAPI.SelectionSet {
    private let __storage: GeneratedCode.ResponseObject
    static let __layout = ListQuery.__selections[0]
    var products: Products { __object[0, Self.__layout] }
    var ids: String { products.edges.map(\.node.id).joined() }

    struct Products: CatalogAPI.SelectionSet {
      private let __storage: GeneratedCode.ResponseObject
      static let __layout = ListQuery.__selections[1]
      var edges: [Edge] { __object[1, Self.__layout] }
      var pageInfo: PageInfo { __object[2, Self.__layout] }
    }
    struct Edge: CatalogAPI.SelectionSet {
      private let __storage: GeneratedCode.ResponseObject
      static let __layout = ListQuery.__selections[2]
      var node: Node { __object[1, Self.__layout] }
    }
    struct Node: CatalogAPI.SelectionSet {
      private let __storage: GeneratedCode.ResponseObject
      static let __layout = ListQuery.__selections[3]
      var id: ID { __object[1, Self.__layout] }
      var name: String { __object[2, Self.__layout] }
    }
    struct PageInfo: CatalogAPI.SelectionSet {
      private let __storage: GeneratedCode.ResponseObject
      static let __layout = ListQuery.__selections[4]
      var hasNextPage: Bool { __object[1, Self.__layout] }
      var endCursor: String? { __object[2, Self.__layout] }
    }
  }
}
