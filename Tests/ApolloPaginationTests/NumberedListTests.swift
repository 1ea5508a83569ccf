import Apollo
import ApolloAPI
import ApolloCache
import ApolloPagination
import ApolloTestSupport
import Foundation
import TestOperations
import Testing

/// Pagers of merged lists whose pages have numbers, which are computed from the items so far.
@Suite(.timeLimit(.minutes(10))) struct NumberedListTests {
  private typealias Query = ShopAPI.ItemsQuery
  private typealias Output = PaginationOutput<Query, Query>

  private static let pages = ["kl", "mn", "op"]

  private static func query(page: Int) -> Query { Query(page: .some(page), size: 2) }

  private static func body(_ users: String) -> String {
    let list = users.map { ShopPage.product(String($0)) }.joined(separator: ",")
    return #"{"data":{"items":[],"users":[\#(list)]}}"#
  }

  /// Returns the facts of the last of the pages so far. Behind a page that is not full, there is
  /// none.
  private static func lastPage(of output: Output?) -> NumberedPages {
    let count = output?.allData.reduce(0) { $0 + $1.userIDs.count } ?? 0
    return NumberedPages(page: count / 2, pageCount: count.isMultiple(of: 2) ? pages.count : 0)
  }

  private static func ids(_ output: Output?) -> String? {
    output?.allData.flatMap(\.userIDs).joined()
  }

  private let client: ApolloClient
  private let pager: GraphQLQueryPager<Output>

  init() {
    let transport = MockNetworkTransport()
    transport.respond(to: Query.self) { query in
      .json(Self.body(Self.pages[(query.page.unwrapped ?? 1) - 1]))
    }
    client = ApolloClient(networkTransport: transport, store: ApolloStore())
    pager = GraphQLQueryPager(
      client: client, initialQuery: Self.query(page: 1),
      extractPageInfo: { page in
        switch page {
        case .initial(_, let output), .paginated(_, let output): Self.lastPage(of: output)
        }
      },
      pageResolver: { page, direction in
        direction == .next ? Self.query(page: page.page + 1) : nil
      })
  }

  /// The first page becomes the whole list, or the list without an item.
  @Test(arguments: ["klmnop", "klnop", "k"])
  func aFirstPageWithMoreOrFewerItemsEndsTheList(users: String) async throws {
    await pager.fetch()
    try await pager.loadNext()
    try await pager.loadNext()
    #expect(Self.ids(pager.latest) == "klmnop")
    try await client.store.publish(body: Array(Self.body(users).utf8), of: Self.query(page: 1))
    let changed = await pager.result { $0.initialPage?.data?.userIDs.count == users.count }
    #expect(Self.ids(changed) == users)
    #expect(!pager.canLoadNext)
  }
}
