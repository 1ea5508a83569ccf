import Apollo
import ApolloSQLite
import TestOperations
import Testing

/// Watches whose first reading fails. They depend on everything until a reading succeeds.
@Suite(.timeLimit(.minutes(10)))
struct UnreadableCacheTests {
  private let query = HeroAPI.HeroQuery()
  private let cache = UsersOwnCache()

  private func client() -> ApolloClient {
    ApolloClient(
      networkTransport: ScriptedTransport { _, _ in throw UsersOwnCache.Failure() },
      store: ApolloStore(cache: cache))
  }

  private func publishHero(to client: ApolloClient) async throws {
    try await client.store.publish([
      "QUERY_ROOT": ["hero": .reference("Hero:0")],
      "Hero:0": ["__typename": "Hero", "id": "0", "name": "Rey", "friends": .null],
    ])
  }

  @Test(arguments: [CachePolicy.returnCacheDataDontFetch, .returnCacheDataElseFetch])
  func aWatchOfAQueryDeliversDataWhenTheCacheCanBeReadAgain(policy: CachePolicy) async throws {
    let client = client()
    cache.breakDown(reading: true, writing: false)
    var updates = client.watch(query: query, cachePolicy: policy).makeAsyncIterator()
    let failure = await updates.next()
    #expect(throws: (any Error).self) { try failure?.get() }
    cache.breakDown(reading: false, writing: false)
    try await publishHero(to: client)
    #expect(try await updates.next()?.get().data?.hero?.name == "Rey")
  }

  @Test func aWatchOfAnObjectDeliversDataWhenTheCacheCanBeReadAgain() async throws {
    let client = client()
    cache.breakDown(reading: true, writing: false)
    var updates = client.watch(fragment: HeroAPI.HeroName.self, withKey: "Hero:0")
      .makeAsyncIterator()
    let failure = await updates.next()
    #expect(throws: UsersOwnCache.Failure.self) { try failure?.get() }
    cache.breakDown(reading: false, writing: false)
    try await publishHero(to: client)
    #expect(try await updates.next()?.get()?.name == "Rey")
  }

  /// Nothing is written after the suspension.
  @Test(arguments: [false, true])
  func aWatchDeliversDataWhenASuspendedCacheIsResumed(isChained: Bool) async throws {
    let folder = try CacheKind.TemporaryFolder()
    let disk = try SQLiteNormalizedCache(fileURL: folder.file)
    let cache: any NormalizedCache = isChained ? ChainedNormalizedCache(disk) : disk
    let client = ApolloClient(
      networkTransport: ScriptedTransport { _, _ in throw UsersOwnCache.Failure() },
      store: ApolloStore(cache: cache))
    try await publishHero(to: client)
    disk.suspend()
    let policy = CachePolicy.returnCacheDataDontFetch
    var updates = client.watch(query: query, cachePolicy: policy).makeAsyncIterator()
    let failure = await updates.next()
    #expect(throws: (any Error).self) { try failure?.get() }
    disk.resume()
    #expect(try await updates.next()?.get().data?.hero?.name == "Rey")
    withExtendedLifetime(folder) {}
  }

  /// Others have missed nothing, and would perhaps ask the server.
  @Test func onlyAWatchWhoseReadingFailedReadsAfterASuspension() throws {
    let registry = WatchRegistry()
    let failed = StoreWatch(registry, toEverything: false) { _ in }
    let current = StoreWatch(registry, toEverything: false) { _ in }
    let subscriber = StoreWatch(registry, toEverything: true) { _ in }
    let start = registry.generation
    #expect(failed.dependOnEverything(since: start))
    #expect(registry.recordResumption().count == 1)
    #expect(!failed.dependOnEverything(since: start), "The reading may be from before.")
    let trace = ReadingTrace(dependencies: Dependencies(), generation: start)
    #expect(current.depend(on: trace), "Nothing has changed.")
    withExtendedLifetime((failed, current, subscriber)) {}
  }

  @Test func aWriteDuringTheFailedReadingIsNotMissed() throws {
    let registry = WatchRegistry()
    let watch = StoreWatch(registry, toEverything: false) { _ in }
    let start = registry.generation
    #expect(watch.dependOnEverything(since: start))
    #expect(registry.record(.everything, version: nil).callbacks.count == 1)
    #expect(!watch.dependOnEverything(since: start))
    _ = watch.depend(
      on: ReadingTrace(dependencies: Dependencies(), generation: registry.generation))
    var changes = ChangeSet()
    changes.insert("Hero:0")
    #expect(
      registry.record(changes, version: nil).callbacks.isEmpty, "It depends on nothing again.")
  }
}
