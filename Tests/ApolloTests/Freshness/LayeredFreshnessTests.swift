import Apollo
import ApolloAPI
import Foundation
import ManualClock
import TestOperations
import Testing

/// The ages of data while mutations are under way.
@Suite(.timeLimit(.minutes(10)))
struct LayeredFreshnessTests {
  private let query = HeroAPI.HeroQuery()
  private let transport = HeldTransport()
  private let time = Lock(0.0)

  private func store(_ maxAges: MaxAges) -> ApolloStore {
    var configuration = ApolloStore.Configuration()
    configuration.freshness.maxAges = maxAges
    configuration.freshness.now = { [time] in Date(timeIntervalSince1970: 1_000 + time.get()) }
    return ApolloStore(configuration: configuration)
  }

  private func publish(_ name: String, to store: ApolloStore) async throws {
    let friend = #"{"__typename":"Hero","id":"2","name":"Leia"}"#
    let hero = #"{"__typename":"Hero","id":"1","name":"\#(name)","friends":[\#(friend)]}"#
    try await store.publish(body: Data(#"{"data":{"hero":\#(hero)}}"#.utf8), of: query)
  }

  @Test(arguments: CacheKind.allCases)
  func aLayerRenewsOnlyTheFieldsThatItShows(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let server = AgingServer()
    let client = server.client(cache: cache) {
      $0.maxAges = ["Hero.friends": .seconds(60), "Hero.name": .seconds(60)]
    }
    server.set(hasFriends: false)
    _ = try await client.fetch(query: query)
    server.advance(by: 61)
    let layer = client.store.layers.reserve()
    try await client.store.showLayer(layer) { try $0.merge(["Hero:0": ["name": "Rey"]]) }
    let reading = try await client.store.load(query)
    #expect(reading.data == nil)
    #expect(reading.misses.map(\.address.field) == ["friends"])
    let permissive = try await client.store.load(query, ttlEnforcement: .permissive)
    #expect(permissive.freshness?.containsStaleFields == true)
    #expect(permissive.freshness?.age == .seconds(61))
    try await client.store.showLayer(layer) {
      try $0.merge(["Hero:0": ["name": "Rey", "friends": .null]])
    }
    #expect(try await client.store.load(query).freshness?.age == .seconds(61), "the root's field")
    #expect(try await client.store.load(query).freshness?.containsStaleFields == false)
    await client.store.removeLayer(layer)
    #expect(try await client.store.load(query).data == nil)
    withExtendedLifetime(owner) {}
  }

  /// A closure that changes a model writes all of its fields.
  @Test func aLayerRenewsOnlyWhatItChanges() async throws {
    let server = AgingServer()
    let client = server.client { $0.maxAges = ["Query.hero": .seconds(60)] }
    _ = try await client.fetch(query: query)
    server.advance(by: 61)
    let layer = client.store.layers.reserve()
    try await client.store.showLayer(layer) { transaction in
      try transaction.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name = "Rey" }
    }
    #expect(try await client.store.load(query).data == nil)
    await client.store.removeLayer(layer)
  }

  /// A response that waits for an older mutation has the time at which it arrived.
  @Test func aResponseThatWaitsGrowsOld() async throws {
    let store = store(["Hero.name": .seconds(60)])
    let client = ApolloClient(networkTransport: transport, store: store)
    try await publish("Luke", to: store)
    let slow = Task {
      try await client.perform(
        mutation: HeroAPI.RenameMutation(id: "7", name: "x"), optimistic: { _ in })
    }
    await transport.untilSent(1)
    async let fast = client.perform(mutation: HeroAPI.RenameMutation(id: "1", name: "Rey"))
    await transport.untilSent(2)
    transport.rename(1, to: "Rey")
    _ = try await fast
    time.withLock { $0 = 59 }
    #expect(try await store.load(query).data?.hero?.name == "Rey")
    time.withLock { $0 = 60 }
    #expect(try await store.load(query).data == nil)
    transport.respond(to: 0, .failure(Refused()))
    await #expect(throws: Refused.self) { _ = try await slow.value }
    #expect(try await store.load(query).data == nil)
  }

  /// The response changes nothing that is visible, but the data expires from then on.
  @Test func dataThatAResponseConfirmsIsRefreshedWhenItExpires() async throws {
    let clock = ManualClock()
    let store = store(["Hero.name": .seconds(60)])
    let client = ApolloClient(networkTransport: transport, store: store, clock: clock)
    // From then on it is known that friends are records, whose rules do not concern the field.
    try await publish("Ben", to: store)
    #expect(try await store.load(query).data?.hero?.name == "Ben")
    let (names, delivered) = AsyncStream<String?>.makeStream()
    let watcher = client.watch(query: query, cachePolicy: .fetchIgnoringCacheData) { result in
      delivered.yield((try? result.get())?.data?.hero?.name)
    }
    watcher.automaticallyRefreshOnExpiry = true
    var iterator = names.makeAsyncIterator()
    await transport.untilSent(1)
    transport.hero(0, named: "Luke")
    #expect(await iterator.next() == "Luke")
    await clock.waitForAlarm(after: .seconds(60))
    async let response = client.perform(
      mutation: HeroAPI.RenameMutation(id: "1", name: "Rey"),
      optimistic: { try $0.merge(["Hero:1": ["name": "Rey"]]) })
    #expect(await iterator.next() == "Rey")
    time.withLock { $0 = 10 }
    clock.advance(by: .seconds(10))
    await transport.untilSent(2)
    transport.rename(1, to: "Rey")
    _ = try await response
    await clock.waitForAlarm(after: .seconds(60))
    time.withLock { $0 = 70 }
    clock.advance(by: .seconds(60))
    await transport.untilSent(3)
    watcher.cancel()
  }

  /// Nothing that the watch shows expires before the response, which changes nothing visible.
  @Test(arguments: [false, true])
  func dataThatIsOptimisticWhenAWatchBeginsIsRefreshedWhenItExpires(
    isEnabledLater: Bool
  ) async throws {
    let clock = ManualClock()
    let store = store(["Hero.name": .seconds(60)])
    let client = ApolloClient(networkTransport: transport, store: store, clock: clock)
    // From then on it is known that friends are records, whose rules do not concern the field.
    try await publish("Ben", to: store)
    #expect(try await store.load(query).data?.hero?.name == "Ben")
    async let hero = client.fetch(query: query, cachePolicy: .networkOnly)
    await transport.untilSent(1)
    transport.hero(0, named: "Luke")
    _ = try await hero
    async let mutation = client.perform(
      mutation: HeroAPI.RenameMutation(id: "1", name: "Rey"),
      optimistic: { try $0.merge(["Hero:1": ["name": "Rey"]]) })
    await transport.untilSent(2)
    let (names, delivered) = AsyncStream<String?>.makeStream()
    let watcher = client.watch(query: query, cachePolicy: .returnCacheDataElseFetch) { result in
      delivered.yield((try? result.get())?.data?.hero?.name)
    }
    if !isEnabledLater { watcher.automaticallyRefreshOnExpiry = true }
    var iterator = names.makeAsyncIterator()
    #expect(await iterator.next() == "Rey")
    if isEnabledLater { watcher.automaticallyRefreshOnExpiry = true }
    transport.rename(1, to: "Rey")
    _ = try await mutation
    await clock.waitForAlarm(after: .seconds(60))
    time.withLock { $0 = 60 }
    clock.advance(by: .seconds(60))
    await transport.untilSent(3)
    watcher.cancel()
  }

  /// The other layer remains when that of the data has ended.
  @Test func aWatchNoticesTheEndOfALayerBesideThatOfAnotherObject() async throws {
    let clock = ManualClock()
    let store = store(["Hero.name": .seconds(60)])
    let client = ApolloClient(networkTransport: transport, store: store, clock: clock)
    try await publish("Ben", to: store)
    #expect(try await store.load(query).data?.hero?.name == "Ben")
    async let hero = client.fetch(query: query, cachePolicy: .networkOnly)
    await transport.untilSent(1)
    transport.hero(0, named: "Luke")
    _ = try await hero
    async let mutation = client.perform(
      mutation: HeroAPI.RenameMutation(id: "1", name: "Rey"),
      optimistic: { try $0.merge(["Hero:1": ["name": "Rey"]]) })
    await transport.untilSent(2)
    let layer = store.layers.reserve()
    try await store.showLayer(layer) { try $0.merge(["Hero:3": ["name": "Han"]]) }
    let (names, delivered) = AsyncStream<String?>.makeStream()
    let watcher = client.watch(query: query, cachePolicy: .returnCacheDataElseFetch) { result in
      delivered.yield((try? result.get())?.data?.hero?.name)
    }
    var iterator = names.makeAsyncIterator()
    #expect(await iterator.next() == "Rey")
    transport.rename(1, to: "Rey")
    _ = try await mutation
    watcher.automaticallyRefreshOnExpiry = true
    await clock.waitForAlarm(after: .seconds(60))
    watcher.cancel()
    await store.removeLayer(layer)
  }
}
