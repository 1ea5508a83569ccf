import Apollo
import ApolloAPI
import ApolloCache
import Foundation
import SimulatedRequests
import TestOperations
import Testing

/// Watches never go back, and are never silent for good, whatever becomes of a response.
@Suite(.timeLimit(.minutes(10)))
struct WatchOrderTests {
  /// A watch, the results that it has delivered, and the end of its fetches.
  private final class Watch<Query: GraphQLQuery>: Sendable {
    private struct State {
      var results: [String] = []
      var isFetching = false
    }
    private let state: Lock<State>
    let watcher: GraphQLQueryWatcher<Query>

    init(
      _ client: ApolloClient, _ query: Query, refetches: Bool = true,
      _ text: @escaping @Sendable (Query.Data) -> String
    ) {
      let state = Lock(State())
      self.state = state
      watcher = GraphQLQueryWatcher(
        watching: client, query: query, configuration: nil, refetchOnFailedUpdates: refetches,
        deliver: { _, news in
          state.withLock { state in
            state.isFetching = news.isFetching
            switch news.result {
            case .success(let response)?: state.results.append(response.data.map(text) ?? "errors")
            case .failure(let error)?:
              state.results.append(error is CacheMissError ? "miss" : "error")
            case nil: break
            }
          }
        })
    }

    var results: [String] { state.withLock { $0.results } }

    func hasDelivered(_ result: String) async { await until { results.last == result } }
    func hasFetched() async { await until { state.withLock { !$0.isFetching } } }
  }

  private let server = OrderServer()
  private let client: ApolloClient
  private let cache = UsersOwnCache()

  init() { client = ApolloClient(networkTransport: server, store: ApolloStore()) }

  private func watch(
    of client: ApolloClient? = nil, refetches: Bool = true
  ) -> Watch<HeroAPI.HeroQuery> {
    Watch(client ?? self.client, HeroAPI.HeroQuery(), refetches: refetches) {
      $0.hero?.name ?? "nobody"
    }
  }

  private func seed(
    _ name: String, friends: String = "null", in client: ApolloClient? = nil
  ) async throws {
    try await (client ?? self.client).store.publish(
      body: Data(HeroBody.hero(name, friends: friends).utf8), of: HeroAPI.HeroQuery())
  }

  private func rename(_ name: String, in client: ApolloClient? = nil) async throws {
    try await (client ?? self.client).store.publish(["Hero:1": ["name": .string(name)]])
  }

  private static let leia = "[\(HeroBody.object("2", "Leia"))]"

  // MARK: Responses that the cache does not keep

  @Test func aResponseFromBeforeAClearingDoesNotFollowNewerData() async throws {
    try await seed("a")
    let watch = watch(refetches: false)
    watch.watcher.fetch()
    await watch.hasDelivered("a")
    watch.watcher.refetch()
    let call = await server.call(0)
    try await client.clearCache()
    try await seed("b")
    await watch.hasDelivered("b")
    call.end(HeroBody.hero("a"))
    await watch.hasFetched()
    try await rename("c")
    await watch.hasDelivered("c")
    #expect(watch.results == ["a", "b", "c"])
    #expect(server.calls.count == 1)
  }

  @Test func anOvertakenResponseOfWhichTheRestIsMissingDoesNotFollowNewerData() async throws {
    try await seed("a", friends: Self.leia)
    let watch = watch(refetches: false)
    watch.watcher.fetch()
    await watch.hasDelivered("a")
    watch.watcher.refetch()
    let call = await server.call(0)
    try await rename("b")
    await watch.hasDelivered("b")
    try await client.store.removeObject(for: "Hero:2")
    call.end(HeroBody.hero("a", friends: Self.leia))
    await watch.hasFetched()
    #expect(watch.results == ["a", "b", "miss"])
    try await seed("c", friends: Self.leia)
    await watch.hasDelivered("c")
    #expect(watch.results == ["a", "b", "miss", "c"])
  }

  @Test func aWatchFollowsTheCacheAfterAResponseThatTheCacheDoesNotKeep() async throws {
    let watch = watch(refetches: false)
    watch.watcher.fetch(cachePolicy: .fetchIgnoringCacheData)
    let call = await server.call(0)
    try await client.clearCache()
    call.end(HeroBody.hero("a"))
    await watch.hasDelivered("a")
    try await seed("b")
    await watch.hasDelivered("b")
    try await rename("c")
    await watch.hasDelivered("c")
    #expect(watch.results == ["a", "b", "c"])
  }

  // MARK: Fetches that do not write

  enum Overtaking: CaseIterable { case program, optimistic }

