import ApolloAPI
import Apollo
import Foundation
import ManualClock
import TestOperations
import Testing

/// Watches of data that expires, and the fetches by which they renew it.
@Suite(.timeLimit(.minutes(10)))
struct ExpiringWatchTests {
  private let query = HeroAPI.HeroQuery()
  private let server = AgingServer()

  @Test func aWatchDeliversChangesOfStaleData() async throws {
    let client = server.client { $0.maxAges = ["Hero": .seconds(60)] }
    var updates = client.watch(query: query).makeAsyncIterator()
    #expect(try await updates.next()?.get().data?.hero?.name == "Luke")
    server.advance(by: 61)
    try await client.store.withinReadWriteTransaction { transaction in
      try transaction.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name = "Ben" }
    }
    let second = try await updates.next()?.get()
    #expect(second?.data?.hero?.name == "Ben")
    #expect(second?.isStale == true)
    #expect(server.requestCount == 1)
  }

  @Test func aWatchRefreshesWhatExpires() async throws {
    let clock = ManualClock()
    let client = server.client(clock: clock) { $0.maxAges = ["Hero": .seconds(60)] }
    let (names, continuation) = AsyncStream.makeStream(of: String?.self)
    let watcher = client.watch(query: query, callbackQueue: .global()) { result in
      continuation.yield(try? result.get().data?.hero?.name)
    }
    watcher.automaticallyRefreshOnExpiry = true
    var iterator = names.makeAsyncIterator()
    #expect(await iterator.next() == "Luke")
    for name in ["Ben", "Rey"] {
      await clock.waitForAlarm(after: .seconds(60))
      server.set(name: name)
      server.advance(by: 60)
      clock.advance(by: .seconds(60))
      #expect(await iterator.next() == name)
    }
    watcher.automaticallyRefreshOnExpiry = false
    server.advance(by: 60)
    clock.advance(by: .seconds(60))
    watcher.cancel()
    #expect(server.requestCount == 3)
  }

  /// Watches the query, and returns the sources of what is delivered.
  private func watch(
    _ client: ApolloClient, _ change: (inout RequestConfiguration) -> Void = { _ in }
  ) -> (GraphQLQueryWatcher<HeroAPI.HeroQuery>, AsyncStream<String>.Iterator) {
    let (sources, continuation) = AsyncStream.makeStream(of: String.self)
    var configuration = RequestConfiguration()
    change(&configuration)
    let watcher = client.watch(
      query: query, fetchBehavior: .cacheFirst, requestConfiguration: configuration,
      callbackQueue: .global()
    ) { result in
      continuation.yield((try? result.get()).map { "\($0.source)" } ?? "failure")
    }
    return (watcher, sources.makeAsyncIterator())
  }

  /// Watches data after it has expired, and expects that it is fetched as soon as that is wanted.
  private func expectRefresh(of client: ApolloClient, _ clock: ManualClock) async {
    server.advance(by: 61)
    var (watcher, sources) = watch(client) { $0.ttlEnforcement = .permissive }
    #expect(await sources.next() == "cache")
    server.set(name: "Ben")
    watcher.automaticallyRefreshOnExpiry = true
    await clock.waitForAlarm(after: .seconds(1))
    clock.advance(by: .seconds(1))
    #expect(await sources.next() == "server")
    watcher.cancel()
  }

  @Test func aWatchRefreshesWhatHasExpiredBefore() async throws {
    let clock = ManualClock()
    let client = server.client(clock: clock) { $0.maxAges = ["Hero": .seconds(60)] }
    _ = try await client.fetch(query: query)
    await expectRefresh(of: client, clock)
    #expect(server.requestCount == 2)
  }

  /// Watches data that expires after a minute, with an alarm for that.
  private func watchForAMinute(_ client: ApolloClient, _ clock: ManualClock) async -> (
    GraphQLQueryWatcher<HeroAPI.HeroQuery>, AsyncStream<String>.Iterator
  ) {
    var (watcher, sources) = watch(client)
    watcher.automaticallyRefreshOnExpiry = true
    #expect(await sources.next() == "server")
    await clock.waitForAlarm(after: .seconds(60))
    return (watcher, sources)
  }

  @Test func aWatchRefreshesWhatExceedsItsOwnMaximumAge() async throws {
    let clock = ManualClock()
    let client = server.client(clock: clock) { $0.isTracked = true }
    var (watcher, sources) = watch(client) { $0.maxAge = .seconds(60) }
    watcher.automaticallyRefreshOnExpiry = true
    #expect(await sources.next() == "server")
    for requestCount in 1...2 {
      await clock.waitForAlarm(after: .seconds(60))
      #expect(server.requestCount == requestCount)
      server.advance(by: 60)
      clock.advance(by: .seconds(60))
    }
    await clock.waitForAlarm(after: .seconds(60))
    #expect(server.requestCount == 3)
    watcher.cancel()
  }

  @Test func aRefreshThatFailsIsTriedAgain() async throws {
    let clock = ManualClock()
    let client = server.client(clock: clock) { $0.maxAges = ["Hero": .seconds(60)] }
    var (watcher, sources) = await watchForAMinute(client, clock)
    server.set(name: "Ben", isDown: true)
    server.advance(by: 60)
    clock.advance(by: .seconds(60))
    for (attempt, delay) in [2, 4, 8, 16, 32, 64, 64].enumerated() {
      #expect(await sources.next() == "failure")
      if attempt == 6 { server.set(isDown: false) }
      await clock.waitForAlarm(after: .seconds(delay))
      clock.advance(by: .seconds(delay))
    }
    #expect(await sources.next() == "server")
    await clock.waitForAlarm(after: .seconds(60))
    #expect(server.requestCount == 9)
    watcher.cancel()
  }

  /// One field is always stale, the other is not. Both were written by another operation.
  @Test func aFieldThatIsAlwaysStaleDoesNotHideOneThatExpires() async throws {
    let clock = ManualClock()
    let client = server.client(clock: clock) {
      $0.maxAges = ["Hero": .seconds(60), "Hero.name": .seconds(0)]
    }
    server.set(hasFriends: false)
    _ = try await client.fetch(query: query)
    _ = try await client.perform(mutation: HeroAPI.RenameMutation(id: "0", name: "Luke"))
    await expectRefresh(of: client, clock)
    #expect(server.requestCount == 3)
  }

  @Test func dataThatAnotherCallHasRenewedIsRefreshedLater() async throws {
    let clock = ManualClock()
    let client = server.client(clock: clock) { $0.maxAges = ["Hero": .seconds(60)] }
    let (watcher, _) = await watchForAMinute(client, clock)
    server.advance(by: 50)
    clock.advance(by: .seconds(50))
    _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
    server.advance(by: 10)
    clock.advance(by: .seconds(10))
    await clock.waitForAlarm(after: .seconds(50))
    #expect(server.requestCount == 2)
    watcher.cancel()
  }

  /// Otherwise two watches would fetch in turns without end: each reads the other one's errors.
  @Test func aFieldThatHasFailedInAnotherResponseStartsNoRefresh() async throws {
    let clock = ManualClock()
    let client = server.client(clock: clock) { $0.maxAges = ["Hero": .seconds(60)] }
    server.set(friendsFail: true)
    var (watcher, sources) = await watchForAMinute(client, clock)
    server.advance(by: 10)
    clock.advance(by: .seconds(10))
    server.set(name: "Ben")
    _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
    #expect(await sources.next() == "cache")
    await clock.waitForAlarm(after: .seconds(60))
    #expect(server.requestCount == 2)
    watcher.cancel()
  }

  /// The response is read again with the layer, and its failed field has no age there either.
  @Test func aResponseWithAnErrorBelowOptimisticDataIsRefreshed() async throws {
    let clock = ManualClock()
    let client = server.client(clock: clock) { $0.maxAges = ["Hero": .seconds(60)] }
    let layer = client.store.layers.reserve()
    try await client.store.showLayer(layer) { try $0.merge(["R": ["name": "?"]]) }
    server.set(friendsFail: true)
    let (watcher, _) = await watchForAMinute(client, clock)
    #expect(server.requestCount == 1)
    watcher.cancel()
    await client.store.removeLayer(layer)
  }

  @Test func whatIsAlwaysStaleIsNotFetchedForEver() async throws {
    let clock = ManualClock()
    let client = server.client(clock: clock) { $0.isTracked = true }
    server.set(headers: ["Cache-Control": "max-age=0"])
    var (watcher, sources) = watch(client)
    watcher.automaticallyRefreshOnExpiry = true
    #expect(await sources.next() == "server")
    try await client.store.withinReadWriteTransaction { transaction in
      try transaction.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name = "Ben" }
    }
    #expect(await sources.next() == "cache")
    // An alarm for what is always stale would be set before another one could be asked for.
    watcher.automaticallyRefreshOnExpiry = false
    watcher.automaticallyRefreshOnExpiry = true
    #expect(clock.alarmCount == 0)
    #expect(server.requestCount == 1)
    watcher.cancel()
  }
}
