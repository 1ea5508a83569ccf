import Apollo
import Dispatch
import Foundation
import TestOperations
import Testing

/// Watches with each kind of cache, from their first to their last result, without a network.
@Suite(.timeLimit(.minutes(10)))
struct WatchingEachCacheTests {
  private let query = HeroAPI.HeroQuery()

  /// Returns a response with the number of the request in the hero's name.
  private static func response(_ request: OperationRequest, _ number: Int) -> String {
    #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"R\#(number)","friends":null}}}"#
  }

  private func client(_ cache: any NormalizedCache) -> (ApolloClient, ScriptedTransport) {
    let transport = ScriptedTransport { Self.response($0, $1) }
    return (
      ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache)), transport
    )
  }

  private func name(
    _ result: Result<GraphQLResponse<HeroAPI.HeroQuery>, any Error>?
  ) throws -> String? {
    try result?.get().data?.hero?.name
  }

  @Test(arguments: CacheKind.allCases)
  func aQueryIsDeliveredFetchedChangedRemovedAndCleared(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let (client, transport) = client(cache)
    var updates = client.watch(query: query).makeAsyncIterator()
    #expect(try name(await updates.next()) == "R0")
    try await client.store.publish(["Hero:0": ["name": "Rey"]])
    #expect(try name(await updates.next()) == "Rey")
    try await client.store.publish(["Hero:0": ["name": "Rey", "height": 1.7]])
    try await client.store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: HeroAPI.EditableName.self, withKey: "Hero:0") {
        $0.name = "Ben"
      }
    }
    #expect(try name(await updates.next()) == "Ben", "What it does not show was not delivered.")
    try await client.store.removeObject(for: "Hero:0")
    #expect(try name(await updates.next()) == "R1")
    try await client.store.removeObjects(matching: "HERO")
    #expect(try name(await updates.next()) == "R2")
    try await client.clearCache()
    #expect(try name(await updates.next()) == "R3")
    #expect(transport.requestCount == 4)
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: CacheKind.allCases)
  func aWatchOfTheCacheAloneWakesUpWhenTheDataComes(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let (client, transport) = client(cache)
    var updates = client.watch(query: query, cachePolicy: .returnCacheDataDontFetch)
      .makeAsyncIterator()
    let miss = await updates.next()
    let error = #expect(throws: CacheMissError.self) { try miss?.get() }
    #expect(error?.misses.first?.address.record == "QUERY_ROOT")
    try await client.store.publish(["QUERY_ROOT": ["hero": .reference("Hero:0")]])
    try await client.store.publish(["Hero:0": ["__typename": "Hero", "id": "0"]])
    try await client.store.publish(["Hero:0": ["name": "Rey", "friends": .null]])
    #expect(try name(await updates.next()) == "Rey")
    try await client.clearCache()
    let gone = await updates.next()
    #expect(throws: CacheMissError.self) { try gone?.get() }
    try await client.store.publish(body: Data(Self.response(.init(query), 7).utf8), of: query)
    #expect(try name(await updates.next()) == "R7")
    #expect(transport.requestCount == 0)
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: CacheKind.allCases)
  func oneObjectIsDeliveredAsAFragment(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let (client, _) = client(cache)
    let updates = client.watch(fragment: HeroAPI.HeroName.self, withKey: "Hero:0")
    var iterator = updates.makeAsyncIterator()
    #expect(try await iterator.next()?.get() == .some(nil))
    _ = try await client.fetch(query: query)
    #expect(try await iterator.next()?.get()?.name == "R0")
    try await client.store.publish(["Hero:1": ["name": "Rey"], "Hero:0": ["id": "0"]])
    try await client.store.publish(["Hero:0": ["name": "Ben"]])
    #expect(try await iterator.next()?.get()?.name == "Ben")
    try await client.store.removeObjects(matching: "ero:0")
    #expect(try await iterator.next()?.get() == .some(nil))
    withExtendedLifetime(owner) {}
  }

  @Test func aLoopOverAnObjectEndsWhenItsTaskIsCancelled() async throws {
    let (client, _) = client(InMemoryNormalizedCache())
    let (started, continuation) = AsyncStream<Void>.makeStream()
    let loop = Task {
      var count = 0
      for await _ in client.watch(fragment: HeroAPI.HeroName.self, withKey: "Hero:0") {
        count += 1
        continuation.yield()
      }
      return count
    }
    for await _ in started { break }
    loop.cancel()
    #expect(await loop.value == 1)
  }

  @Test func aPreparedWatcherStartsWithItsFirstFetch() async throws {
    let (client, transport) = client(InMemoryNormalizedCache())
    let (names, continuation) = AsyncStream<String?>.makeStream()
    let watcher = GraphQLQueryWatcher(
      client: client, query: query, callbackQueue: DispatchQueue(label: "tests")
    ) { continuation.yield((try? $0.get())?.data?.hero?.name) }
    _ = try await client.fetch(query: query)
    #expect(transport.requestCount == 1)
    var received = names.makeAsyncIterator()
    watcher.fetch(cachePolicy: .returnCacheDataDontFetch)
    #expect(await received.next() == "R0")
    watcher.refetch()
    #expect(await received.next() == "R1")
    watcher.cancel()
  }

  @Test func theClientsClosureDeterminesCacheKeys() async throws {
    let cache = InMemoryNormalizedCache()
    let (client, _) = client(cache)
    client.cacheKeyForObject = { $0["id"]?.stringValue.map { "Old:\($0)" } }
    _ = try await client.fetch(query: query)
    #expect(cache.loadRecords(forKeys: ["Old:0", "Hero:0"]).keys.sorted() == ["Old:0"])
    client.cacheKeyForObject = nil
    _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
    #expect(cache.loadRecords(forKeys: ["Hero:0"])["Hero:0"]?["name"] == "R1")
  }
}
