import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation
import LoopbackServer
import SimulatedRequests
import TestOperations
import Testing

/// Responses, writes and events that meet at a watch, and a step with a store of its own.
@Suite(.timeLimit(.minutes(1)))
struct WatchMeetingTests {
  private let query = HeroAPI.HeroQuery()

  /// A watch, the results that it has delivered, and the end of its fetches.
  private final class Watch: Sendable {
    private struct State {
      var results: [String] = []
      var isFetching = false
    }
    private let state: Lock<State>
    let watcher: GraphQLQueryWatcher<HeroAPI.HeroQuery>

    init(_ client: ApolloClient) {
      let state = Lock(State())
      self.state = state
      watcher = GraphQLQueryWatcher(
        watching: client, query: HeroAPI.HeroQuery(), configuration: nil,
        refetchOnFailedUpdates: true,
        deliver: { _, news in
          state.withLock { state in
            state.isFetching = news.isFetching
            switch news.result {
            case .success(let response)?:
              state.results.append(response.data?.hero?.name ?? "nobody")
            case .failure?: state.results.append("error")
            case nil: break
            }
          }
        })
    }

    var results: [String] { state.withLock { $0.results } }

    func hasDelivered(_ result: String) async { await until { results.last == result } }
    func hasFetched() async { await until { state.withLock { !$0.isFetching } } }
  }

  private func seed(_ name: String, in client: ApolloClient) async throws {
    try await client.store.publish(
      body: Data(HeroBody.hero(name).utf8), of: HeroAPI.HeroQuery())
  }

  private func rename(_ name: String, in client: ApolloClient) async throws {
    try await client.store.publish(["Hero:1": ["name": .string(name)]])
  }

  // MARK: Responses that are older than their fetch

  /// The request that is under way was sent before the write, and its response would be older than
  /// what the watch shows.
  @Test func aFetchOfAWatchThatDoesNotWriteHasARequestOfItsOwn() async throws {
    let server = OrderServer()
    let client = ApolloClient(
      networkTransport: DeduplicatingNetworkTransport(server), store: ApolloStore())
    try await seed("a", in: client)
    let watch = Watch(client)
    watch.watcher.fetch()
    await watch.hasDelivered("a")
    let fetching = Task { [client, query] in
      try await client.fetch(query: query, cachePolicy: .networkOnly)
    }
    let call = await server.call(0)
    try await rename("b", in: client)
    await watch.hasDelivered("b")
    watch.watcher.refetch(cachePolicy: .fetchIgnoringCacheCompletely)
    let own = await server.call(1)
    call.end(HeroBody.hero("a"))
    _ = try await fetching.value
    own.end(HeroBody.hero("c"))
    await watch.hasDelivered("c")
    #expect(watch.results == ["a", "b", "c"])
    watch.watcher.cancel()
  }

  /// Answers queries with data that the program has kept, when the test lets it.
  private final class Remembering: GraphQLInterceptor {
    let data = Lock<HeroAPI.HeroQuery.Data?>(nil)
    let hasArrived = Signal()
    let goesOn = Signal()
    let source: ResultSource

    init(_ source: ResultSource) { self.source = source }

    func intercept<Operation: GraphQLOperation>(
      _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> { try await next.proceed(request) }

    func responses<Operation: GraphQLOperation>(
      to request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) -> GraphQLResponses<Operation> {
      guard let data = self.data.get() as? Operation.Data else {
        return next.responses(to: request)
      }
      let (hasArrived, goesOn, source) = (hasArrived, goesOn, source)
      return GraphQLResponses<Operation> {
        var hasReturned = false
        return {
          guard !hasReturned else { return nil }
          hasReturned = true
          hasArrived.fire()
          await goesOn.wait()
          return GraphQLResponse<Operation>(data: data, source: source)
        }
      }
    }
  }

  private struct RememberingProvider: InterceptorProvider {
    let remembering: Remembering

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { [remembering] }
  }

