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
  private static let items = "01234"

  private static func product(_ id: Character, _ name: String = "P") -> String {
    #"{"__typename":"Product","id":"\#(id)","name":"\#(name)"}"#
  }

  private static func body(of query: ListQuery) -> String {
    let last = query.after.unwrapped?.last
    let rest = items.filter { id in last.map { $0 < id } ?? true }
    let ids = rest.prefix(query.first.unwrapped ?? 0)
    let hasNext = ids.count < rest.count
    let edges = ids.map { #"{"__typename":"ProductEdge","node":\#(product($0))}"# }
    return """
      {"data":{"products":{"__typename":"ProductConnection",\
      "edges":[\(edges.joined(separator: ","))],"pageInfo":{"__typename":"PageInfo",\
      "hasNextPage":\(hasNext),"endCursor":\(ids.last.map { "\"c\($0)\"" } ?? "null")}}}}
      """
  }

  private typealias Pager = GraphQLQueryPager<PaginationOutput<ListQuery, ListQuery>>

  private let clock = TestClock()
  private let transport: MockNetworkTransport
  private let client: ApolloClient
  private let pager: Pager

  init() {
    transport = MockNetworkTransport(clock: clock)
    transport.respond(to: ListQuery.self) { .json(Self.body(of: $0)) }
    client = ApolloClient(networkTransport: transport, store: ApolloStore())
    pager = Pager(
      client: client, initialQuery: ListQuery(),
      extractPageInfo: { data in data.products.pageInfo.forward },
      pageResolver: { page, direction in
        direction == .next ? ListQuery(behind: page) : nil
      })
  }

  /// Each page has its own items, although a query of the first page has all.
  @Test func aPagerReadsEachPageAlone() async throws {
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

  /// The cache has one first page, whatever its size: the pages behind the old one do not follow.
  @Test(arguments: [1, 3])
  func aFirstPageOfAnotherSizeNeitherHidesNorRepeatsItems(size: Int) async throws {
    try await loadAndChangeFirstPage(to: size) {
      _ = try await client.fetch(
        query: ListQuery(first: .some(size)), cachePolicy: .networkOnly)
    }
  }

  /// All of the list becomes the first page.
  @Test func aListThatTheProgramWritesIsShownOnce() async throws {
    try await loadAndChangeFirstPage(to: 5) {
      let all = try #require(try await client.store.load(ListQuery()).data)
      try await client.store.withinReadWriteTransaction { transaction in
        try transaction.write(data: all, for: ListQuery())
      }
    }
  }

  @Test func onlyQueriesWithMergedListsAreChecked() {
    #expect(ListQuery.Data.__layout.hasMergedLists(in: ListQuery.Data.Schema.self))
    #expect(!ProductsQuery.Data.__layout.hasMergedLists(in: ProductsQuery.Data.Schema.self))
  }

  /// A page that ends where it did before keeps those behind it.
  @Test func aFirstPageOfTheSameSizeKeepsThePages() async throws {
    await pager.fetch()
    try await pager.loadAll(fetchFromInitialPage: false)
    let log = ResultLog(pager)
    try await client.store.publish(["Product:0": ["name": "new"]])
    _ = try await client.fetch(query: ListQuery(), cachePolicy: .networkOnly)
    try await client.store.publish(["Product:0": ["name": "last"]])
    let changed = await pager.result { $0.names.first == "last" }
    #expect(changed?.ids == Self.items)
    #expect(log.values.allSatisfy { $0.ids == Self.items })
  }

  /// Fetches the first page, loads on behind it, and makes the first page smaller meanwhile.
  private func changeFirstPage(
    during load: @escaping @Sendable () async throws -> Void
  ) async throws -> PaginationError? {
    transport.respond(to: ListQuery.self) { query in
      let response = MockResponse<ListQuery>.json(Self.body(of: query))
      return query.after.unwrapped == "c1" ? response.delayed(by: .seconds(1)) : response
    }
    await pager.fetch()
    let task = Task { await paginationError(load) }
    await clock.waitForSleepers()
    _ = try await client.fetch(query: ListQuery(first: 1), cachePolicy: .networkOnly)
    return await task.value
  }

  @Test func aLoadBehindAFirstPageThatChangesIsCancelled() async throws {
    let error = try await changeFirstPage { [pager] in try await pager.loadNext() }
    #expect(error?.name == "cancellation")
    #expect(pager.latest?.ids == "0" && pager.canLoadNext)
    try await pager.loadNext()
    #expect(pager.latest?.ids == "012")
  }

  @Test func loadAllGoesOnBehindAFirstPageThatChanges() async throws {
    let error = try await changeFirstPage { [pager] in
      try await pager.loadAll(fetchFromInitialPage: false)
    }
    #expect(error == nil)
    #expect(pager.latest?.ids == Self.items)
    #expect(pager.latest?.nextPages.map(\.data?.ids) == ["12", "34"])
  }

  /// The first page becomes smaller while the one before it is loaded.
  @Test func loadAllReloadsNextPagesThatAreRemovedWhileItLoadsAPreviousOne() async throws {
    transport.respond(to: ListQuery.self) { query in
      let response = MockResponse<ListQuery>.json(Self.body(of: query))
      return query.after.unwrapped == "before" ? response.delayed(by: .seconds(1)) : response
    }
    let pager = Pager(
      client: client, initialQuery: ListQuery(),
      extractPageInfo: { data in
        CursorBasedPagination.Bidirectional(
          hasNext: data.products.pageInfo.hasNextPage, endCursor: data.products.pageInfo.endCursor,
          hasPrevious: data.ids.hasPrefix("0"), startCursor: "before")
      },
      pageResolver: { page, direction in
        let cursor = direction == .next ? page.endCursor : page.startCursor
        return ListQuery(after: cursor.asNullable)
      })
    await pager.fetch()
    let all = Task { try await pager.loadAll(fetchFromInitialPage: false) }
    await clock.waitForSleepers()
    #expect(!pager.canLoadNext)
    _ = try await client.fetch(query: ListQuery(first: 1), cachePolicy: .networkOnly)
    while !pager.canLoadNext, !Task.isCancelled { await Task.yield() }
    clock.advance(by: .seconds(1))
    try await all.value
    #expect(pager.latest?.ids == Self.items)
    #expect(!pager.canLoadNext)
  }

  @MainActor @Test func observedPagesGoOnBehindAFirstPageThatChanges() async throws {
    let pages = ObservablePages(
      GraphQLQueryPager(
        client: client, initialQuery: ListQuery(),
        extractPageInfo: { (data: ListQuery.Data) in data.products.pageInfo.forward },
        pageResolver: { page, _ in ListQuery(behind: page) },
        transform: { (data: ListQuery.Data) in data.products.edges.map(\.node) }))
    _ = try await changeFirstPage {
      await pages.refetch().value
      await pages.loadNext().value
    }
    #expect(pages.items.map(\.id) == ["0", "1", "2"])
    #expect(!pages.isLoading && pages.error == nil)
  }

  @Test func anIterationEndsIfItsPagesAreRemoved() async throws {
    await pager.fetch()
    var pages = pager.pages().makeAsyncIterator()
    let (first, second) = (try await pages.next(), try await pages.next())
    #expect([first?.ids, second?.ids] == ["01", "23"])
    _ = try await client.fetch(query: ListQuery(first: 1), cachePolicy: .networkOnly)
    _ = await pager.result { $0.ids == "0" }
    let error = await paginationError { _ = try await pages.next() }
    #expect(error?.name == "cancellation")
  }

  /// The pages behind the new end would repeat or skip items.
  @Test(arguments: [1, 3, 5])
  func anIterationEndsIfItsLastPageEndsElsewhere(size: Int) async throws {
    var pages = pager.pages().makeAsyncIterator()
    #expect(try await pages.next()?.ids == "01")
    _ = try await client.fetch(query: ListQuery(first: .some(size)), cachePolicy: .networkOnly)
    _ = await pager.result { $0.initialPage?.data?.ids.count == size }
    let error = await paginationError { _ = try await pages.next() }
    #expect(error?.name == "cancellation")
  }

  @Test func anIterationGoesOnBehindALastPageThatEndsWhereItDid() async throws {
    var pages = pager.pages().makeAsyncIterator()
    #expect(try await pages.next()?.ids == "01")
    try await client.store.publish(["Product:0": ["name": "new"]])
    _ = await pager.result { $0.names.first == "new" }
    #expect(try await pages.next()?.ids == "23")
    #expect(try await pages.next()?.ids == "4")
    #expect(try await pages.next() == nil)
  }

  /// Loads the list, changes its first page, and expects the beginning of the list, then all.
  private func loadAndChangeFirstPage(
    to count: Int, _ change: () async throws -> Void
  ) async throws {
    await pager.fetch()
    try await pager.loadAll(fetchFromInitialPage: false)
    #expect(pager.latest?.ids == Self.items)
    try await change()
    let changed = await pager.result { $0.initialPage?.data?.ids.count == count }
    let ids = try #require(changed?.ids)
    #expect(Self.items.hasPrefix(ids), "\(ids)")
    try await pager.loadAll(fetchFromInitialPage: false)
    #expect(pager.latest?.ids == Self.items)
  }
}

extension PaginationOutput<ListQuery, ListQuery> {
  /// The identifiers of the items of all pages.
  fileprivate var ids: String { allData.map(\.ids).joined() }

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
  var first: GraphQLNullable<Int> = 2
  var __variables: Variables? { ["after": after, "first": first] }

  /// Creates the query of the page behind another one.
  init(behind page: CursorBasedPagination.Forward) {
    after = page.endCursor.map { .some($0) } ?? nil
  }

  init(after: GraphQLNullable<String> = nil, first: GraphQLNullable<Int> = 2) {
    (self.after, self.first) = (after, first)
  }

  static let __selections = GeneratedCode.Selections(
    "Query {products(after: $after first: $first) ProductConnection {__typename String! "
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
      var forward: CursorBasedPagination.Forward {
        CursorBasedPagination.Forward(hasNext: hasNextPage, endCursor: endCursor)
      }
    }
  }
}
