import ApolloAPI
import ApolloCache
import Dispatch
import Foundation
import LoopbackServer
import ManualClock
import SimulatedRequests
import TestOperations
import Testing

@testable import Apollo

/// Watches pause when the session of a user ends: they deliver nothing and fetch nothing until the
/// program asks them to.
@Suite(.timeLimit(.minutes(10)))
struct PausedWatchTests {
  private let query = HeroAPI.HeroQuery()

  /// The results of a watch: the names of the hero.
  private func watch(
    _ client: ApolloClient, on queue: DispatchQueue = .global()
  ) -> (GraphQLQueryWatcher<HeroAPI.HeroQuery>, Lock<[String?]>) {
    let results = Lock<[String?]>([])
    let watcher = client.watch(query: query, callbackQueue: queue) { result in
      results.withLock { $0.append((try? result.get())?.data?.hero?.name) }
    }
    return (watcher, results)
  }

  /// Replaces the first fetch of a watch by another one. Its result was delivered at the return.
  private func fetch(
    _ name: String, _ watcher: GraphQLQueryWatcher<HeroAPI.HeroQuery>, _ server: OrderServer
  ) async {
    let isOver = Signal()
    _ = await server.call(0)
    _ = watcher.refetch(onEnd: { isOver.fire() })
    await server.call(1).end(HeroBody.hero(name))
    await isOver.wait()
  }

  private func publish(_ name: String, to store: ApolloStore) async throws {
    try await store.publish(["Hero:1": ["name": .string(name)]])
  }

  @Test func aReadingFromBeforeTheEndOfASessionIsDropped() async throws {
    let gate = GatedStore()
    let server = OrderServer()
    let client = ApolloClient(
      networkTransport: server, store: ApolloStore(records: gate))
    let (watcher, results) = watch(client)
    await server.call(0).end(HeroBody.hero("alice"))
    await until { results.get() == ["alice"] }
    gate.close()
    try await publish("Alice", to: client.store)
    var arrivals = gate.arrivals.makeAsyncIterator()
    _ = await arrivals.next()
    try await client.endSession()
    watcher.refetch()
    gate.open()
    await server.call(1).end(HeroBody.hero("bob"))
    await until { results.get().last == "bob" }
    #expect(results.get() == ["alice", "bob"])
    watcher.cancel()
  }