  /// A response that an interceptor has made has no trace, whatever it says about its source.
  @Test(arguments: [ResultSource.server, .cache])
  func aResponseThatAnInterceptorHasKeptDoesNotReplaceNewerData(
    source: ResultSource
  ) async throws {
    let remembering = Remembering(source)
    let client = ApolloClient(
      networkTransport: OrderServer(interceptors: RememberingProvider(remembering: remembering)))
    try await seed("a", in: client)
    let watch = Watch(client)
    watch.watcher.fetch()
    await watch.hasDelivered("a")
    await watch.hasFetched()
    let kept = try await client.store.load(query).data
    remembering.data.withLock { $0 = kept }
    watch.watcher.refetch()
    await remembering.hasArrived.wait()
    try await rename("b", in: client)
    await watch.hasDelivered("b")
    remembering.goesOn.fire()
    await watch.hasFetched()
    #expect(watch.results == ["a", "b"])
    watch.watcher.cancel()
  }

  // MARK: Requests that fail

  @Test(arguments: [
    CachePolicy.fetchIgnoringCacheData, .returnCacheDataElseFetch, .returnCacheDataAndFetch,
    .networkElseCache,
  ])
  func aWatchWhoseFirstRequestFailedFollowsTheCache(policy: CachePolicy) async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    let watch = Watch(client)
    watch.watcher.fetch(cachePolicy: policy)
    await server.call(0).fail(URLError(.timedOut))
    await watch.hasDelivered("error")
    try await seed("a", in: client)
    await watch.hasDelivered("a")
    try await rename("b", in: client)
    await watch.hasDelivered("b")
    #expect(server.calls.count == 1)
    watch.watcher.cancel()
  }

