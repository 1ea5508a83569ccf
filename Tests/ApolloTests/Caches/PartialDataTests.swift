import Apollo
import ApolloAPI
import Foundation
import TestOperations
import Testing

/// Calls that take what the cache has of a query.
@Suite(.timeLimit(.minutes(10)))
struct PartialDataTests {
  private let query = PartialQuery()

  private static var partial: RequestConfiguration {
    var configuration = RequestConfiguration()
    configuration.returnPartialData = true
    return configuration
  }

  private static let whole = """
    {"data":{"hero":{"__typename":"Hero","id":"0","name":"R2","note":"beep",
    "best":{"__typename":"Hero","id":"1","name":"Luke","note":"farm"},
    "friends":[{"__typename":"Hero","id":"2","name":"Leia"},{"__typename":"Hero","id":"1","name":"Luke"}],
    "foes":[{"__typename":"Hero","id":"3","name":"Vader"}]}}}
    """

  private func client(
    _ cache: any NormalizedCache = InMemoryNormalizedCache(),
    _ respond: @escaping @Sendable (OperationRequest, Int) async throws -> String = { _, _ in
      Self.whole
    }
  ) -> (ApolloClient, ScriptedTransport) {
    let transport = ScriptedTransport(respond)
    return (
      ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache)), transport
    )
  }

  /// Returns what the cache has of the query.
  private func cached(_ client: ApolloClient) async throws -> GraphQLResponse<PartialQuery>? {
    try await client.fetch(
      query: query, cachePolicy: .cacheOnly, requestConfiguration: Self.partial)
  }

  /// Records of which several are missing: `Hero:1` and `Hero:3` as a whole, and the note of
  /// `Hero:0`.
  private static let records: RecordSet = [
    .queryRoot: ["hero": .reference("Hero:0")],
    "Hero:0": [
      "__typename": "Hero", "id": "0", "name": "R2", "best": .reference("Hero:1"),
      "friends": [.reference("Hero:2"), .reference("Hero:1")], "foes": [.reference("Hero:3")],
    ],
    "Hero:2": ["__typename": "Hero", "id": "2", "name": "Leia"],
  ]

  @Test(arguments: CacheKind.allCases)
  func missesWhereNilIsPossibleAreNilAndListed(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let (client, transport) = client(cache)
    try await client.store.publish(Self.records)
    let response = try await cached(client)
    let hero = try #require(response?.data?.hero)
    #expect(hero.name == "R2")
    #expect(hero.note == nil && hero.best == nil)
    #expect(hero.friends?.map { $0?.name } == ["Leia", nil])
    #expect(hero.foes == nil, "An element that must not be null is missing.")
    #expect(response?.isComplete == false)
    #expect(
      Set(response?.missing ?? []) == [
        ["hero", "note"], ["hero", "best"], ["hero", "friends", 1], ["hero", "foes", 0],
      ])
    #expect(transport.requestCount == 0)
    withExtendedLifetime(owner) {}
  }

  /// The objects in memory are kept as they were decoded, also by another selection.
  @Test(arguments: CacheKind.allCases)
  func whatWasDecodedCanLackARecordLater(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let (client, _) = client(cache)
    let fetched = try await client.fetch(query: query, cachePolicy: .networkOnly)
    #expect(fetched.isComplete && fetched.missing.isEmpty)
    try await client.store.removeObject(for: "Hero:1")
    let response = try await cached(client)
    let hero = try #require(response?.data?.hero)
    #expect(hero.note == "beep" && hero.best == nil)
    #expect(hero.friends?.map { $0?.name } == ["Leia", nil])
    #expect(hero.foes?.map(\.name) == ["Vader"])
    #expect(Set(response?.missing ?? []) == [["hero", "best"], ["hero", "friends", 1]])
    withExtendedLifetime(owner) {}
  }

  @Test func anotherQuerysDataIsAPart() async throws {
    let (client, _) = client { request, _ in
      type(of: request.operation) == HeroAPI.HeroQuery.self
        ? #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"R2","friends":[]}}}"# : Self.whole
    }
    _ = try await client.fetch(query: HeroAPI.HeroQuery(name: nil))
    let response = try await cached(client)
    #expect(response?.data?.hero?.name == "R2")
    #expect(response?.data?.hero?.friends?.isEmpty == true)
    #expect(
      Set(response?.missing ?? []) == [["hero", "note"], ["hero", "best"], ["hero", "foes"]])
  }

  @Test func nothingIsNotPartial() async throws {
    let (client, transport) = client()
    #expect(try await cached(client) == nil)
    try await client.store.publish([.queryRoot: ["other": 1]])
    #expect(try await cached(client) == nil)
    // A field that is never null is missing, so the object is, and so is everything.
    try await client.store.publish([
      .queryRoot: ["hero": .reference("Hero:0")], "Hero:0": ["__typename": "Hero", "id": "0"],
    ])
    #expect(try await cached(client) == nil)
    #expect(transport.requestCount == 0)
  }

  @Test func aCallWithoutTheOptionMisses() async throws {
    let (client, _) = client()
    try await client.store.publish(Self.records)
    #expect(try await client.fetch(query: query, cachePolicy: .cacheOnly) == nil)
  }

  /// Misses are at most 64, but the data is read to its end.
  @Test func manyMissesDoNotEndTheReading() async throws {
    let (client, _) = client()
    let friends = (0..<500).map { CacheValue.reference(RecordKey("Hero:missing\($0)")) }
    try await client.store.publish([
      .queryRoot: ["hero": .reference("Hero:0")],
      "Hero:0": [
        "__typename": "Hero", "id": "0", "name": "R2", "note": "beep", "best": .null,
        "friends": .list(friends + [.reference("Hero:2")]), "foes": .null,
      ],
      "Hero:2": ["__typename": "Hero", "id": "2", "name": "Leia"],
    ])
    let response = try await cached(client)
    #expect(response?.missing.count == 64)
    #expect(response?.data?.hero?.friends?.count == 501)
    #expect(response?.data?.hero?.friends?.last??.name == "Leia")
  }

  // MARK: - The rest from the server

  @Test func aCallWithOneResponseWaitsForTheServer() async throws {
    let (client, transport) = client()
    try await client.store.publish(Self.records)
    let response = try await client.fetch(query: query, requestConfiguration: Self.partial)
    #expect(response.source == .server && response.isComplete)
    #expect(transport.requestCount == 1)
    let cached = try await client.fetch(query: query, requestConfiguration: Self.partial)
    #expect(cached.source == .cache && cached.isComplete)
  }

  @Test(arguments: [CachePolicy.Query.CacheAndNetwork.cacheAndNetwork, .revalidateCache])
  func aCallWithSeveralResponsesDeliversPartialDataFirst(
    policy: CachePolicy.Query.CacheAndNetwork
  ) async throws {
    let (client, transport) = client()
    try await client.store.publish(Self.records)
    let responses = client.fetch(
      query: query, cachePolicy: policy, requestConfiguration: Self.partial)
    var received: [String] = []
    for try await response in responses {
      received.append(
        "\(response.source) \(response.isComplete) \(response.data?.hero?.note ?? "-")")
    }
    #expect(received == ["cache false -", "server true beep"])
    #expect(transport.requestCount == 1)
  }

  @Test(arguments: CacheKind.allCases)
  func aWatchDeliversPartialDataFirstAndTheRestLater(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let (gate, open) = AsyncStream<Void>.makeStream()
    let (client, transport) = client(cache) { _, _ in
      for await _ in gate { break }
      return Self.whole
    }
    try await client.store.publish(Self.records)
    var updates = client.watch(query: query, requestConfiguration: Self.partial)
      .makeAsyncIterator()
    let first = try await updates.next()?.get()
    #expect(first?.isComplete == false)
    #expect(first?.data?.hero?.name == "R2" && first?.data?.hero?.note == nil)
    open.yield()  // a slow reader would get the newest result only
    let second = try await updates.next()?.get()
    #expect(second?.isComplete == true)
    #expect(second?.data?.hero?.note == "beep")
    try await client.store.publish(["Hero:1": ["name": "Master Luke"]])
    let third = try await updates.next()?.get()
    #expect(third?.data?.hero?.best?.name == "Master Luke" && third?.isComplete == true)
    #expect(transport.requestCount == 1)
    withExtendedLifetime(owner) {}
  }

  /// A write that arrives while the request is under way is newer than the partial data.
  @Test func aWatchNeverGoesBackToPartialData() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let (client, _) = client { _, _ in
      for await _ in gate { break }
      return Self.whole.replacing("R2", with: "of the server")
    }
    try await client.store.publish(Self.records)
    var updates = client.watch(query: query, requestConfiguration: Self.partial)
      .makeAsyncIterator()
    #expect(try await updates.next()?.get().data?.hero?.name == "R2")
    open.yield()
    let whole = try await updates.next()?.get()
    #expect(whole?.isComplete == true && whole?.data?.hero?.name == "of the server")
    try await client.store.publish(["Hero:0": ["name": "newest"]])
    let newest = try await updates.next()?.get()
    #expect(newest?.isComplete == true && newest?.data?.hero?.name == "newest")
  }

  /// The data is equal, and yet the one result is waiting for what the other one has.
  @Test func aCompleteResponseFollowsAnEqualPartialOne() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let (client, _) = client { _, _ in
      for await _ in gate { break }
      return
        #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"R2","note":null,"best":null,"friends":[],"foes":[]}}}"#
    }
    try await client.store.publish([
      .queryRoot: ["hero": .reference("Hero:0")],
      "Hero:0": [
        "__typename": "Hero", "id": "0", "name": "R2", "best": .null, "friends": [], "foes": [],
      ],
    ])
    var updates = client.watch(query: query, requestConfiguration: Self.partial)
      .makeAsyncIterator()
    let first = try await updates.next()?.get()
    #expect(first?.isComplete == false && first?.data?.hero?.note == nil)
    open.yield()
    let second = try await updates.next()?.get()
    #expect(second?.isComplete == true && second?.data?.hero?.note == nil)
  }

  /// A watch that may not fetch shows what others bring, until its data is whole.
  @Test(arguments: CacheKind.allCases)
  func aWatchWithoutTheServerDeliversNewerParts(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let (client, transport) = client(cache)
    try await client.store.publish(Self.records)
    var updates = client.watch(
      query: query, cachePolicy: .returnCacheDataDontFetch, requestConfiguration: Self.partial
    ).makeAsyncIterator()
    #expect(try await updates.next()?.get().data?.hero?.name == "R2")
    try await client.store.publish(["Hero:0": ["name": "newer"]])
    let newer = try await updates.next()?.get()
    #expect(newer?.data?.hero?.name == "newer" && newer?.isComplete == false)
    try await client.store.publish([
      "Hero:0": ["note": "beep"],
      "Hero:1": ["__typename": "Hero", "id": "1", "name": "Luke", "note": .null],
      "Hero:3": ["__typename": "Hero", "id": "3", "name": "Vader"],
    ])
    let whole = try await updates.next()?.get()
    #expect(whole?.isComplete == true && whole?.data?.hero?.foes?.map(\.name) == ["Vader"])
    // From now on, parts are not shown.
    try await client.store.removeObject(for: "Hero:3")
    let failure = await updates.next()
    #expect(throws: CacheMissError.self) { try failure?.get() }
    #expect(transport.requestCount == 0)
    withExtendedLifetime(owner) {}
  }

  /// A fetch that has failed leaves the watch with its part. A change of that shows, and the rest
  /// is fetched again.
  @Test func aWatchDeliversNewerPartsWhileTheServerIsOut() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let isOut = Lock(true)
    let (client, transport) = client { _, _ in
      for await _ in gate { break }
      if isOut.exchange(false) { throw Unreachable() }
      return Self.whole
    }
    try await client.store.publish(Self.records)
    var updates = client.watch(query: query, requestConfiguration: Self.partial)
      .makeAsyncIterator()
    #expect(try await updates.next()?.get().isComplete == false)
    open.yield()
    let failure = await updates.next()
    #expect(throws: Unreachable.self) { try failure?.get() }
    try await client.store.publish(["Hero:0": ["name": "newer"]])
    let newer = try await updates.next()?.get()
    #expect(newer?.data?.hero?.name == "newer" && newer?.isComplete == false)
    open.yield()
    let whole = try await updates.next()?.get()
    #expect(whole?.isComplete == true && whole?.data?.hero?.note == "beep")
    #expect(transport.requestCount == 2)
  }

  /// A response with errors alone brings nothing of the rest, as a failure does not.
  @Test func aWatchDeliversNewerPartsAfterErrorsWithoutData() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let (client, transport) = client { _, _ in
      for await _ in gate { break }
      return #"{"errors":[{"message":"no heroes today"}]}"#
    }
    try await client.store.publish(Self.records)
    var updates = client.watch(
      query: query, requestConfiguration: Self.partial, refetchOnFailedUpdates: false
    ).makeAsyncIterator()
    #expect(try await updates.next()?.get().isComplete == false)
    open.yield()
    let failed = try await updates.next()?.get()
    #expect(failed?.data == nil && failed?.errors?.map(\.message) == ["no heroes today"])
    try await client.store.publish(["Hero:0": ["name": "newer"]])
    let newer = try await updates.next()?.get()
    #expect(newer?.data?.hero?.name == "newer" && newer?.isComplete == false)
    #expect(transport.requestCount == 1)
  }

  private struct Unreachable: Error {}

  // MARK: - Steps of 1.x

  /// A client whose calls pass through a chain of steps. They send through the scripted transport.
  private func chainClient(
    _ respond: @escaping @Sendable (OperationRequest, Int) async throws -> String
  ) -> (ApolloClient, ScriptedTransport) {
    let scripted = ScriptedTransport(respond)
    return (ApolloClient(networkTransport: SteppedTransport(scripted)), scripted)
  }

  @Test func partialDataStaysPartialInAChainOfSteps() async throws {
    let (client, transport) = chainClient { _, _ in Self.whole }
    try await client.store.publish(Self.records)
    let response = try await cached(client)
    #expect(response?.data?.hero?.name == "R2" && response?.isComplete == false)
    #expect(
      Set(response?.missing ?? []) == [
        ["hero", "note"], ["hero", "best"], ["hero", "friends", 1], ["hero", "foes", 0],
      ])
    #expect(transport.requestCount == 0)
    var received: [String] = []
    for try await response in client.fetch(
      query: query, cachePolicy: .cacheAndNetwork, requestConfiguration: Self.partial)
    {
      received.append("\(response.source) \(response.isComplete)")
    }
    #expect(received == ["cache false", "server true"])
    #expect(transport.requestCount == 1)
  }

  /// The watch knows that it shows a part: the next one is no miss for it.
  @Test func aWatchWithStepsDeliversNewerParts() async throws {
    let (client, transport) = chainClient { _, _ in Self.whole }
    try await client.store.publish(Self.records)
    var updates = client.watch(
      query: query, cachePolicy: .returnCacheDataDontFetch, requestConfiguration: Self.partial
    ).makeAsyncIterator()
    let first = try await updates.next()?.get()
    #expect(first?.data?.hero?.name == "R2" && first?.isComplete == false)
    try await client.store.publish(["Hero:0": ["name": "newer"]])
    let newer = try await updates.next()?.get()
    #expect(newer?.data?.hero?.name == "newer" && newer?.isComplete == false)
    #expect(transport.requestCount == 0)
  }

  // MARK: - Ages

  /// Missing values have no age, however old or new the rest is.
  @Test(arguments: CacheKind.allCases, [TTLEnforcement.strict, .permissive])
  func whatIsMissingHasNotExpired(kind: CacheKind, enforcement: TTLEnforcement) async throws {
    let (cache, owner) = try kind.make()
    let time = Lock(1_000.0)
    var configuration = ApolloStore.Configuration()
    configuration.freshness.defaultMaxAge = .seconds(60)
    configuration.freshness.now = { Date(timeIntervalSince1970: time.get()) }
    let store = ApolloStore(cache: cache, configuration: configuration)
    let transport = ScriptedTransport { _, _ in Self.whole }
    let client = ApolloClient(networkTransport: transport, store: store)
    var demand = Self.partial
    demand.ttlEnforcement = enforcement
    func cached() async throws -> GraphQLResponse<PartialQuery>? {
      try await client.fetch(query: query, cachePolicy: .cacheOnly, requestConfiguration: demand)
    }
    _ = try await client.fetch(
      query: HeroAPI.HeroQuery(name: nil), cachePolicy: .networkOnly)
    try await store.publish([
      "Hero:0": ["friends": .list((0..<100).map { .reference(RecordKey("Hero:missing\($0)")) })]
    ])
    let fresh = try await cached()
    #expect(fresh?.data?.hero?.name == "R2" && fresh?.isComplete == false)
    #expect(fresh?.data?.hero?.friends?.count == 100)
    #expect(fresh?.freshness?.containsStaleFields == false)
    #expect(fresh?.freshness?.writtenAt == Date(timeIntervalSince1970: 1_000))
    _ = time.exchange(2_000)
    let stale = try await cached()
    #expect((stale?.data == nil) == (enforcement == .strict))
    #expect((stale?.freshness?.containsStaleFields ?? true) == true)
    withExtendedLifetime(owner) {}
  }

  // MARK: - Writing it back

  /// The nulls in a list are no nulls of the server.
  @Test(arguments: CacheKind.allCases)
  func aListWithGapsDoesNotReplaceTheListInTheCache(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let (client, _) = client(cache)
    try await client.store.publish(Self.records)
    let partial = try await cached(client)
    let data = try #require(partial?.data)
    #expect(data.hero?.errors(forKey: "note").count == 1, "The property says why it is nil.")
    #expect(data.hero?.errors(forKey: "friends").map(\.path) == [["hero", "friends", 1]])
    try await client.store.withinReadWriteTransaction { [query] in
      try $0.write(data: data, for: query)
      let hero = try #require(data.hero)
      try $0.write(
        selectionSet: PartialQuery.Data.Hero(converting: hero), withKey: "Hero:0")
    }
    let again = try await cached(client)
    #expect(Set(again?.missing ?? []) == Set(partial?.missing ?? []))
    #expect(try await client.fetch(query: query, cachePolicy: .cacheOnly) == nil)
    withExtendedLifetime(owner) {}
  }

  /// A missing element of lists of lists is null where the type allows it.
  @Test(arguments: CacheKind.allCases)
  func listsOfListsHaveGaps(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let (client, _) = client(cache)
    try await client.store.publish([
      .queryRoot: [
        "grid": .list([
          .list([.reference("Hero:1"), .reference("Hero:2")]), .list([.reference("Hero:2")]),
        ])
      ],
      "Hero:2": ["__typename": "Hero", "id": "2"],
    ])
    let response = try await client.fetch(
      query: GridQuery(), cachePolicy: .cacheOnly, requestConfiguration: Self.partial)
    #expect(response?.data?.ids == [[nil, "2"], ["2"]])
    #expect(response?.missing == [["grid", 0, 0]])
    withExtendedLifetime(owner) {}
  }

  // MARK: - Errors of fields

  /// `@required(action: LOG)` reports nulls of the server, and a missing value is none. The object
  /// around it is required, too.
  @Test(arguments: CacheKind.allCases)
  func aRequiredValueThatIsMissingIsNoErrorOfTheResponse(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let (client, _) = client(cache)
    try await client.store.publish(Self.records)
    try await client.store.publish([
      "Hero:1": ["__typename": "Hero", "id": "1", "name": "Luke"]
    ])
    let response = try await client.fetch(
      query: LoggedQuery(), cachePolicy: .cacheOnly, requestConfiguration: Self.partial)
    #expect(response?.missing == [["hero", "best", "note"]])
    #expect(response?.errors == nil)
    let data = try #require(response?.data)
    #expect(data.hero == nil)
    let reasons = data.errors(forKey: "hero")
    #expect(reasons.map(\.path) == [["hero", "best", "note"]])
    #expect(reasons.first?.message.contains("is not in the cache") == true, "\(reasons)")
    withExtendedLifetime(owner) {}
  }

  @Test func errorsOfFieldsComeWithPartialData() async throws {
    let (client, _) = client { _, _ in
      Self.whole.replacing(#""note":"beep""#, with: #""note":null"#).dropLast()
        + #","errors":[{"message":"no note","path":["hero","note"]}]}"#
    }
    _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
    try await client.store.removeObject(for: "Hero:1")
    var configuration = Self.partial
    configuration.servesCachedErrors = true
    let response = try await client.fetch(
      query: query, cachePolicy: .cacheOnly, requestConfiguration: configuration)
    let hero = try #require(response?.data?.hero)
    #expect(response?.errors?.map(\.message) == ["no note"])
    #expect(hero.errors(forKey: "note").map(\.message) == ["no note"])
    #expect(Set(response?.missing ?? []) == [["hero", "best"], ["hero", "friends", 1]])
    // Without errors of the cache, what failed is missing.
    let other = try await client.fetch(
      query: query, cachePolicy: .cacheOnly, requestConfiguration: Self.partial)
    #expect(other?.errors == nil)
    #expect(other?.missing.contains(["hero", "note"]) == true)
  }
}

