import ApolloAPI
import ApolloCache
import Testing

/// Writes whose changes a store cannot know. Its watches are notified of everything.
struct UnknownChangesTests {
  /// A user's cache whose transactions fail after their first change.
  private final class HalfwayCache: NormalizedCache {
    struct Failure: Error {}
    let memory = InMemoryNormalizedCache()

    func loadRecords(forKeys keys: Set<RecordKey>) -> [RecordKey: Record] {
      memory.loadRecords(forKeys: keys)
    }
    func merge(records: RecordSet) -> ChangeSet { memory.merge(records: records) }
    func removeRecord(for key: RecordKey) throws -> ChangeSet { throw Failure() }
    func removeRecords(matching pattern: String) -> ChangeSet {
      memory.removeRecords(matching: pattern)
    }
    func clear() { memory.clear() }
  }

  @Test func aCommitThatFailsHalfWayNotifiesOfEverything() async throws {
    let cache = HalfwayCache()
    let store = ApolloStore(cache: cache)
    let notes = Notes()
    let subscription = store.subscribe { notes.append($0) }
    await #expect(throws: HalfwayCache.Failure.self) {
      try await store.withinReadWriteTransaction { transaction in
        try transaction.merge(["Hero:1": ["name": "Luke"]])
        try transaction.removeObject(for: "Hero:2")
      }
    }
    #expect(cache.loadRecords(forKeys: ["Hero:1"]).count == 1)
    #expect(notes.count == 1)
    #expect(notes.last?.changes.includesEverything == true)
    withExtendedLifetime(subscription) {}
  }

  @Test func aBodyThatThrowsNotifiesOfNothing() async throws {
    let store = ApolloStore(cache: HalfwayCache())
    let notes = Notes()
    let subscription = store.subscribe { notes.append($0) }
    await #expect(throws: HalfwayCache.Failure.self) {
      try await store.withinReadWriteTransaction { transaction in
        try transaction.merge(["Hero:1": ["name": "Luke"]])
        throw HalfwayCache.Failure()
      }
    }
    #expect(notes.count == 0)
    withExtendedLifetime(subscription) {}
  }

  static let makers: [@Sendable () -> any NormalizedCache] = [
    { InMemoryNormalizedCache() }, { ChainedNormalizedCache(InMemoryNormalizedCache()) },
    { DictionaryCache([:]) },
  ]

  @Test(arguments: makers)
  func storesOfOneCacheNotifyEachOther(_ make: @Sendable () -> any NormalizedCache) async throws {
    let cache = make()
    let (writer, reader) = (ApolloStore(cache: cache), ApolloStore(cache: cache))
    let notes = Notes()
    let watch = reader.watch { notes.append($0) }
    let query = LibraryQuery<Scores>()
    _ = watch.depend(on: try await reader.load(query).trace)
    for number in 1...3 as ClosedRange<Int64> {
      try await writer.publish(["QUERY_ROOT": ["scores": [[.int(number)]]]])
      #expect(notes.count == Int(number))
      let reading = try await reader.load(query)
      #expect(reading.data?.jsonValue == ["scores": [[.int(number)]]])
      #expect(watch.depend(on: reading.trace))
    }
    try await reader.publish(["Hero:1": [:]])
    #expect(notes.count == 3, "Its own writes are known.")
  }

  /// Two caches with the same records.
  static let pairMakers: [@Sendable () -> (any NormalizedCache, any NormalizedCache)] = [
    {
      let memory = InMemoryNormalizedCache()
      return (memory, ChainedNormalizedCache(memory))
    },
    {
      let memory = InMemoryNormalizedCache()
      return (ChainedNormalizedCache(memory), memory)
    },
    {
      let memory = InMemoryNormalizedCache()
      return (
        ChainedNormalizedCache(memory), ChainedNormalizedCache(ChainedNormalizedCache(memory))
      )
    },
  ]

  @Test(arguments: pairMakers)
  func storesOfAChainAndOfTheCacheBelowItNotifyEachOther(
    _ make: @Sendable () -> (any NormalizedCache, any NormalizedCache)
  ) async throws {
    let caches = make()
    let (writer, reader) = (ApolloStore(cache: caches.0), ApolloStore(cache: caches.1))
    let notes = Notes()
    let watch = reader.watch { notes.append($0) }
    let query = LibraryQuery<Scores>()
    _ = watch.depend(on: try await reader.load(query).trace)
    for number in 1...3 as ClosedRange<Int64> {
      try await writer.publish(["QUERY_ROOT": ["scores": [[.int(number)]]]])
      #expect(notes.count == Int(number))
      for _ in 0..<2 {
        let reading = try await reader.load(query)
        #expect(reading.data?.jsonValue == ["scores": [[.int(number)]]])
        #expect(watch.depend(on: reading.trace))
      }
    }
    try await reader.publish(["Hero:1": [:]])
    #expect(notes.count == 3, "Its own writes are known.")
  }

  @Test func anOtherwiseChangedMemoryIsNoticedWithTheNextWrite() async throws {
    let cache = InMemoryNormalizedCache()
    let store = ApolloStore(cache: cache)
    let notes = Notes()
    let subscription = store.subscribe { notes.append($0) }
    _ = cache.merge(records: ["Hero:1": ["name": "Luke"]])
    try await store.publish(["Hero:2": ["name": "Leia"]])
    #expect(notes.last?.changes.includesEverything == true)
    withExtendedLifetime(subscription) {}
  }

  /// The cache counts only commits that change something. The other commit has counted here.
  @Test func anOtherwiseChangedMemoryIsNoticedWithAWriteThatChangesNothing() async throws {
    let cache = InMemoryNormalizedCache(records: ["Hero:2": ["name": "Leia"]])
    let store = ApolloStore(cache: cache)
    let notes = Notes()
    let subscription = store.subscribe { notes.append($0) }
    _ = cache.merge(records: ["Hero:1": ["name": "Luke"]])
    try await store.publish(["Hero:2": ["name": "Leia"]])
    #expect(notes.last?.changes.includesEverything == true)
    try await store.publish(["Hero:2": ["name": "Leia"]])
    #expect(notes.count == 1)
    withExtendedLifetime(subscription) {}
  }
}
