import ApolloAPI
import Apollo
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// Cached data counts as fresh for its maximum age.
@Suite(.timeLimit(.minutes(10)))
struct FreshnessTests {
  private let query = HeroAPI.HeroQuery()
  private let server = AgingServer()

  // MARK: - Maximum ages

  @Test(
    arguments: [
      (["Hero": .seconds(60)], 60),
      (["Query.hero": .seconds(30)], 30),
      (["Hero.name": .seconds(10), "Hero": .seconds(60)], 10),
      (["Hero": .seconds(60), "Query.hero": .unlimited], 60),  // the friends are heroes too
      (["Hero.friends": .inherited, "Query.hero": .seconds(20)], 20),
      (["Hero.friends": .seconds(5), "Query.hero": .seconds(20)], 5),
      (["Hero": .duration(.milliseconds(1500))], 1.5),
      (["Query": .seconds(7)], nil),
      (["Droid": .seconds(7), "Hero.height": .seconds(8)], nil),
    ] as [(MaxAges, Double?)])
  func theStrictestRuleOfAllFieldsCounts(_ maxAges: MaxAges, _ limit: Double?) async throws {
    let client = server.client { $0.maxAges = maxAges }
    let first = try await client.fetch(query: query)
    #expect(first.source == .server)
    #expect(!first.isStale)
    #expect(
      first.earliestExpiry == limit.map { Date(timeIntervalSince1970: 1_000_000 + $0) })
    server.advance(by: (limit ?? 1_000_000) - 0.001)
    let second = try await client.fetch(query: query)
    #expect(second.source == .cache)
    #expect(!second.containsStaleFields)
    server.advance(by: 0.002)
    #expect(try await client.fetch(query: query).source == (limit == nil ? .cache : .server))
    #expect(server.requestCount == (limit == nil ? 1 : 2))
    // The next response is as fresh as the first one was.
    #expect(try await client.fetch(query: query).source == .cache)
  }

  @Test func aSelectionWithoutFieldsIsFresh() async throws {
    let client = server.client { $0.maxAges = ["Hero": .seconds(60), "Query": .seconds(60)] }
    _ = try await client.fetch(query: query)
    server.advance(by: 61)
    let response = try await client.fetch(query: OptionalHeroQuery(withHero: false))
    #expect(response.source == .cache)
    #expect(!response.isStale)
  }

  /// The age of what the cache has of it is that of an earlier response, or is not known.
  @Test func aResponseThatCannotBeWrittenIsAsFreshAsAnyOther() async throws {
    let cache = UsersOwnCache()
    let client = server.client(cache: cache) { $0.maxAges = ["Hero": .seconds(60)] }
    for expiry in [1_000_060.0, 1_000_160] {
      cache.breakDown(reading: false, writing: true)
      let response = try await client.fetch(query: query, cachePolicy: .networkOnly)
      #expect(response.source == .server)
      #expect(!response.isStale)
      #expect(response.earliestExpiry == Date(timeIntervalSince1970: expiry))
      cache.breakDown(reading: false, writing: false)
      _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
      server.advance(by: 100)
    }
  }

  /// The field that has failed has no age, and is not waited for.
  @Test func aResponseWithAnErrorExpiresLikeAnyOther() async throws {
    server.set(friendsFail: true)
    let client = server.client { $0.maxAges = ["Hero": .seconds(60)] }
    let response = try await client.fetch(query: query)
    #expect(response.errors?.count == 1)
    #expect(!response.isStale)
    #expect(response.earliestExpiry == Date(timeIntervalSince1970: 1_000_060))
  }

  /// The age of an earlier response with the same fields says nothing about it.
  @Test func aResponseOfWhichEverythingHasFailedIsNotStale() async throws {
    let store = server.client { $0.maxAges = ["Query.hero": .seconds(60)] }.store
    let transport = ScriptedTransport { _, number in
      number == 0
        ? #"{"data":{"hero":null}}"#
        : #"{"data":{"hero":null},"errors":[{"message":"no hero","path":["hero"]}]}"#
    }
    let client = ApolloClient(networkTransport: transport, store: store)
    let first = try await client.fetch(query: query, cachePolicy: .networkOnly)
    #expect(first.earliestExpiry == Date(timeIntervalSince1970: 1_000_060))
    server.advance(by: 61)
    let second = try await client.fetch(query: query, cachePolicy: .networkOnly)
    #expect(second.errors?.count == 1)
    #expect(!second.isStale)
    #expect(second.earliestExpiry == nil)
  }

  /// Its caller gets it, and the cache has nothing of it.
  @Test func aResponseFromBeforeAClearingIsAsFreshAsAnyOther() async throws {
    let store = server.client { $0.maxAges = ["Hero": .seconds(60)] }.store
    let transport = ScriptedTransport { _, _ in
      try await store.clearCache()
      return #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"Luke","friends":[]}}}"#
    }
    let client = ApolloClient(networkTransport: transport, store: store)
    let response = try await client.fetch(query: query, cachePolicy: .networkOnly)
    #expect(response.data?.hero?.name == "Luke")
    #expect(!response.isStale)
    #expect(response.earliestExpiry == Date(timeIntervalSince1970: 1_000_060))
  }

  /// An age is that of the moment in which it is asked for, also after the clock was set back.
  @Test func aClockThatIsSetBackMakesNothingOlder() async throws {
    let client = server.client { $0.isTracked = true }
    server.advance(by: 1_000)
    _ = try await client.fetch(query: query)
    server.advance(by: -500)
    #expect(try await client.fetch(query: query).age == .zero)
    server.advance(by: 510)
    var options = RequestConfiguration()
    options.maxAge = .seconds(30)
    let response = try await client.fetch(query: query, requestConfiguration: options)
    #expect(response.source == .cache)
    #expect(response.age == .seconds(10))
    #expect(!response.isStale)
  }

  @Test func aResponseIsAsStaleAsTheCallAllows() async throws {
    server.set(headers: ["Cache-Control": "max-age=0"])
    let client = server.client { $0.isTracked = true }
    var options = RequestConfiguration()
    options.maxStale = .seconds(60)
    #expect(try await !client.fetch(query: query, requestConfiguration: options).isStale)
    #expect(try await client.fetch(query: query, cachePolicy: .networkOnly).isStale)
  }

  @Test func responsesThatAChainOfStepsWritesHaveAnAge() async throws {
    let hero = #"{"__typename":"Hero","id":"1","name":"Ben","friends":null}"#
    let server = try LoopbackServer { _, reply in
      reply.json(#"{"data":{"hero":\#(hero)}}"#, headers: [("Cache-Control", "max-age=30")])
    }
    defer { server.stop() }
    var configuration = ApolloStore.Configuration()
    configuration.freshness.isTracked = true
    configuration.freshness.now = { Date(timeIntervalSince1970: 1_000) }
    let transport = RequestChainNetworkTransport(
      client: .patient, interceptorProvider: StepProvider(adding: Step(action: .proceed), at: 0),
      endpointURL: server.url())
    let client = ApolloClient(
      networkTransport: transport, store: ApolloStore(configuration: configuration))
    let response = try await client.fetch(query: query, cachePolicy: .networkOnly)
    #expect(response.earliestExpiry == Date(timeIntervalSince1970: 1_030))
  }

  /// The rules for the fields of its elements are not those of a list, also when it is empty.
  @Test func anEmptyListIsAsOldAsItsField() async throws {
    let client = server.client { freshness in
      freshness.maxAges = [
        "Hero.friends": .seconds(60), "Query.hero": .seconds(60), "Hero.name": .seconds(10),
      ]
    }
    #expect(
      try await client.fetch(query: query).earliestExpiry
        == Date(timeIntervalSince1970: 1_000_010))
    server.set(hasFriends: false)
    server.advance(by: 10)
    _ = try await client.fetch(query: query)
    server.advance(by: 9)
    _ = try await client.perform(mutation: HeroAPI.RenameMutation(id: "0", name: "Luke"))
    server.advance(by: 9)
    #expect(try await client.fetch(query: query).source == .cache)
  }

  @Test func withoutMaximumAgesNothingIsTracked() async throws {
    let client = server.client { _ in }
    _ = try await client.fetch(query: query)
    server.advance(by: 1e9)
    let response = try await client.fetch(query: query)
    #expect(response.source == .cache)
    #expect(response.age == nil)
    #expect(response.freshness == nil)
    #expect(client.store.provenance(of: "Hero:0").isEmpty)
  }

  @Test func zeroIsAlwaysStale() async throws {
    let client = server.client { $0.maxAges = ["Hero.name": .seconds(0)] }
    for _ in 0..<3 { #expect(try await client.fetch(query: query).source == .server) }
    let known = try await client.fetch(
      query: query, cachePolicy: .cacheOnly,
      requestConfiguration: configuration { $0.ttlEnforcement = .permissive })
    #expect(known?.containsStaleFields == true)
    #expect(server.requestCount == 3)
  }

  @Test func dataOfUnknownAgeIsStaleIfItHasALimit() async throws {
    let cache = InMemoryNormalizedCache()
    let writer = server.client(cache: cache) { $0.isTracked = false }
    _ = try await writer.fetch(query: query)
    let reader = server.client(cache: cache) { $0.maxAges = ["Hero": .seconds(60)] }
    let reading = try await reader.store.load(query)
    #expect(reading.data == nil)
    #expect(reading.misses.map(\.code).allSatisfy { $0 == .expired })
    #expect(reading.misses.first?.writtenAt == nil)
    #expect(reading.misses.first?.maxAge == .seconds(60))
    let permissive = try await reader.store.load(query, ttlEnforcement: .permissive)
    #expect(permissive.freshness?.earliestExpiry == .distantPast)
    #expect(permissive.freshness?.age == nil)
  }

  // MARK: - What a call tolerates

  private func configuration(
    _ change: (inout RequestConfiguration) -> Void
  ) -> RequestConfiguration {
    var configuration = RequestConfiguration()
    change(&configuration)
    return configuration
  }

  @Test func aPermissiveCallGetsStaleData() async throws {
    let client = server.client { $0.maxAges = ["Hero": .seconds(60)] }
    _ = try await client.fetch(query: query)
    server.advance(by: 61)
    let response = try await client.fetch(
      query: query, requestConfiguration: configuration { $0.ttlEnforcement = .permissive })
    #expect(response.source == .cache)
    #expect(response.isStale && response.containsStaleFields)
    #expect(response.age == .seconds(61))
    #expect(response.earliestExpiry == Date(timeIntervalSince1970: 1_000_060))
  }

  @Test(arguments: [(60.0, 0, 0), (69, 10, 0), (70, 10, 1), (71, 10, 1)])
  func staleDataIsToleratedForAWhile(
    _ age: Double, _ maxStale: Int, _ requests: Int
  ) async throws {
    let client = server.client { $0.maxAges = ["Hero": .seconds(60)] }
    _ = try await client.fetch(query: query)
    server.advance(by: age)
    _ = try await client.fetch(
      query: query,
      requestConfiguration: configuration { $0.maxStale = .seconds(maxStale) })
    #expect(server.requestCount == 1 + (age >= 60 + Double(maxStale) ? 1 : requests))
  }

  @Test func aCallCanDemandYoungerData() async throws {
    let client = server.client { $0.isTracked = true }
    _ = try await client.fetch(query: query)
    server.advance(by: 10)
    let demanding = configuration { $0.maxAge = .seconds(10) }
    #expect(
      try await client.fetch(query: query, requestConfiguration: demanding).source == .cache)
    server.advance(by: 0.5)
    #expect(
      try await client.fetch(query: query, requestConfiguration: demanding).source == .server)
    #expect(try await client.fetch(query: query).source == .cache)
  }

  @Test(arguments: [(59, nil, false), (61, nil, true), (61, 10, false), (70, 10, true)])
  func whatIsStaleIsUpToTheCall(_ age: Double, _ maxStale: Int?, isStale: Bool) async throws {
    for isDemanding in [false, true] {
      let client = server.client {
        $0.isTracked = true
        if !isDemanding { $0.maxAges = ["Hero": .seconds(60)] }
      }
      _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
      server.advance(by: age)
      let response = try await client.fetch(
        query: query,
        requestConfiguration: configuration {
          $0.ttlEnforcement = .permissive
          if isDemanding { $0.maxAge = .seconds(60 + (maxStale ?? 0)) }
          if !isDemanding { $0.maxStale = .seconds(maxStale ?? 0) }
        })
      #expect(response.source == .cache)
      // A maximum age includes its last moment, an expiry is the first moment after it.
      #expect(response.isStale == (isDemanding && age == 70 ? false : isStale))
    }
  }

  @Test func staleDataIsAMissForTheCacheAlone() async throws {
    let client = server.client { $0.maxAges = ["Hero": .seconds(60)] }
    _ = try await client.fetch(query: query)
    server.advance(by: 61)
    #expect(try await client.fetch(query: query, cachePolicy: .cacheOnly) == nil)
    let reading = try await client.store.load(query)
    let miss = try #require(reading.misses.first)
    #expect(miss.code == .expired)
    #expect(miss.writtenAt == Date(timeIntervalSince1970: 1_000_000))
    #expect(miss.description.contains("has expired in the cache"))
  }

  // MARK: - Stale while revalidate

  private func sources(
    _ client: ApolloClient, _ change: (inout RequestConfiguration) -> Void = { _ in }
  ) async throws -> [String] {
    var sources: [String] = []
    let responses = client.fetch(
      query: query, cachePolicy: .revalidateCache, requestConfiguration: configuration(change))
    for try await response in responses {
      sources.append("\(response.source)\(response.isStale ? " (stale)" : "")")
    }
    return sources
  }

  @Test func revalidatesOnlyStaleData() async throws {
    let client = server.client { $0.maxAges = ["Hero": .seconds(60)] }
    #expect(try await sources(client) == ["server"])
    #expect(try await sources(client) == ["cache"])
    server.advance(by: 60)
    #expect(try await sources(client) { $0.maxStale = .seconds(1) } == ["cache"])
    #expect(try await sources(client) == ["cache (stale)", "server"])
    #expect(try await sources(client) == ["cache"])
    server.advance(by: 30)
    #expect(try await sources(client) { $0.maxAge = .seconds(29) } == ["cache (stale)", "server"])
    server.advance(by: 60)
    #expect(try await sources(client) { $0.ttlEnforcement = .strict } == ["server"])
    #expect(server.requestCount == 4)
  }

  // MARK: - Behaviors that interceptors choose

  private struct Choosing: GraphQLInterceptor, InterceptorProvider {
    let behavior: FetchBehavior

    func intercept<Operation: GraphQLOperation>(
      _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> {
      var request = request
      request.fetchBehavior = behavior
      return try await next.proceed(request)
    }

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { [self] }
  }

  @Test(
    arguments: [
      (.cacheAndNetwork, 0, [.cache, .server]),
      (.revalidateCache, 0, [.cache]),
      (.revalidateCache, 61, [.cache, .server]),
    ] as [(FetchBehavior, Double, [ResultSource])])
  func anInterceptorCanChooseTheCacheAndThenTheServer(
    _ behavior: FetchBehavior, _ age: Double, _ expected: [ResultSource]
  ) async throws {
    let server = AgingServer(interceptors: Choosing(behavior: behavior))
    let client = server.client { $0.maxAges = ["Hero": .seconds(60)] }
    _ = try await client.fetch(query: query)
    server.advance(by: age)
    var sources: [ResultSource] = []
    for try await response in client.fetch(query: query, fetchBehavior: .networkOnly) {
      sources.append(response.source)
    }
    #expect(sources == expected)
  }

  @Test func aCallWithOneResponseGetsStaleDataOnlyIfItIsPermissive() async throws {
    let server = AgingServer(interceptors: Choosing(behavior: .revalidateCache))
    let client = server.client { $0.maxAges = ["Hero": .seconds(60)] }
    #expect(try await client.fetch(query: query).source == .server)
    #expect(try await client.fetch(query: query).source == .cache)
    server.advance(by: 61)
    let permissive = configuration { $0.ttlEnforcement = .permissive }
    let stale = try await client.fetch(query: query, requestConfiguration: permissive)
    #expect(stale.source == .cache)
    #expect(stale.isStale)
    #expect(try await client.fetch(query: query).source == .server)
  }

  // MARK: - The server's maximum age

  @Test(
    arguments: [
      (["Cache-Control": "max-age=30"], 30),
      (["Cache-Control": "public, max-age=30", "Age": "10"], 20),
      (["Cache-Control": "max-age=30", "Age": "40"], 0),
      (["Cache-Control": "max-age=30", "Age": "10, 4"], 20),
      (["Expires": "Thu, 01 Jan 1970 00:01:40 GMT", "Date": "Thu, 01 Jan 1970 00:01:00 GMT"], 40),
      (["Expires": "0"], 0),
      (["Cache-Control": "max-age=50", "Expires": "0"], 50),
      (["Cache-Control": "max-age=\"7\""], 7),
      (["Cache-Control": "max-age=x, private"], nil),
      (["Cache-Control": "no-store"], nil),
      ([:], nil),
    ] as [([String: String], Double?)])
  func theServerLimitsTheAge(_ headers: [String: String], _ limit: Double?) async throws {
    server.set(headers: headers)
    let client = server.client { $0.isTracked = true }
    let response = try await client.fetch(query: query)
    #expect(
      response.earliestExpiry == limit.map { Date(timeIntervalSince1970: 1_000_000 + $0) })
  }

  @Test func noStoreCountsIfItIsHonored() async throws {
    server.set(headers: ["Cache-Control": "no-store"])
    let client = server.client {
      $0.isTracked = true
      $0.honorsNoStore = true
    }
    for _ in 0..<2 { #expect(try await client.fetch(query: query).source == .server) }
  }

  @Test func theStricterOfSchemaAndServerCounts() async throws {
    server.set(headers: ["Cache-Control": "max-age=30"])
    let client = server.client { $0.maxAges = ["Hero": .seconds(60), "Hero.name": .seconds(10)] }
    let response = try await client.fetch(query: query)
    #expect(response.earliestExpiry == Date(timeIntervalSince1970: 1_000_010))
  }

  // MARK: - Fields that arrive at different times

  @Test func aMutationRefreshesItsOwnFields() async throws {
    let client = server.client { $0.maxAges = ["Hero.name": .seconds(60)] }
    _ = try await client.fetch(query: query)
    server.advance(by: 50)
    _ = try await client.perform(mutation: HeroAPI.RenameMutation(id: "0", name: "Luke"))
    let provenance = client.store.provenance(of: "Hero:0")
    #expect(provenance["name"]?.operationName == "Rename")
    #expect(provenance["name"]?.date == Date(timeIntervalSince1970: 1_000_050))
    #expect(provenance["friends"]?.operationName == "Hero")
    #expect(provenance["friends"]?.date == Date(timeIntervalSince1970: 1_000_000))
    // The friend's name was written by the query.
    let reading = try await client.store.load(query, ttlEnforcement: .permissive)
    #expect(reading.freshness?.earliestExpiry == Date(timeIntervalSince1970: 1_000_060))
  }

  @Test func aChangeByTheProgramIsNewInWhatItChanges() async throws {
    let client = server.client { $0.isTracked = true }
    _ = try await client.fetch(query: query)
    server.advance(by: 50)
    try await client.store.withinReadWriteTransaction { transaction in
      try transaction.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name = "Ben" }
    }
    let provenance = client.store.provenance(of: "Hero:0")
    #expect(provenance["name"]?.date == Date(timeIntervalSince1970: 1_000_050))
    #expect(provenance["name"]?.operationName == nil)
    #expect(provenance["friends"]?.date == Date(timeIntervalSince1970: 1_000_000))
    try await client.store.removeObject(for: "Hero:0")
    #expect(client.store.provenance(of: "Hero:0").isEmpty)
    try await client.clearCache()
    #expect(client.store.provenance(of: "Hero:1").isEmpty)
  }

  @Test func equalDataIsAsNewAsItsLastResponse() async throws {
    let client = server.client { $0.maxAges = ["Hero": .seconds(60)] }
    for _ in 0..<5 {
      _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
      server.advance(by: 40)
      #expect(try await client.fetch(query: query).source == .cache)
      // Another operation writes some of the fields, so that the next response is not the same.
      _ = try await client.perform(mutation: HeroAPI.RenameMutation(id: "0", name: "Luke"))
    }
    #expect(server.requestCount == 10)
  }
}