/// A transport whose calls pass through the built-in steps, and one that does nothing: a provider
/// with the built-in ones alone has no chain.
private final class SteppedTransport: InterceptingNetworkTransport {
  private let base: ScriptedTransport

  init(_ base: ScriptedTransport) { self.base = base }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    try await base.send(request)
  }

  func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
    StepProvider(adding: Step(action: .proceed), at: 0)
  }
}

/// `query Partial { hero { __typename id name note best { … } friends { … } foes { … } } }`
private struct GridQuery: GraphQLQuery {
  static let operationName: String = "Grid"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init("query Grid { grid { __typename id } }"))

  static let __selections = Selections(
    "Query {grid [[Hero {__typename String! id ID!}]]}")

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = GridQuery.__selections[0]

    var grid: [[Hero?]?]? { __object[0, Self.__layout] }
    var ids: [[String?]?]? { grid?.map { $0?.map { $0?.id } } }

    struct Hero: HeroAPI.SelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = GridQuery.__selections[1]
      var id: String { __object[1, Self.__layout] }
    }
  }
}

/// `query Logged { hero { __typename id best @required(action: LOG) { __typename id
/// note @required(action: LOG) } } }`
private struct LoggedQuery: GraphQLQuery {
  static let operationName: String = "Logged"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init("query Logged { hero { __typename id best { __typename id note } } }"))
  static let __selections = Selections(
    "Query {hero Hero {__typename String! id ID! best Hero {__typename String! id ID! "
      + #"note String @required(action: "LOG")} @required(action: "LOG")}}"#)

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = LoggedQuery.__selections[0]

    var hero: Hero? { __object[0, Self.__layout] }

    struct Hero: HeroAPI.SelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = LoggedQuery.__selections[1]
    }
  }
}