  @Test(arguments: Overtaking.allCases)
  func theResponseOfAFetchThatDoesNotWriteDoesNotReplaceNewerData(
    overtaking: Overtaking
  ) async throws {
    try await seed("a")
    let watch = watch()
    watch.watcher.fetch()
    await watch.hasDelivered("a")
    watch.watcher.refetch(cachePolicy: .fetchIgnoringCacheCompletely)
    let call = await server.call(0)
    var mutation: Task<Void, any Error>?
    switch overtaking {
    case .program: try await rename("b")
    case .optimistic:
      mutation = Task { [client] in
        _ = try await client.perform(
          mutation: HeroAPI.RenameMutation(id: "1", name: ""),
          optimistic: { try $0.merge(["Hero:1": ["name": "b"]]) })
      }
      _ = await server.call(1)
    }
    await watch.hasDelivered("b")
    call.end(HeroBody.hero("a"))
    await watch.hasFetched()
    #expect(watch.results == ["a", "b"])
    if let mutation {
      await server.call(1).end(HeroBody.rename("c"))
      try await mutation.value
    } else {
      try await rename("c")
    }
    await watch.hasDelivered("c")
    #expect(watch.results == ["a", "b", "c"])
    #expect(server.calls.count == (overtaking == .optimistic ? 2 : 1))
  }

  @Test func theResponseOfAFetchThatDoesNotWriteIsNotReplacedByOlderData() async throws {
    try await seed("b")
    let watch = watch()
    watch.watcher.fetch()
    await watch.hasDelivered("b")
    watch.watcher.refetch(cachePolicy: .fetchIgnoringCacheCompletely)
    await server.call(0).end(HeroBody.hero("c"))
    await watch.hasFetched()
    try await client.store.publish(["Hero:1": ["friends": .list([])]])
    await server.call(1).end(HeroBody.hero("d", friends: "[]"))
    await watch.hasDelivered("d")
    try await rename("e")
    await watch.hasDelivered("e")
    #expect(watch.results == ["b", "c", "d", "e"])
    #expect(server.calls.count == 2, "The second response was written.")
  }

  /// The second response is in the cache, so the watch is no longer ahead of it.
  @Test(arguments: [true, false])
  func aWatchFollowsTheCacheAfterAWrittenResponseThatOptimisticDataHides(
    refetches: Bool
  ) async throws {
    try await seed("a")
    let watch = watch(refetches: refetches)
    watch.watcher.fetch()
    await watch.hasDelivered("a")
    watch.watcher.refetch(cachePolicy: .fetchIgnoringCacheCompletely)
    await server.call(0).end(HeroBody.hero("b"))
    await watch.hasDelivered("b")
    await watch.hasFetched()
    let mutation = Task { [client] in
      try await client.perform(
        mutation: HeroAPI.RenameMutation(id: "1", name: ""),
        optimistic: { try $0.removeObject(for: "Hero:1") })
    }
    let rename = await server.call(1)
    watch.watcher.refetch()
    await server.call(2).end(HeroBody.hero("c"))
    await watch.hasFetched()
    rename.fail(URLError(.timedOut))
    await #expect(throws: (any Error).self) { try await mutation.value }
    await watch.hasDelivered("c")
    #expect(watch.results == ["a", "b", "c"])
    #expect(server.calls.count == 3)
  }

  // MARK: Responses that cannot be written

  @Test func anOvertakenResponseThatCannotBeWrittenIsFetchedAgain() async throws {
    let client = ApolloClient(networkTransport: server, store: ApolloStore(cache: cache))
    try await seed("a", in: client)
    let watch = watch(of: client)
    watch.watcher.fetch()
    await watch.hasDelivered("a")
    watch.watcher.refetch()
    let call = await server.call(0)
    try await rename("b", in: client)
    await watch.hasDelivered("b")
    cache.breakDown(reading: false, writing: true)
    call.end(HeroBody.hero("a"))
    let second = await server.call(1)
    cache.breakDown(reading: false, writing: false)
    second.end(HeroBody.hero("c"))
    await watch.hasDelivered("c")
    await watch.hasFetched()
    #expect(watch.results == ["a", "b", "c"])
  }

  @Test func aResponseThatCannotBeWrittenDoesNotReplaceOptimisticData() async throws {
    let client = ApolloClient(networkTransport: server, store: ApolloStore(cache: cache))
    try await seed("a", in: client)
    let watch = watch(of: client)
    watch.watcher.fetch()
    await watch.hasDelivered("a")
    let mutation = Task { [client] in
      try await client.perform(
        mutation: HeroAPI.RenameMutation(id: "1", name: ""),
        optimistic: { try $0.merge(["Hero:1": ["name": "b"]]) })
    }
    let rename = await server.call(0)
    await watch.hasDelivered("b")
    watch.watcher.refetch()
    let refetch = await server.call(1)
    cache.breakDown(reading: false, writing: true)
    refetch.end(HeroBody.hero("a"))
    await watch.hasFetched()
    cache.breakDown(reading: false, writing: false)
    rename.end(HeroBody.rename("c"))
    _ = try await mutation.value
    await watch.hasDelivered("c")
    #expect(watch.results == ["a", "b", "c"])
    #expect(server.calls.count == 2)
  }

