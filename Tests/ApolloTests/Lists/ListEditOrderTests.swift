import Apollo
import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import TestOperations
import Testing

/// Changes of lists by directives among other responses, in layers and in the ledger of ages.
@Suite(.timeLimit(.minutes(10)))
struct ListEditOrderTests {
  private typealias Query = ShopAPI.ProductsQuery
  private static let toys = ListID(field: "products", arguments: ["category": "toys"])
  private let query = Query(first: 2, category: "toys")
  private let next = Query(first: 2, after: "b", category: "toys")

  private func fill(_ store: ApolloStore) async throws {
    try await store.publish(body: Array(body("ab").utf8), of: query)
    try await store.publish(body: Array(body("cd").utf8), of: next)
  }

  private func body(_ items: String) -> String {
    #"{"data":{"products":\#(ShopPage(items).json)}}"#
  }

  private func list(_ store: ApolloStore) async throws -> String? {
    try await store.load(query).data?.ids.joined()
  }

  // MARK: - Responses that wait

  @Test func aPageThatIsRequestedLaterReplacesThatOfAWaitingResponse() async throws {
    let waiting = OlderMutation()
    let (client, transport) = (waiting.client, waiting.transport)
    try await fill(client.store)
    try await waiting.whileOlderMutationWaits {
      async let appended = client.perform(mutation: AppendEdge(lists: [Self.toys.rawValue]))
      await transport.untilSent(2)
      transport.respond(to: 1, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
      _ = try await appended
      #expect(try await list(client.store) == "abcdx")
      async let page = client.fetch(query: next, cachePolicy: .networkOnly)
      await transport.untilSent(3)
      transport.respond(to: 2, .success(body("cd")))
      _ = try await page
      #expect(try await list(client.store) == "abcd")
    }
    #expect(try await list(client.store) == "abcd")
  }

  @Test func aPageThatWasRequestedEarlierDoesNot() async throws {
    let waiting = OlderMutation()
    let (client, transport) = (waiting.client, waiting.transport)
    try await fill(client.store)
    try await waiting.whileOlderMutationWaits {
      async let appended = client.perform(mutation: AppendEdge(lists: [Self.toys.rawValue]))
      await transport.untilSent(2)
      async let page = client.fetch(query: next, cachePolicy: .networkOnly)
      await transport.untilSent(3)
      transport.respond(to: 1, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
      _ = try await appended
      transport.respond(to: 2, .success(body("cd")))
      _ = try await page
      #expect(try await list(client.store) == "abcdx")
    }
    #expect(try await list(client.store) == "abcdx")
  }

  /// An item that others insert in the meantime does not take the place of the item.
  @Test func anEventInTheMeantimeLeavesTheItem() async throws {
    let waiting = OlderMutation()
    let (client, transport) = (waiting.client, waiting.transport)
    try await fill(client.store)
    try await waiting.whileOlderMutationWaits {
      async let appended = client.perform(mutation: AppendEdge(lists: [Self.toys.rawValue]))
      await transport.untilSent(2)
      transport.respond(to: 1, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
      _ = try await appended
      try await client.store.publish(
        body: Array(#"{"data":\#(ShopPage.edge("y"))}"#.utf8),
        of: Added(lists: [Self.toys.rawValue]))
      #expect(try await list(client.store) == "abcdyx")
    }
    #expect(try await list(client.store) == "abcdyx")
  }

  @Test func aRecordThatIsFetchedLaterIsNotDeletedAgain() async throws {
    let waiting = OlderMutation()
    let (client, transport) = (waiting.client, waiting.transport)
    try await fill(client.store)
    try await waiting.whileOlderMutationWaits {
      async let deleted = client.perform(mutation: DeleteRecord(lists: [Self.toys.rawValue]))
      await transport.untilSent(2)
      transport.respond(to: 1, .success(#"{"data":{"delete":\#(ShopPage.product("c"))}}"#))
      _ = try await deleted
      #expect(try await list(client.store) == "abd")
      async let page = client.fetch(query: next, cachePolicy: .networkOnly)
      await transport.untilSent(3)
      transport.respond(to: 2, .success(body("cd")))
      _ = try await page
      #expect(try await list(client.store) == "abcd")
    }
    #expect(try await list(client.store) == "abcd")
    #expect(try await client.store.record("Product:c") != nil)
  }

  /// Its response is in the cache at once, and in its layer.
  @Test func aResponseOfAQueueChangesTheListOnce() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    try await fill(store)
    let older = store.layers.reserve()
    try await store.showLayer(older) { try $0.merge(["R": ["name": "?"]]) }
    let layer = try await store.beginSending(1) { _ in }
    let mutation = SelectedMutation<AppendKeyless>(["lists": [Self.toys.rawValue]])
    let normalizer = store.normalizer(for: mutation)
    _ = try ResponseDecoder().decode(
      Data(#"{"data":{"add":{"__typename":"Note","name":"x"}}}"#.utf8), as: mutation,
      observer: normalizer)
    try await store.publish(normalizer.finish(), at: .layer(layer))
    #expect(try await pageCounts(of: store) == [2, 3])
    await store.removeLayer(older)
    #expect(try await pageCounts(of: store) == [2, 3])
  }

  private func pageCounts(of store: ApolloStore) async throws -> [Int] {
    let root = try #require(try await store.record(.queryRoot))
    return root.fields.compactMap { _, page in
      guard case .object(let fields) = page, case .list(let edges)? = fields["edges"] else {
        return nil
      }
      return edges.count
    }.sorted()
  }

  private enum AppendKeyless: ShopSelections {
    static let selections = Selections(
      "Mutation {add Note {__typename String! name String!} "
        + #"@appendNode(connections: $lists edgeTypeName: "ProductEdge")}"#)
  }

  // MARK: - Pages under way

  /// The page was not in the cache when the item was deleted.
  @Test(arguments: CacheKind.allCases)
  func aPageUnderWayDoesNotBringBackADeletedItem(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    try await client.store.publish(body: Array(body("ab").utf8), of: query)
    async let page = client.fetch(query: next, cachePolicy: .networkOnly)
    await transport.untilSent(1)
    async let deleted = client.perform(mutation: DeleteEdge(lists: [Self.toys.rawValue]))
    await transport.untilSent(2)
    transport.respond(to: 1, .success(#"{"data":{"delete":["c"]}}"#))
    _ = try await deleted
    transport.respond(to: 0, .success(body("cd")))
    _ = try await page
    #expect(try await list(client.store) == "abd")
    // Another user has added it again.
    async let later = client.fetch(query: next, cachePolicy: .networkOnly)
    await transport.untilSent(3)
    transport.respond(to: 2, .success(body("cd")))
    _ = try await later
    #expect(try await list(client.store) == "abcd")
    withExtendedLifetime(owner) {}
  }

  private enum FirstOfFour: ShopSelections {
    static let selections = four("")
  }

  private enum NextOfFour: ShopSelections {
    static let selections = four(#"after: "b" "#)
  }

  /// Returns the selections of a page of the list that `4.0` selects.
  ///
  /// - Parameter place: The argument that says which page it is, or an empty text.
  /// - Returns: The selections.
  private static func four(_ place: String) -> Selections {
    Selections(
      "Query {products(\(place)category: 4.0 first: 2) ProductConnection {"
        + "edges [ProductEdge {node Product {__typename String! id ID! name String!}!}!]! "
        + "pageInfo PageInfo {hasNextPage Boolean! endCursor String}!}!}")
  }

  /// `category: 4` and `category: 4.0` select the same list.
  @Test func aPageUnderWayDoesNotBringBackAnItemOfAListThatANumberSelects() async throws {
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport)
    let first = SelectedQuery<FirstOfFour>()
    try await client.store.publish(body: Array(body("ab").utf8), of: first)
    async let page = client.fetch(
      query: SelectedQuery<NextOfFour>(), cachePolicy: .networkOnly)
    await transport.untilSent(1)
    let list = ListID(field: "products", arguments: ["category": 4])
    #expect(try await client.store.contains(list))
    async let deleted = client.perform(mutation: DeleteEdge(lists: [list.rawValue]))
    await transport.untilSent(2)
    transport.respond(to: 1, .success(#"{"data":{"delete":["c"]}}"#))
    _ = try await deleted
    transport.respond(to: 0, .success(body("cd")))
    _ = try await page
    #expect(try await client.store.load(first).data?.ids == "abd")
  }

  /// Otherwise the list would end before the page, whose item is missing.
  @Test(arguments: CacheKind.allCases)
  func aPageUnderWayIsShownWithoutADeletedRecord(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    try await client.store.publish(body: Array(body("ab").utf8), of: query)
    async let page = client.fetch(query: next, cachePolicy: .networkOnly)
    await transport.untilSent(1)
    async let deleted = client.perform(mutation: DeleteRecord(lists: [Self.toys.rawValue]))
    await transport.untilSent(2)
    transport.respond(to: 1, .success(#"{"data":{"delete":\#(ShopPage.product("c"))}}"#))
    _ = try await deleted
    transport.respond(to: 0, .success(body("cd")))
    _ = try await page
    #expect(try await list(client.store) == "abd")
    #expect(try await client.store.record("Product:c") == nil)
    withExtendedLifetime(owner) {}
  }

  // MARK: - Items that a page has already

  enum OtherChange: CaseIterable {
    case append, prepend, delete
  }

  /// The server has performed both mutations, and the page was read in between. Then others have
  /// added items in front.
  @Test(arguments: CacheKind.allCases, OtherChange.allCases)
  func aPageUnderWayDoesNotTakeAwayAnItemThatTheListHadAlready(
    kind: CacheKind, other: OtherChange
  ) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    let lists = [Self.toys.rawValue]
    async let prepended = client.perform(mutation: PrependEdge(lists: lists))
    await transport.untilSent(1)
    async let first = client.fetch(query: query, cachePolicy: .networkOnly)
    await transport.untilSent(2)
    transport.respond(to: 1, .success(body("xa")))
    _ = try await first
    switch other {
    case .append:
      async let response = client.perform(mutation: AppendEdge(lists: lists))
      await transport.untilSent(3)
      transport.respond(to: 2, .success(#"{"data":\#(ShopPage.edge("y"))}"#))
      _ = try await response
    case .prepend:
      async let response = client.perform(mutation: PrependEdge(lists: lists))
      await transport.untilSent(3)
      transport.respond(to: 2, .success(#"{"data":\#(ShopPage.edge("y"))}"#))
      _ = try await response
    case .delete:
      async let response = client.perform(mutation: DeleteEdge(lists: lists))
      await transport.untilSent(3)
      transport.respond(to: 2, .success(#"{"data":{"delete":["a"]}}"#))
      _ = try await response
    }
    let expected = [OtherChange.append: "xay", .prepend: "yxa", .delete: "x"][other]
    #expect(try await list(client.store) == expected)
    async let page = client.fetch(query: query, cachePolicy: .networkOnly)
    await transport.untilSent(4)
    transport.respond(to: 0, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
    _ = try await prepended
    transport.respond(to: 3, .success(body("cd")))
    _ = try await page
    #expect(try await list(client.store) == expected)
    // A page that is requested now is newer.
    async let later = client.fetch(query: query, cachePolicy: .networkOnly)
    await transport.untilSent(5)
    transport.respond(to: 4, .success(body("ef")))
    _ = try await later
    #expect(try await list(client.store) == "ef")
    withExtendedLifetime(owner) {}
  }

  // MARK: - Items that an event deletes

  private struct Removed: GraphQLSubscription {
    let lists: [ID]
    static let operationName = "Removed"
    static let operationDocument = ApolloAPI.OperationDocument(
      definition: .init("subscription Removed { delete }"))
    var __variables: Variables? { ["lists": lists] }
    static let __selections = Selections(
      #"Subscription {delete [ID!]! @deleteEdge(connections: $lists typeName: "Product")}"#)
    struct Data: ShopAPI.SelectionSet {
      typealias Schema = ShopAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = Removed.__selections[0]
    }
  }

  /// The event is from after the mutation, whose response comes later.
  @Test(arguments: CacheKind.allCases, [false, true])
  func aMutationDoesNotInsertAnItemThatAnEventHasDeleted(
    kind: CacheKind, isShown: Bool
  ) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    let lists = [Self.toys.rawValue]
    try await fill(client.store)
    let mutation = AppendEdge(lists: lists)
    let edge = ShopPage.edge("x")
    async let appended = client.perform(mutation: mutation)
    await transport.untilSent(1)
    if isShown {
      try await client.store.publish(
        body: Array(#"{"data":\#(edge)}"#.utf8), of: Added(lists: lists))
      #expect(try await list(client.store) == "abcdx")
    }
    try await client.store.publish(
      body: Array(#"{"data":{"delete":["x"]}}"#.utf8), of: Removed(lists: lists))
    transport.respond(to: 0, .success(#"{"data":\#(edge)}"#))
    _ = try await appended
    #expect(try await list(client.store) == "abcd")
    // The server may add it again.
    async let again = client.perform(mutation: mutation)
    await transport.untilSent(2)
    transport.respond(to: 1, .success(#"{"data":\#(edge)}"#))
    _ = try await again
    #expect(try await list(client.store) == "abcdx")
    withExtendedLifetime(owner) {}
  }

  // MARK: - Items that a later mutation inserts again

  /// The response to the deletion comes after that to the later mutation.
  @Test(arguments: CacheKind.allCases, [false, true])
  func aMutationDoesNotDeleteAnItemThatALaterOneHasInserted(
    kind: CacheKind, deletesRecord: Bool
  ) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    let lists = [Self.toys.rawValue]
    try await fill(client.store)
    let deleted = Task {
      if deletesRecord {
        _ = try await client.perform(mutation: DeleteRecord(lists: lists))
      } else {
        _ = try await client.perform(mutation: DeleteEdge(lists: lists))
      }
    }
    await transport.untilSent(1)
    async let appended = client.perform(mutation: AppendEdge(lists: lists))
    await transport.untilSent(2)
    transport.respond(to: 1, .success(#"{"data":\#(ShopPage.edge("c"))}"#))
    _ = try await appended
    #expect(try await list(client.store) == "abcd")
    let item = deletesRecord ? ShopPage.product("c") : #"["c"]"#
    transport.respond(to: 0, .success(#"{"data":{"delete":\#(item)}}"#))
    try await deleted.value
    #expect(try await list(client.store) == "abcd")
    // A mutation that is sent now is later than both.
    async let again = client.perform(mutation: DeleteEdge(lists: lists))
    await transport.untilSent(3)
    transport.respond(to: 2, .success(#"{"data":{"delete":["c"]}}"#))
    _ = try await again
    #expect(try await list(client.store) == "abd")
    withExtendedLifetime(owner) {}
  }

  /// The record is in one of the lists again, so it stays. The other lists lose the item.
  @Test(arguments: [false, true])
  func aRecordThatALaterMutationHasInsertedIsNotRemoved(namesLists: Bool) async throws {
    let transport = HeldTransport()
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    let client = ApolloClient(networkTransport: transport, store: store)
    let food = ListID(field: "products", arguments: ["category": "food"])
    let other = Query(first: 2, category: "food")
    try await fill(store)
    try await store.publish(body: Array(body("bc").utf8), of: other)
    let lists = namesLists ? [Self.toys.rawValue, food.rawValue] : []
    async let deleted = client.perform(mutation: DeleteRecord(lists: lists))
    await transport.untilSent(1)
    async let appended = client.perform(mutation: AppendEdge(lists: [Self.toys.rawValue]))
    await transport.untilSent(2)
    transport.respond(to: 1, .success(#"{"data":\#(ShopPage.edge("c"))}"#))
    _ = try await appended
    transport.respond(to: 0, .success(#"{"data":{"delete":\#(ShopPage.product("c"))}}"#))
    _ = try await deleted
    #expect(try await list(store) == "abcd")
    #expect(try await store.load(other).data?.ids.joined() == (namesLists ? "b" : "bc"))
    #expect(try await store.record("Product:c") != nil)
  }

  // MARK: - Ages

  private func tracked(_ cache: any NormalizedCache) -> ApolloStore {
    var configuration = ApolloStore.Configuration()
    configuration.freshness.isTracked = true
    return ApolloStore(cache: cache, configuration: configuration)
  }

  @Test(arguments: CacheKind.allCases)
  func aPageIsAsOldAsBefore(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let store = tracked(cache)
    try await fill(store)
    let mutation = AppendEdge(lists: [Self.toys.rawValue])
    try await store.publish(
      body: Array(#"{"data":\#(ShopPage.edge("x"))}"#.utf8), of: mutation)
    #expect(try await list(store) == "abcdx")
    let page = FieldAddress(
      record: .queryRoot, field: #"products(after:"b",category:"toys")"#)
    #expect(store.provenance(of: page)?.operationName == Query.operationName)
    let item = FieldAddress(record: "Product:x", field: "name")
    // The changes of a user's own cache are not known.
    if kind != .usersOwn {
      #expect(store.provenance(of: item)?.operationName == AppendEdge.operationName)
    }
    withExtendedLifetime(owner) {}
  }

  @Test func aPageInAFileIsAsOldAsBefore() async throws {
    let folder = try CacheKind.TemporaryFolder()
    do {
      let store = tracked(try SQLiteNormalizedCache(fileURL: folder.file))
      try await fill(store)
      try await store.publish(
        body: Array(#"{"data":\#(ShopPage.edge("x"))}"#.utf8),
        of: AppendEdge(lists: [Self.toys.rawValue]))
    }
    let store = tracked(try SQLiteNormalizedCache(fileURL: folder.file))
    #expect(try await list(store) == "abcdx")
    let page = FieldAddress(
      record: .queryRoot, field: #"products(after:"b",category:"toys")"#)
    #expect(store.provenance(of: page)?.operationName == Query.operationName)
  }

  // MARK: - Items with less

  /// The list selects the names of its items, and the mutation does not.
  @Test(arguments: CacheKind.allCases)
  func anItemWithLessIsLeftOutOfALaterPage(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    try await fill(store)
    let mutation = SelectedMutation<AppendIdentifier>(["lists": [Self.toys.rawValue]])
    for item in ["x", "y"] {
      try await store.publish(
        body: Array(#"{"data":{"add":{"__typename":"Product","id":"\#(item)"}}}"#.utf8),
        of: mutation)
    }
    #expect(try await list(store) == "abcd")
    try await store.publish(["Product:y": ["name": "y"]])
    #expect(try await list(store) == "abcdy")
    try await store.publish(["Product:x": ["name": "x"]])
    #expect(try await list(store) == "abcdxy")
    // An item that the server has sent is not left out.
    try await store.removeObject(for: "Product:c")
    #expect(try await list(store) == "ab")
    withExtendedLifetime(owner) {}
  }

  /// The page that the server sends afterwards has the item at the same place.
  @Test(arguments: CacheKind.allCases)
  func anItemThatTheServerHasSentSinceIsNotLeftOut(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    try await fill(store)
    try await store.publish(
      body: Array(#"{"data":{"add":{"__typename":"Product","id":"x"}}}"#.utf8),
      of: SelectedMutation<AppendIdentifier>(["lists": [Self.toys.rawValue]]))
    #expect(try await list(store) == "abcd")
    try await store.publish(body: Array(body("cdx").utf8), of: next)
    #expect(try await list(store) == "abcdx")
    try await store.removeObject(for: "Product:x")
    #expect(try await list(store) == "ab", "The list ends before the page.")
    withExtendedLifetime(owner) {}
  }

  private enum AppendIdentifier: ShopSelections {
    static let selections = Selections(
      "Mutation {add Product {__typename String! id ID!} "
        + #"@appendNode(connections: $lists edgeTypeName: "ProductEdge")}"#)
  }

  /// Fetching does not bring what is missing, as long as the layer is there.
  @Test func anOptimisticItemWithLessDoesNotFetchAgainAndAgain() async throws {
    let transport = HeldTransport()
    let client = ApolloClient(
      networkTransport: transport, store: ApolloStore(cache: InMemoryNormalizedCache()))
    try await client.store.publish(body: Array(body("ab").utf8), of: query)
    let (lists, delivered) = AsyncStream<String?>.makeStream()
    let watcher = client.watch(query: query) { result in
      delivered.yield((try? result.get())?.data?.ids.joined())
    }
    var iterator = lists.makeAsyncIterator()
    #expect(await iterator.next() == "ab")
    let mutation = SelectedMutation<AppendIdentifier>(["lists": [Self.toys.rawValue]])
    let expected = try SelectedMutation<AppendIdentifier>.Data(
      jsonBytes: Array(#"{"add":{"__typename":"Product","id":"x"}}"#.utf8))
    async let response = client.perform(mutation: mutation, optimistic: expected)
    await transport.untilSent(1)
    async let other = client.fetch(query: next, cachePolicy: .networkOnly)
    await transport.untilSent(2)
    transport.respond(to: 1, .success(body("cd")))
    _ = try await other
    #expect(transport.requestCount == 2, "The watch has sent nothing.")
    transport.respond(to: 0, .success(#"{"data":{"add":null}}"#))
    _ = try await response
    #expect(await iterator.next() == "abcd")
    watcher.cancel()
  }
}
