import ApolloAPI
import ApolloCache
import Foundation
import SeededRandom
import Testing

/// The law of collections: what can be reached is never lost, and nothing else is left.
struct GarbageCollectionTests {
  static let makers: [@Sendable () -> any NormalizedCache] = [
    { InMemoryNormalizedCache() }, { ChainedNormalizedCache(InMemoryNormalizedCache()) },
    { ListingCache() },
  ]

  @Test(arguments: makers)
  func removesExactlyWhatCannotBeReached(_ make: @Sendable () -> any NormalizedCache) async throws {
    let seed = freshSeed
    var random = SeededGenerator(seed: seed)
    for round in 0..<30 {
      let graph = RandomGraph(using: &random)
      let cache = make()
      _ = try cache.merge(records: graph.records)
      let store = ApolloStore(cache: cache)
      let kept = graph.keys.shuffled(using: &random).prefix(2)
      let retention = store.retain(kept)
      let reachable = graph.reachable(from: [.queryRoot] + kept)
      let result = try await store.collectGarbage()
      let left = Set(try #require(try cache.recordKeys()))
      #expect(left == reachable, "seed \(seed), round \(round)")
      #expect(result.removedCount == graph.keys.count - reachable.count, "seed \(seed)")
      #expect(result.isComplete)
      retention.release()
      try await store.collectGarbage()
      #expect(
        Set(try #require(try cache.recordKeys())) == graph.reachable(from: [.queryRoot]),
        "seed \(seed), round \(round)")
    }
  }

  @Test func countsOnlyRecordsThatExist() async throws {
    let cache = InMemoryNormalizedCache(records: [
      "A": ["b": .reference("B"), "missing": .reference("C")], "B": [:],
    ])
    let result = try await ApolloStore(cache: cache).removeObject(for: "A", cascades: true)
    #expect(result.removedCount == 2)
  }

  /// Memory would keep all records of the disk otherwise, or lose those that are in use.
  @Test func visitingAllRecordsLeavesMemoryInFrontOfACacheAsItIs() async throws {
    let disk = InMemoryNormalizedCache(records: [
      .queryRoot: ["a": .reference("A")], "A": ["b": .reference("B")], "B": ["n": 1],
    ])
    let chain = ChainedNormalizedCache(disk)
    let store = ApolloStore(cache: chain)
    #expect(try chain.loadRecords(forKeys: ["B"]).count == 1)
    try await store.collectGarbage()
    #expect(chain.countInMemory == 1)
    try await store.trim(to: 1_000_000)
    #expect(try await store.byteCount() > 0)
    #expect(try await store.danglingReferences().isEmpty)
    #expect(chain.countInMemory == 1)
  }

  @Test(arguments: makers)
  func keepsWhatALayerOfAnotherStoreShows(
    _ make: @Sendable () -> any NormalizedCache
  ) async throws {
    let cache = make()
    let (one, other) = (ApolloStore(cache: cache), ApolloStore(cache: cache))
    try await one.publish(["A:1": ["next": .reference("A:2")], "A:2": ["n": 2], "A:3": ["n": 3]])
    let layer = one.layers.reserve()
    try await one.showLayer(layer) { try $0.merge([.queryRoot: ["a": .reference("A:1")]]) }
    for store in [one, other] {
      try await store.collectGarbage()
      try await store.trim(to: 0)
      #expect(try Set(#require(try cache.recordKeys())).isSuperset(of: ["A:1", "A:2"]))
    }
    await one.removeLayer(layer)
    try await other.collectGarbage()
    #expect(try Set(#require(try cache.recordKeys())).isDisjoint(with: ["A:1", "A:2", "A:3"]))
  }

  @Test(arguments: makers)
  func losesNothingThatWritersReferTo(_ make: @Sendable () -> any NormalizedCache) async throws {
    let seed = freshSeed
    var random = SeededGenerator(seed: seed)
    for round in 0..<10 {
      let graph = RandomGraph(count: 200, using: &random)
      let cache = make()
      _ = try cache.merge(records: graph.records)
      let store = ApolloStore(cache: cache)
      // Each write makes a record reachable, which the collection may have found unreachable.
      let targets = (0..<50).map { _ in graph.keys.randomElement(using: &random)! }
      async let collection = store.collectGarbage()
      var linked: Set<RecordKey> = []
      for (index, target) in targets.enumerated() {
        try await store.withinReadWriteTransaction { transaction in
          try transaction.merge([.queryRoot: [FieldKey("link\(index)"): .reference(target)]])
          // Records that were unreachable until now may have been removed already.
          linked.formUnion(
            try graph.reachable(from: [target]) { try transaction.record(for: $0) != nil })
        }
      }
      _ = try await collection
      let left = Set(try #require(try cache.recordKeys()))
      let expected = graph.reachable(from: [.queryRoot]).union(linked)
      #expect(expected.subtracting(left).isEmpty, "seed \(seed), round \(round)")
    }
  }

  @Test func keepsWhatAWatchShows() async throws {
    let cache = InMemoryNormalizedCache(records: ["A:1": ["name": "a"], "B:1": ["name": "b"]])
    let store = ApolloStore(cache: cache)
    let generation = store.registry.generation
    let watch = store.subscribe { _ in }
    let dependencies = Dependencies([FieldAddress(record: "A:1", field: "name")])
    #expect(watch.depend(on: ReadingTrace(dependencies: dependencies, generation: generation)))
    #expect(try await store.collectGarbage().removedCount == 1)
    #expect(cache.recordKeys() == ["A:1"])
    watch.cancel()
    #expect(try await store.collectGarbage().removedCount == 1)
    #expect(cache.recordKeys() == [])
  }

  @Test func keepsWhatAnOptimisticLayerRefersTo() async throws {
    let cache = InMemoryNormalizedCache(records: ["A:1": ["name": "a"], "B:1": ["name": "b"]])
    let store = ApolloStore(cache: cache)
    let layer = store.layers.reserve()
    try await store.showLayer(layer) { transaction in
      try transaction.merge([.queryRoot: ["a": .reference("A:1")]])
    }
    #expect(try await store.collectGarbage().removedCount == 1)
    #expect(cache.recordKeys() == ["A:1"])
    await store.removeLayer(layer)
    #expect(try await store.collectGarbage().removedCount == 1)
  }

  /// Its closure runs again when the cache changes, also by another store.
  @Test(arguments: makers)
  func keepsWhatTheClosureOfALayerHasRead(
    _ make: @Sendable () -> any NormalizedCache
  ) async throws {
    let cache = make()
    let (one, other) = (ApolloStore(cache: cache), ApolloStore(cache: cache))
    try await one.publish(["User:1": ["name": "Ada"]])
    let layer = one.layers.reserve()
    try await one.showLayer(layer) { transaction in
      let name = try transaction.record(for: "User:1")?["name"] ?? .null
      try transaction.merge([.queryRoot: ["author": name]])
    }
    for store in [one, other] {
      try await store.publish(["User:2": ["name": "Grace"]])
      #expect(try await store.collectGarbage().removedCount == 1)
      try await store.trim(to: 0)
      let root = try await one.withinReadTransaction { try $0.record(for: .queryRoot) }
      #expect(root?["author"] == "Ada")
    }
    await one.removeLayer(layer)
    #expect(try await other.collectGarbage().removedCount == 1)
  }

  @Test func refusesACacheThatCannotListItsRecords() async throws {
    let store = ApolloStore(cache: DictionaryCache([:]))
    await #expect {
      try await store.collectGarbage()
    } throws: {
      ($0 as? StoreError)?.code == .requiresEnumeration
        && "\($0)".hasSuffix("Implement 'recordKeys()' of the cache to collect or trim them.")
    }
  }

  @MainActor
  @Test(
    arguments: [
      { @Sendable store in _ = try await store.collectGarbage() },
      { store in _ = try await store.trim(to: 0) },
      { store in _ = try await store.byteCount() },
      { store in _ = try await store.danglingReferences() },
      { store in _ = try await store.removeObject(for: "Album:1", cascades: true) },
    ] as [@Sendable (ApolloStore) async throws -> Void])
  func doesNotKeepTheActorOfItsCaller(
    _ visit: @Sendable (ApolloStore) async throws -> Void
  ) async throws {
    let cache = ListingCache()
    let store = ApolloStore(cache: cache)
    try await store.publish(["Album:1": ["photo": .reference("Photo:1")], "Photo:1": ["size": 1]])
    cache.readsOfMainThread.withLock { $0 = 0 }
    try await visit(store)
    #expect(cache.readsOfMainThread.get() == 0)
  }

  @Test func removesARecordWithWhatOnlyItRefersTo() async throws {
    let cache = InMemoryNormalizedCache(records: [
      "QUERY_ROOT": ["album": .reference("Album:1"), "cover": .reference("Photo:1")],
      "Album:1": ["photos": [.reference("Photo:1"), .reference("Photo:2")]],
      "Photo:1": ["size": 1], "Photo:2": ["size": 2, "album": .reference("Album:1")],
      "Photo:3": ["size": 3],
    ])
    let store = ApolloStore(cache: cache)
    let result = try await store.removeObject(for: "Album:1", cascades: true)
    #expect(result.removedCount == 2)
    #expect(Set(cache.recordKeys() ?? []) == ["QUERY_ROOT", "Photo:1", "Photo:3"])
    #expect(
      try await store.danglingReferences() == [FieldAddress(record: .queryRoot, field: "album")])
    #expect(try await store.removeObject(for: "Album:1", cascades: true).removedCount == 0)
  }
}