  // MARK: Lists in parts

  private func streamWatch() -> Watch<StreamHeroQuery> {
    Watch(client, StreamHeroQuery()) { data in
      ([data.hero?.name ?? "nobody"] + (data.hero?.friends ?? []).map(\.name))
        .joined(separator: " ")
    }
  }

  private static func part(_ name: String, _ friends: String...) -> String {
    let objects = friends.enumerated().map { HeroBody.object("\($0.offset + 2)", $0.element) }
    return HeroBody.hero(name, friends: "[\(objects.joined(separator: ","))]")
  }

  /// The last part only says that it is the last one.
  @Test func aStreamedListIsRequestedOnceAndFollowsTheCacheAfterwards() async throws {
    let watch = streamWatch()
    watch.watcher.fetch(cachePolicy: .fetchIgnoringCacheData)
    let call = await server.call(0)
    call.sendPart(Self.part("Luke", "Han"))
    await watch.hasDelivered("Luke Han")
    call.sendPart(Self.part("Luke", "Han", "Leia"))
    await watch.hasDelivered("Luke Han Leia")
    call.end()
    await watch.hasFetched()
    let mutation = Task { [client] in
      try await client.perform(
        mutation: HeroAPI.RenameMutation(id: "3", name: ""),
        optimistic: { try $0.merge(["Hero:3": ["name": "Leia Organa"]]) })
    }
    await watch.hasDelivered("Luke Han Leia Organa")
    await server.call(1).end(HeroBody.rename("General Organa", id: "3"))
    _ = try await mutation.value
    await watch.hasDelivered("Luke Han General Organa")
    #expect(
      watch.results == [
        "Luke Han", "Luke Han Leia", "Luke Han Leia Organa", "Luke Han General Organa",
      ])
    #expect(server.calls.map { $0.operation is StreamHeroQuery } == [true, false])
  }

  @Test(arguments: Overtaking.allCases)
  func aPartOfAListDoesNotReplaceNewerData(overtaking: Overtaking) async throws {
    try await client.store.publish(
      body: Data(Self.part("a", "Han").utf8), of: StreamHeroQuery())
    let watch = streamWatch()
    watch.watcher.fetch()
    await watch.hasDelivered("a Han")
    watch.watcher.refetch()
    let call = await server.call(0)
    var mutation: Task<Void, any Error>?
    switch overtaking {
    case .program: try await rename("b")
    case .optimistic:
      mutation = Task { [client] in
        _ = try await client.perform(
          mutation: HeroAPI.RenameMutation(id: "1", name: ""),
          optimistic: { try $0.merge(["Hero:1": ["name": "b"]]) })
      }
      _ = await server.call(1)
    }
    await watch.hasDelivered("b Han")
    call.sendPart(Self.part("a", "Han"))
    call.sendPart(Self.part("a", "Han", "Leia"))
    call.end()
    await watch.hasDelivered("b Han Leia")
    await watch.hasFetched()
    #expect(watch.results == ["a Han", "b Han", "b Han Leia"])
    if let mutation {
      await server.call(1).end(HeroBody.rename("b"))
      try await mutation.value
    }
    #expect(server.calls.count == (overtaking == .optimistic ? 2 : 1))
  }

  /// A loop over the responses has the whole list already.
  @Test(arguments: [false, true])
  func aSequenceHasAnotherResponseOnlyIfTheCacheHasNewerData(isOvertaken: Bool) async throws {
    let (client, server) = (client, server)
    let names = Lock<[String?]>([])
    let task = Task {
      for try await response in client.fetch(query: StreamHeroQuery(), fetchBehavior: .networkOnly)
      {
        names.withLock { $0.append(response.data?.hero?.name) }
      }
    }
    let call = await server.call(0)
    call.sendPart(Self.part("a", "Han"))
    await until { names.get() == ["a"] }
    if isOvertaken { try await rename("b") }
    call.end()
    try await task.value
    #expect(names.get() == (isOvertaken ? ["a", "b"] : ["a"]))
    #expect(server.calls.count == 1)
  }

  // MARK: Deferred fragments

  /// Returns a watch that has shown Luke, by the first call. It shows the name of the hero, with
  /// dots while its friends are still to come.
  private func deferredWatch() async -> Watch<HeroAPI.DeferredHeroQuery> {
    let watch = Watch(client, HeroAPI.DeferredHeroQuery()) { data in
      guard let hero = data.hero else { return "no hero" }
      return hero.fragments.slow == nil ? "\(hero.name) …" : hero.name
    }
    watch.watcher.fetch()
    await server.call(0).end(HeroBody.hero("Luke"))
    await watch.hasDelivered("Luke")
    await watch.hasFetched()
    return watch
  }

  /// A hero that the watch does not show yet.
  private static func other(_ name: String, _ rest: String = "") -> String {
    #"{"data":{"hero":\#(HeroBody.object("2", name, rest))}}"#
  }

  /// The mutation concerns a third hero, and hides nothing of the response.
  @Test(arguments: [true, false])
  func aPartIsShownBesideOptimisticDataOfAnotherObject(itsRestComes: Bool) async throws {
    let watch = await deferredWatch()
    let mutation = Task { [client] in
      try await client.perform(
        mutation: HeroAPI.RenameMutation(id: "3", name: ""),
        optimistic: { try $0.merge(["Hero:3": ["name": "Han"]]) })
    }
    let rename = await server.call(1)
    watch.watcher.refetch()
    let refetch = await server.call(2)
    refetch.send(Self.other("Leia"))
    refetch.end(itsRestComes ? Self.other("Leia", #","friends":[]"#) : nil)
    await watch.hasFetched()
    #expect(watch.results == ["Luke", "Leia …"] + (itsRestComes ? ["Leia"] : []))
    rename.end(HeroBody.rename("Han", id: "3"))
    _ = try await mutation.value
    #expect(server.calls.count == 3)
  }

  /// The layer affects the root, but not the field of it that the query selects: its end changes
  /// nothing for the watch.
  @Test func aPartThatIsKeptBackForOptimisticDataIsFetchedAtTheEndOfThat() async throws {
    let watch = await deferredWatch()
    let mutation = Task { [client] in
      try await client.perform(
        mutation: HeroAPI.RenameMutation(id: "3", name: ""),
        optimistic: { try $0.merge(["QUERY_ROOT": ["count": 3]]) })
    }
    let rename = await server.call(1)
    watch.watcher.refetch()
    await server.call(2).end(Self.other("Leia"))
    await watch.hasFetched()
    #expect(watch.results == ["Luke"])
    #expect(server.calls.count == 3)
    rename.end(HeroBody.rename("Han", id: "3"))
    _ = try await mutation.value
    await server.call(3).end(Self.other("Leia", #","friends":[]"#))
    await watch.hasDelivered("Leia")
    #expect(watch.results == ["Luke", "Leia"])
  }

  // MARK: Chains of 1.x

  /// Keeps each response of a query back until the test lets it go.
  private final class Holding: GraphQLInterceptor {
    private struct State {
      var arrivals = 0
      var released = 0
    }
    private let state = Lock(State())

    var arrivals: Int { state.withLock { $0.arrivals } }

    func release(_ count: Int) { state.withLock { $0.released = count } }

    func intercept<Operation: GraphQLOperation>(
      _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> { try await next.proceed(request) }

    func responses<Operation: GraphQLOperation>(
      to request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) -> GraphQLResponses<Operation> {
      let responses = next.responses(to: request)
      guard Operation.operationType == .query else { return responses }
      return GraphQLResponses { [self] in
        var iterator = responses.makeAsyncIterator()
        return { [self] in
          guard let response = try await iterator.next() else { return nil }
          let number = state.withLock { state in
            state.arrivals += 1
            return state.arrivals
          }
          await until { state.withLock { $0.released >= number } }
          return response
        }
      }
    }
  }

  private struct HeldChain: InterceptorProvider {
    let holding: Holding

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { [holding] }

    func interceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any ApolloInterceptor] {
      [
        CacheReadInterceptor(), NetworkFetchInterceptor(), JSONResponseParsingInterceptor(),
        CacheWriteInterceptor(),
      ]
    }
  }

  @Test func aResponseThatAnInterceptorHoldsBackIsNotShownAfterNewerData() async throws {
    let holding = Holding()
    let server = OrderServer(interceptors: HeldChain(holding: holding))
    let client = ApolloClient(networkTransport: server)
    try await seed("a", in: client)
    let watch = watch(of: client)
    watch.watcher.fetch(cachePolicy: .returnCacheDataAndFetch)
    await until { holding.arrivals == 1 }
    await server.call(0).end(HeroBody.hero("a2"))
    while try await client.store.load(HeroAPI.HeroQuery()).data?.hero?.name != "a2" {
      await Task.yield()
    }
    holding.release(1)
    await until { holding.arrivals == 2 }
    try await rename("b", in: client)
    await watch.hasDelivered("b")
    holding.release(2)
    await watch.hasFetched()
    #expect(watch.results.last == "b")
    try await rename("c", in: client)
    await watch.hasDelivered("c")
    let results = watch.results
    #expect(Array(results.drop { $0 != "b" }) == ["b", "c"], "\(results)")
  }
}