  @Test func theCacheThatReplacesAFailedRequestHasWhatWasWrittenMeanwhile() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    try await seed("a", in: client)
    let watch = Watch(client)
    watch.watcher.fetch(cachePolicy: .networkElseCache)
    let call = await server.call(0)
    try await rename("b", in: client)
    call.fail(URLError(.timedOut))
    await watch.hasDelivered("b")
    try await rename("c", in: client)
    await watch.hasDelivered("c")
    #expect(watch.results == ["b", "c"])
    watch.watcher.cancel()
  }

  /// An error does not make data outdated that a slow loop has not read.
  @Test func aSlowLoopReadsTheCachedDataBeforeTheErrorThatFollowsIt() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    try await seed("a", in: client)
    var updates = client.watch(query: query, cachePolicy: .returnCacheDataDontFetch)
      .makeAsyncIterator()
    let isOver = Signal()
    _ = updates.watcher.refetch(
      cachePolicy: .returnCacheDataAndFetch, onEnd: { isOver.fire() })
    await server.call(0).fail(URLError(.timedOut))
    await isOver.wait()
    let first = await updates.next()
    #expect((try? first?.get())?.data?.hero?.name == "a")
    updates.watcher.cancel()
  }

  @Test func aSlowLoopReadsTheDataOfAFragmentBeforeTheErrorThatFollowsIt() async throws {
    let cache = UsersOwnCache()
    let store = ApolloStore(cache: cache)
    let client = ApolloClient(networkTransport: OrderServer(), store: store)
    try await seed("a", in: client)
    var updates = client.watch(fragment: HeroAPI.HeroName.self, withKey: "Hero:1")
      .makeAsyncIterator()
    func observed() -> StoreActivity.Watch? { store.activity(watchesAtMost: 1).watches.first }
    await until { observed()?.dependencies.isEmpty == false }
    cache.breakDown(reading: true, writing: false)
    try await rename("b", in: client)
    await until { observed()?.dependsOnEverything == true }
    for _ in 0..<100 { await Task.yield() }  // the error has time to arrive
    let first = await updates.next()
    let second = await updates.next()
    #expect((try? first?.get())?.name == "a")
    #expect(throws: UsersOwnCache.Failure.self) { try second?.get() }
    updates.watcher.cancel()
  }

  // MARK: Expiry

  /// The program's fetch began while the cache was checked, and may bring what has expired.
  @Test func expiredDataDoesNotReplaceAFetchOfTheProgram() {
    let expiry = Date(timeIntervalSince1970: 60)
    var machine = QueryWatchStateMachine<String>(mayRefetch: true, areEqual: { $0 == $1 })
    machine.refreshesOnExpiry = true
    _ = machine.fetchRequested(.networkOnly, writesToCache: true)
    _ = machine.fetchDelivered("a", dependencies: nil, fetch: 1)
    machine.dataArrived(expiring: expiry, isNew: true, fetch: 1, at: .distantPast)
    _ = machine.fetchEnded(1)
    let isChecked = machine.alarmRang(for: expiry)
    #expect(isChecked)
    _ = machine.fetchRequested(.networkOnly, writesToCache: true)
    let actions = machine.dataNotRenewed(expiry)
    #expect(actions.isEmpty)
    #expect(machine.latestRequest == 2)
    _ = machine.fetchEnded(2)
    let due = machine.expiryAfterFetch(at: expiry)
    #expect(due == expiry, "The fetch has brought nothing.")
  }

  // MARK: Events

  /// Two readers of one subscription, of which the slow one has an event that arrived earlier.
  @Test(arguments: [false, true])
  func anEventThatArrivedEarlierDoesNotBecomeTheLatestOne(latestHasFailed: Bool) async throws {
    let failure =
      #"{"data":{"heroChanged":null},"errors":[{"message":"m","path":["heroChanged"]}]}"#
    let name = latestHasFailed ? nil : "latest"
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    let readsOn = Signal()
    let (slow, fast) = (Lock<[String?]>([]), Lock<[String?]>([]))
    let slowReader = Task { [client] in
      for try await event in client.subscribe(
        subscription: HeroAPI.HeroChangedSubscription(), cachePolicy: .networkOnly)
      {
        slow.withLock { $0.append(event.data?.heroChanged?.name) }
        await readsOn.wait()
      }
    }
    let first = await server.call(0)
    first.send(HeroBody.event("read"))
    await until { slow.get() == ["read"] }
    let fastReader = Task { [client] in
      for try await event in client.subscribe(
        subscription: HeroAPI.HeroChangedSubscription(), cachePolicy: .networkOnly)
      {
        fast.withLock { $0.append(event.data?.heroChanged?.name) }
      }
    }
    let second = await server.call(1)
    first.send(HeroBody.event("earlier"))
    second.send(latestHasFailed ? failure : HeroBody.event("latest", id: "2"))
    await until { fast.get() == [name] }
    readsOn.fire()
    await until { slow.get() == ["read", "earlier"] }
    let latest = try await client.store.load(HeroAPI.HeroChangedSubscription()).data
    #expect(latest?.heroChanged?.name == name)
    slowReader.cancel()
    fastReader.cancel()
  }

  // MARK: Stores of steps

  private struct ChainWithStore: InterceptorProvider {
    let store: ApolloStore

    func interceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any ApolloInterceptor] {
      [
        CacheReadInterceptor(store: store), NetworkFetchInterceptor(),
        JSONResponseParsingInterceptor(), CacheWriteInterceptor(store: store),
      ]
    }
  }

  /// The position of a request says nothing among those of another store.
  @Test func aStepWritesToItsOwnStoreAfterSessionsOfThatHaveEnded() async throws {
    let store = ApolloStore()
    let other = ApolloClient(networkTransport: OrderServer(), store: store)
    for _ in 0..<3 { try await other.endSession() }
    let server = OrderServer(interceptors: ChainWithStore(store: store))
    let client = ApolloClient(networkTransport: server)
    async let fetched = client.fetch(query: query, cachePolicy: .networkOnly)
    await server.call(0).end(HeroBody.hero("Luke"))
    #expect(try await fetched.data?.hero?.name == "Luke")
    #expect(try await store.load(query).data?.hero?.name == "Luke")
  }

  /// The generations of another store say nothing among those of the client's store.
  @Test func aWatchFollowsTheCacheAfterAStepHasWrittenThroughAnotherStoreOfIt() async throws {
    let cache = InMemoryNormalizedCache()
    let store = ApolloStore(cache: cache)
    for name in ["Han", "Leia", "Ben"] {
      try await store.publish(["Hero:2": ["name": .string(name)]])
    }
    let server = OrderServer(interceptors: ChainWithStore(store: store))
    let client = ApolloClient(networkTransport: server, store: ApolloStore(cache: cache))
    let watch = Watch(client)
    watch.watcher.fetch()
    await server.call(0).end(HeroBody.hero("a"))
    await watch.hasDelivered("a")
    await watch.hasFetched()
    try await rename("b", in: client)
    await watch.hasDelivered("b")
    #expect(watch.results == ["a", "b"])
    #expect(server.calls.count == 1)
    watch.watcher.cancel()
  }

  /// The layers of two stores have the same numbers.
  @Test func aStepLeavesTheOptimisticDataOfItsOwnStoreAlone() async throws {
    let store = ApolloStore()
    let server = OrderServer()
    let other = ApolloClient(networkTransport: server, store: store)
    try await seed("a", in: other)
    let renaming = Task {
      try await other.perform(
        mutation: HeroAPI.RenameMutation(id: "1", name: ""),
        optimistic: { try $0.merge(["Hero:1": ["name": "b"]]) })
    }
    let rename = await server.call(0)
    let chainServer = OrderServer(interceptors: ChainWithStore(store: store))
    let client = ApolloClient(networkTransport: chainServer)
    async let performed = client.perform(
      mutation: HeroAPI.RenameMutation(id: "2", name: ""),
      optimistic: { try $0.merge(["Hero:2": ["name": "Han"]]) })
    await chainServer.call(0).end(HeroBody.rename("Leia", id: "2"))
    _ = try await performed
    #expect(try await store.load(query).data?.hero?.name == "b")
    rename.end(HeroBody.rename("c"))
    _ = try await renaming.value
    #expect(try await store.load(query).data?.hero?.name == "c")
  }

  // MARK: Sessions

  /// Otherwise a chain would read the former user's data for the next one.
  @Test func theEndOfASessionClearsTheStoreOfAStep() async throws {
    let store = ApolloStore()
    let server = OrderServer(interceptors: ChainWithStore(store: store))
    let client = ApolloClient(networkTransport: server)
    async let fetched = client.fetch(query: query)
    await server.call(0).end(HeroBody.hero("alice"))
    #expect(try await fetched.data?.hero?.name == "alice")
    try await client.endSession()
    #expect(try await store.load(query).data == nil)
  }

  /// The end of the session has failed to clear the cache, and another call does it.
  @Test func aWatchOfAFragmentGoesOnAfterTheCallThatClearsTheCache() async throws {
    let cache = UsersOwnCache()
    let client = ApolloClient(networkTransport: OrderServer(), store: ApolloStore(cache: cache))
    func publish(_ name: String) async throws {
      try await client.store.publish([
        "Hero:1": ["__typename": "Hero", "id": "1", "name": .string(name)]
      ])
    }
    try await publish("alice")
    let names = Lock<[String?]>([])
    let watcher = client.watch(
      fragment: HeroAPI.HeroName.self, withKey: "Hero:1", callbackQueue: .global()
    ) { result in
      names.withLock { $0.append((try? result.get())?.name) }
    }
    await until { names.get() == ["alice"] }
    cache.breakDown(reading: false, writing: true)
    await #expect(throws: (any Error).self) { try await client.endSession() }
    await until { names.get() == ["alice", nil] }
    cache.breakDown(reading: false, writing: false)
    try await client.clearCache()
    try await publish("bob")
    await until { names.get().last == "bob" }
    #expect(names.get() == ["alice", nil, "bob"])
    watcher.cancel()
  }
}