private struct PartialQuery: GraphQLQuery {
  static let operationName: String = "Partial"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init(
      "query Partial { hero { __typename id name note best { __typename id name note } "
        + "friends { __typename id name } foes { __typename id name } } }"))

  static let __selections = Selections(
    "Query {hero Hero {__typename String! id ID! name String! note String "
      + "best Hero {__typename String! id ID! name String! note String} "
      + "friends [Hero {__typename String! id ID! name String!}] "
      + "foes [Hero {__typename String! id ID! name String!}!]}}")

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = PartialQuery.__selections[0]

    var hero: Hero? { __object[0, Self.__layout] }

    struct Hero: HeroAPI.SelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = PartialQuery.__selections[1]

      var name: String { __object[2, Self.__layout] }
      var note: String? { __object[3, Self.__layout] }
      var best: Best? { __object[4, Self.__layout] }
      var friends: [Friend?]? { __object[5, Self.__layout] }
      var foes: [Foe]? { __object[6, Self.__layout] }

      struct Best: HeroAPI.SelectionSet {
        typealias Schema = HeroAPI.SchemaMetadata
        private let __storage: ResponseObject
        static let __layout = PartialQuery.__selections[2]
        var name: String { __object[2, Self.__layout] }
        var note: String? { __object[3, Self.__layout] }
      }

      struct Friend: HeroAPI.SelectionSet {
        typealias Schema = HeroAPI.SchemaMetadata
        private let __storage: ResponseObject
        static let __layout = PartialQuery.__selections[3]
        var name: String { __object[2, Self.__layout] }
      }

      struct Foe: HeroAPI.SelectionSet {
        typealias Schema = HeroAPI.SchemaMetadata
        private let __storage: ResponseObject
        static let __layout = PartialQuery.__selections[4]
        var name: String { __object[2, Self.__layout] }
      }
    }
  }
}
