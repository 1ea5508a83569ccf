import Apollo
import ApolloAPI
import ApolloCache
import TestOperations
import Testing

/// Pages that mutations return, among changes of the same list by directives.
@Suite(.timeLimit(.minutes(10)))
struct ReturnedPageTests {
  enum NewerChange: CaseIterable {
    case event, laterMutation
  }

  /// The mutation was sent before the change of its page, which the server may not have seen.
  @Test(arguments: CacheKind.allCases, NewerChange.allCases)
  func aPageThatAMutationReturnsDoesNotUndoANewerChange(
    kind: CacheKind, newer: NewerChange
  ) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    try await client.store.publish(
      body: Array(RelatedQuery.body(ShopPage("ab")).utf8), of: RelatedQuery())
    async let returned = client.perform(mutation: ReturnRelated())
    await transport.untilSent(1)
    try await append(to: client, transport, after: newer, requestCount: 1)
    #expect(try await related(client.store) == "abx")
    transport.respond(to: 0, .success(RelatedQuery.body(ShopPage("ab"))))
    _ = try await returned
    #expect(try await related(client.store) == "abx")
    // A mutation that is sent now may know better.
    let count = transport.requestCount
    async let later = client.perform(mutation: ReturnRelated())
    await transport.untilSent(count + 1)
    transport.respond(to: count, .success(RelatedQuery.body(ShopPage("cd"))))
    _ = try await later
    #expect(try await related(client.store) == "cd")
    withExtendedLifetime(owner) {}
  }

  /// The page is in a layer, above which the change is visible at once.
  @Test(arguments: NewerChange.allCases)
  func aPageThatWaitsInALayerDoesNotEither(newer: NewerChange) async throws {
    let waiting = OlderMutation()
    let (client, transport) = (waiting.client, waiting.transport)
    try await client.store.publish(
      body: Array(RelatedQuery.body(ShopPage("ab")).utf8), of: RelatedQuery())
    try await waiting.whileOlderMutationWaits {
      async let returned = client.perform(mutation: ReturnRelated())
      await transport.untilSent(2)
      transport.respond(to: 1, .success(RelatedQuery.body(ShopPage("cd"))))
      _ = try await returned
      #expect(try await related(client.store) == "cd")
      try await append(to: client, transport, after: newer, requestCount: 2)
      #expect(try await related(client.store)?.contains("x") == true)
    }
    #expect(try await related(client.store)?.contains("x") == true)
  }

  /// A page that has replaced a changed one is newer than the change, and so than the mutations
  /// that were sent before that. The change waits in another store, or has been committed.
  @Test(arguments: ["append", "delete"], [false, true])
  func aPageThatAnOlderMutationReturnsReplacesNoneThatIsNewerThanALaterChange(
    change: String, isCommitted: Bool
  ) async throws {
    let cache = InMemoryNormalizedCache()
    let waiting = OlderMutation(cache)
    let (client, transport) = (waiting.client, waiting.transport)
    let elsewhere = HeldTransport()
    let other = ApolloClient(networkTransport: elsewhere, store: ApolloStore(cache: cache))
    try await client.store.publish(
      body: Array(RelatedQuery.body(ShopPage("ab")).utf8), of: RelatedQuery())
    let returned = Task { _ = try await other.perform(mutation: ReturnRelated()) }
    await elsewhere.untilSent(1)
    let page = change == "append" ? "abx" : "a"
    func check() async throws {
      elsewhere.respond(to: 0, .success(RelatedQuery.body(ShopPage("ab"))))
      try await returned.value
      #expect(try await related(other.store) == page)
      #expect(try await related(client.store) == page)
    }
    try await waiting.whileOlderMutationWaits {
      try await perform(change, of: change == "append" ? "x" : "b", client, transport)
      async let fetched = client.fetch(query: RelatedQuery(), cachePolicy: .networkOnly)
      await transport.untilSent(3)
      transport.respond(to: 2, .success(RelatedQuery.body(ShopPage(page))))
      _ = try await fetched
      if !isCommitted { try await check() }
    }
    if isCommitted { try await check() }
    #expect(try await related(client.store) == page)
  }

  /// Another store deletes an item. The page in the cache takes the place of the one that waits
  /// then. It does not have the change yet of a response that waits below.
  @Test(arguments: ["append", "delete"])
  func aPageThatTakesThePlaceOfAWaitingOneHasTheChangeBelow(change: String) async throws {
    let cache = InMemoryNormalizedCache()
    let waiting = OlderMutation(cache)
    let (client, transport) = (waiting.client, waiting.transport)
    let elsewhere = HeldTransport()
    let other = ApolloClient(networkTransport: elsewhere, store: ApolloStore(cache: cache))
    try await client.store.publish(
      body: Array(RelatedQuery.body(ShopPage("xab")).utf8), of: RelatedQuery())
    let (item, page) = change == "append" ? ("y", "xaby") : ("a", "xb")
    let rest = String(page.dropFirst())
    try await waiting.whileOlderMutationWaits {
      try await perform(change, of: item, client, transport)
      async let returned = client.perform(mutation: ReturnRelated())
      await transport.untilSent(3)
      transport.respond(to: 2, .success(RelatedQuery.body(ShopPage(page))))
      _ = try await returned
      #expect(try await related(client.store) == page)
      async let deletedElsewhere = other.perform(mutation: DeleteEdge(lists: Self.lists))
      await elsewhere.untilSent(1)
      elsewhere.respond(to: 0, .success(#"{"data":{"delete":["x"]}}"#))
      _ = try await deletedElsewhere
      #expect(try await related(client.store) == rest)
    }
    #expect(try await related(client.store) == rest)
    #expect(try await related(other.store) == rest)
  }

  private static let lists = [ListID(in: RecordKey(RelatedQuery.key), field: "related").rawValue]

  /// Appends an item to the list, or deletes it, with the second request of a client.
  private func perform(
    _ change: String, of item: String, _ client: ApolloClient, _ transport: HeldTransport
  ) async throws {
    if change == "append" {
      async let appended = client.perform(mutation: AppendEdge(lists: Self.lists))
      await transport.untilSent(2)
      transport.respond(to: 1, .success(#"{"data":\#(ShopPage.edge(item))}"#))
      _ = try await appended
    } else {
      async let deleted = client.perform(mutation: DeleteEdge(lists: Self.lists))
      await transport.untilSent(2)
      transport.respond(to: 1, .success(#"{"data":{"delete":["\#(item)"]}}"#))
      _ = try await deleted
    }
  }

  private func related(_ store: ApolloStore) async throws -> String? {
    try await store.load(RelatedQuery()).data?.ids.joined()
  }

  private func append(
    to client: ApolloClient, _ transport: HeldTransport, after change: NewerChange,
    requestCount: Int
  ) async throws {
    let edge = #"{"data":\#(ShopPage.edge("x"))}"#
    switch change {
    case .event:
      try await client.store.publish(body: Array(edge.utf8), of: Added(lists: Self.lists))
    case .laterMutation:
      async let appended = client.perform(mutation: AppendEdge(lists: Self.lists))
      await transport.untilSent(requestCount + 1)
      transport.respond(to: requestCount, .success(edge))
      _ = try await appended
    }
  }
}