/// Records that refer to each other at random, some of them from the root of queries.
private struct RandomGraph {
  private(set) var records = RecordSet()
  private var references: [RecordKey: [RecordKey]] = [:]
  private(set) var keys: [RecordKey] = [.queryRoot]

  init(count: Int = 40, using random: inout SeededGenerator) {
    keys += (0..<count).map { RecordKey("N:\($0)") }
    for key in keys {
      let targets = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        keys.randomElement(using: &random)!  // there is a root
      }
      references[key] = targets
      var fields: FieldMap = ["name": .string("\(key)")]
      for (index, target) in targets.enumerated() {
        let reference = CacheValue.reference(target)
        let isEmbedded = Bool.random(using: &random)
        fields[FieldKey("to\(index)")] = isEmbedded ? ["nodes": [reference, .null]] : reference
      }
      records.append(Record(key: key, fields: fields))
    }
  }

  func reachable(from roots: [RecordKey]) -> Set<RecordKey> {
    reachable(from: roots) { _ in true }
  }

  func reachable(
    from roots: [RecordKey], where exists: (RecordKey) throws -> Bool
  ) rethrows -> Set<RecordKey> {
    var found: Set<RecordKey> = []
    var pending = roots
    while let key = pending.popLast() {
      guard try exists(key) else { continue }
      if found.insert(key).inserted { pending += references[key] ?? [] }
    }
    return found
  }
}

/// A cache of a user's own that lists its records, without snapshots.
private final class ListingCache: NormalizedCache {
  private let cache = InMemoryNormalizedCache()
  /// The number of readings on the main thread.
  let readsOfMainThread = Lock(0)

  private func noteReading() {
    if Thread.isMainThread { readsOfMainThread.withLock { $0 += 1 } }
  }

  func loadRecords(forKeys keys: Set<RecordKey>) -> [RecordKey: Record] {
    noteReading()
    return cache.loadRecords(forKeys: keys)
  }
  func merge(records: RecordSet) -> ChangeSet { cache.merge(records: records) }
  func removeRecord(for key: RecordKey) -> ChangeSet { cache.removeRecord(for: key) }
  func removeRecords(matching pattern: String) -> ChangeSet {
    cache.removeRecords(matching: pattern)
  }
  func clear() { cache.clear() }
  func recordKeys() -> [RecordKey]? {
    noteReading()
    return cache.recordKeys()
  }
}