  @Test(arguments: [true, false])
  func aResumedWatchFollowsTheCacheBeforeItsResponse(itsRefetchFails: Bool) async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    let (watcher, results) = watch(client)
    await server.call(0).end(HeroBody.hero("alice"))
    await until { results.get() == ["alice"] }
    try await client.endSession()
    watcher.refetch()
    let refetch = await server.call(1)
    if itsRefetchFails {
      refetch.fail(CancellationError())
      await until { results.get() == ["alice", nil] }
    }
    async let bob = client.fetch(query: query, cachePolicy: .networkOnly)
    await server.call(2).end(HeroBody.hero("bob"))
    _ = try await bob
    await until { results.get().last == "bob" }
    try await publish("Bob", to: client.store)
    await until { results.get().last == "Bob" }
    #expect(results.get().compactMap(\.self) == ["alice", "bob", "Bob"])
    watcher.cancel()
  }

  /// A cache that is not cleared has the same generation before and after the end.
  @Test func aWatchGoesOnAlthoughClearingHasFailed() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    let (watcher, results) = watch(client)
    await server.call(0).end(HeroBody.hero("Luke"))
    await until { results.get() == ["Luke"] }
    await #expect(throws: StoreError.self) {
      try await client.store.withinReadWriteTransaction { _ in try await client.endSession() }
    }
    try await publish("Leia", to: client.store)
    try await publish("Luke", to: client.store)
    watcher.refetch()
    await server.call(1).end(HeroBody.hero("Luke"))
    await until { results.get() == ["Luke", "Luke"] }
    try await publish("Ben", to: client.store)
    await until { results.get() == ["Luke", "Luke", "Ben"] }
    watcher.cancel()
  }

  /// The response of a request from before a clearing is not kept, and fetched again.
  @Test func aRefetchEndsWithTheFetchThatFollowsAClearing() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    let (watcher, results) = watch(client)
    await server.call(0).end(HeroBody.hero("old"))
    await until { results.get() == ["old"] }
    let isOver = Lock(false)
    _ = watcher.refetch(onEnd: { isOver.withLock { $0 = true } })
    let refetch = await server.call(1)
    try await client.clearCache()
    refetch.end(HeroBody.hero("before"))
    let second = await server.call(2)
    #expect(!isOver.get())
    second.end(HeroBody.hero("new"))
    await until { isOver.get() }
    await until { results.get().last == "new" }
    watcher.cancel()
  }

  @Test func aResultThatWaitsForItsQueueIsNotShownAfterTheEnd() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    let queue = DispatchQueue(label: "results")
    queue.suspend()
    let (watcher, results) = watch(client, on: queue)
    await fetch("alice", watcher, server)
    try await client.endSession()
    queue.resume()
    watcher.refetch()
    await server.call(2).end(HeroBody.hero("bob"))
    await until { !results.get().isEmpty }
    #expect(results.get() == ["bob"])
    watcher.cancel()
  }

  @Test func aResultThatWasNotReadIsNotReturnedAfterTheEnd() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    var names = client.watch(query: query).makeAsyncIterator()
    let watcher = names.watcher
    await fetch("alice", watcher, server)
    try await client.endSession()
    async let bob: Void = {
      // The iteration waits for a result by now, or finds the new one.
      watcher.refetch()
      await server.call(2).end(HeroBody.hero("bob"))
    }()
    #expect(try await names.next()?.get().data?.hero?.name == "bob")
    await bob
  }

  @Test func aWatchWhoseFirstFetchEndsWithTheSessionDeliversNothing() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    let results = Lock<[String?]>([])
    let watcher = client.watch(query: query, callbackQueue: .global()) { result in
      results.withLock { $0.append((try? result.get())?.data?.hero?.name) }
    }
    let alice = await server.call(0)
    try await client.endSession()
    alice.end(HeroBody.hero("alice"))
    async let bob = client.fetch(query: query, cachePolicy: .networkOnly)
    await server.call(1).end(HeroBody.hero("bob"))
    #expect(try await bob.data?.hero?.name == "bob")
    try await client.store.publish(["Hero:1": ["name": "Bob"]])
    watcher.refetch()
    await server.call(2).end(HeroBody.hero("Robert"))
    await until { results.get().last == "Robert" }
    #expect(results.get() == ["Robert"])
    watcher.cancel()
  }

  @Test func dataThatExpiresAfterTheEndOfASessionIsNotFetched() async throws {
    let clock = ManualClock()
    let server = AgingServer()
    let client = server.client(clock: clock) { $0.maxAges = ["Hero": .seconds(60)] }
    let (names, continuation) = AsyncStream.makeStream(of: String?.self)
    let watcher = client.watch(query: query, callbackQueue: .global()) { result in
      continuation.yield(try? result.get().data?.hero?.name)
    }
    watcher.automaticallyRefreshOnExpiry = true
    var iterator = names.makeAsyncIterator()
    #expect(await iterator.next() == "Luke")
    await clock.waitForAlarm(after: .seconds(60))
    try await client.endSession()
    server.advance(by: 60)
    clock.advance(by: .seconds(60))
    for _ in 0..<100 { _ = try await client.store.load(query) }  // what rings has time to fetch
    #expect(server.requestCount == 1)
    server.set(name: "Ben")
    watcher.refetch()
    #expect(await iterator.next() == "Ben")
    #expect(server.requestCount == 2)
    watcher.cancel()
  }

  /// A watch of a fragment sends nothing, and cannot be asked to fetch: it follows the cache.
  @Test func aWatchOfAFragmentFollowsTheCacheIntoTheNextSession() async throws {
    let client = ApolloClient(networkTransport: OrderServer())
    func publish(_ name: String) async throws {
      try await client.store.publish([
        "Hero:1": ["__typename": "Hero", "id": "1", "name": .string(name)]
      ])
    }
    try await publish("alice")
    var names = client.watch(fragment: HeroAPI.HeroName.self, withKey: "Hero:1")
      .makeAsyncIterator()
    #expect(try await names.next()?.get()?.name == "alice")
    try await client.endSession()
    #expect(try await names.next()?.get()?.name == nil)
    try await publish("bob")
    #expect(try await names.next()?.get()?.name == "bob")
  }

  /// The results of a watch of a fragment, as they wait in a queue.
  private final class WaitingResults: Sendable {
    private let results = Lock<[(name: String?, session: WatchSession)]>([])
    let watcher: FragmentWatcher<HeroAPI.HeroName>

    init(_ client: ApolloClient) {
      watcher = FragmentWatcher(
        client.store, key: "Hero:1", variables: nil,
        deliver: { [results] _, result, session in
          results.withLock { $0.append(((try? result.get())?.name, session)) }
        })
    }

    var names: [String?] { results.get().map(\.name) }
    /// Those that are shown if they are taken now.
    var shown: [String?] { results.get().filter { watcher.isCurrent($0.session) }.map(\.name) }
  }

  private func publishHero(_ name: String, to client: ApolloClient) async throws {
    try await client.store.publish([
      "Hero:1": ["__typename": "Hero", "id": "1", "name": .string(name)]
    ])
  }

  @Test func aResultOfAFragmentThatWaitsForItsQueueIsNotShownAfterTheEnd() async throws {
    let client = ApolloClient(networkTransport: OrderServer())
    try await publishHero("alice", to: client)
    let results = WaitingResults(client)
    await until { results.shown == ["alice"] }
    try await client.endSession()
    #expect(results.names == ["alice", nil])
    #expect(results.shown == [nil])
    try await publishHero("bob", to: client)
    await until { results.shown == [nil, "bob"] }
    #expect(results.names == ["alice", nil, "bob"])
  }
}
