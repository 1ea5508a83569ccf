import ApolloAPI
import ApolloCache
import Foundation
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

  @Test func aReadingFromBeforeTheEndOfASessionIsDropped() async throws {
    let store = ApolloStore()
    let (starts, start) = AsyncStream<Void>.makeStream()
    let (permissions, permit) = AsyncStream<Void>.makeStream()
    let count = Lock(0)
    let observer = CacheObserver<HeroAPI.HeroQuery.Data>(
      store, pausesWithSession: true,
      read: { [query] in
        start.yield()
        for await _ in permissions { break }
        return try await store.load(query)
      }, receive: { _, _ in count.withLock { $0 += 1 } })
    var started = starts.makeAsyncIterator()
    observer.scheduleReading()
    _ = await started.next()
    store.registry.pauseWatches()
    try await store.clearCache()
    observer.scheduleReading()
    permit.yield()
    _ = await started.next()
    #expect(count.get() == 0)
    observer.resume()
    permit.yield()
    await until { count.get() == 1 }
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
}
