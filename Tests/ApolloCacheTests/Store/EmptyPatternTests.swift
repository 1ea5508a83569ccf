import ApolloCache
import Testing

/// An empty pattern matches nothing, wherever a cache or a store removes by pattern.
struct EmptyPatternTests {
  static let makers: [@Sendable () -> any NormalizedCache] = [
    { InMemoryNormalizedCache(records: ["Hero:1": ["name": "Luke"]]) },
    { ChainedNormalizedCache(InMemoryNormalizedCache(records: ["Hero:1": ["name": "Luke"]])) },
    { DictionaryCache(["Hero:1": ["name": "Luke"]]) },
  ]

  @Test(arguments: makers)
  func removesNothing(_ make: @Sendable () -> any NormalizedCache) async throws {
    let cache = make()
    let store = ApolloStore(cache: cache)
    let notes = Notes()
    let subscription = store.subscribe { notes.append($0) }
    #expect(try cache.removeRecords(matching: "").isEmpty)
    try await store.removeObjects(matching: "")
    try await store.withinReadWriteTransaction { transaction in
      try transaction.removeObjects(matching: "")
      #expect(try transaction.record(for: "Hero:1") != nil)
    }
    #expect(try cache.loadRecords(forKeys: ["Hero:1"]).count == 1)
    #expect(notes.count == 0)
    withExtendedLifetime(subscription) {}
  }
}
