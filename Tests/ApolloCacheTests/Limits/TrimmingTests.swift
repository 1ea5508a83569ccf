import ApolloAPI
import ApolloCache
import Foundation
import SeededRandom
import Testing

/// The laws of trimming: the size is under the limit, what is shown stays, and reading what was
/// evicted is a miss.
@Suite(.timeLimit(.minutes(10)))
struct TrimmingTests {
  @Test(arguments: GarbageCollectionTests.makers)
  func makesAnyCacheAsSmallAsAsked(_ make: @Sendable () -> any NormalizedCache) async throws {
    let seed = freshSeed
    var random = SeededGenerator(seed: seed)
    for limit in [0, 1_000, 10_000, 100_000] {
      let cache = make()
      let store = ApolloStore(cache: cache)
      let before = Feed.records(day: 1, using: &random)
      _ = try cache.merge(records: before)
      let retention = store.retain(["Post:1-0"])
      let result = try await store.trim(to: limit)
      let byteCount = try await store.byteCount()
      #expect(result.byteCount == byteCount, "seed \(seed), limit \(limit)")
      let kept = try cache.loadRecords(forKeys: ["Post:1-0", "Author:1-0"])
      #expect(kept.count == 2, "A retained record and what it refers to stay.")
      let retained = kept.values.reduce(0) { $0 + $1.byteCount }
      let root = Record(key: .queryRoot).byteCount
      #expect(byteCount <= max(limit, retained + root), "seed \(seed), limit \(limit)")
      #expect(try await store.danglingReferences().isEmpty, "seed \(seed), limit \(limit)")
      retention.release()
    }
  }

  /// A store with a record for each of many fields of the root.
  private func filledStore(_ cache: InMemoryNormalizedCache) async throws -> ApolloStore {
    var records = RecordSet()
    var root = FieldMap()
    for index in 0..<5_000 {
      let key = RecordKey("Post:\(index)")
      root[FieldKey("post\(index)")] = .reference(key)
      records.append(Record(key: key, fields: ["text": "a text"]))
    }
    records.append(Record(key: .queryRoot, fields: root))
    let store = ApolloStore(cache: cache)
    try await store.publish(records)
    return store
  }

  @Test func keepsWhatIsRetainedSinceItBegan() async throws {
    let cache = InMemoryNormalizedCache()
    let store = try await filledStore(cache)
    async let trimming = store.trim(to: 0)
    var retained: [RecordKey: RecordRetention] = [:]
    for index in stride(from: 0, to: 5_000, by: 50) {
      let key = RecordKey("Post:\(index)")
      let retention = store.retain([key])
      if try await store.withinReadTransaction({ try $0.record(for: key) }) != nil {
        retained[key] = retention
      }
      await Task.yield()
    }
    _ = try await trimming
    #expect(cache.loadRecords(forKeys: Set(retained.keys)).count == retained.count)
  }

  /// The clock, which is read when records are being chosen, writes to the cache without a store.
  @Test(arguments: [false, true])
  func keepsWhatTheProgramWritesToTheCacheItself(isChained: Bool) async throws {
    let cache = InMemoryNormalizedCache()
    let number = Lock<Int64>(0)
    var configuration = ApolloStore.Configuration()
    configuration.freshness.now = {
      let value = number.withLock { number in
        number += 1
        return number
      }
      _ = cache.merge(records: [.queryRoot: ["a": .reference("A")], "A": ["n": .int(value)]])
      return Date()
    }
    let store = ApolloStore(
      cache: isChained ? ChainedNormalizedCache(cache) : cache, configuration: configuration)
    try await store.publish([.queryRoot: ["a": .reference("A")], "A": ["n": 0]])
    try await store.trim(to: 0)
    #expect(number.get() > 0)
    let left = cache.loadRecords(forKeys: [.queryRoot, "A"])
    #expect(left[.queryRoot]?["a"] == .reference("A"))
    #expect(left["A"]?["n"] == .int(number.get()))
  }

  @Test func keepsWhatALayerRefersToSinceItBegan() async throws {
    let cache = InMemoryNormalizedCache()
    let store = try await filledStore(cache)
    async let trimming = store.trim(to: 0)
    var shown: Set<RecordKey> = []
    for index in stride(from: 0, to: 5_000, by: 50) {
      let key = RecordKey("Post:\(index)")
      try await store.showLayer(store.layers.reserve()) {
        try $0.merge([RecordKey("Box:\(index)"): ["post": .reference(key)]])
      }
      if try await store.withinReadTransaction({ try $0.record(for: key) }) != nil {
        shown.insert(key)
      }
      await Task.yield()
    }
    _ = try await trimming
    #expect(cache.loadRecords(forKeys: shown).count == shown.count)
  }

  /// The layer changes the record to which a field of the root leads, and not the root.
  @Test func keepsTheFieldsOfTheRootThatTheClosureOfALayerHasRead() async throws {
    let store = ApolloStore()
    try await store.publish([
      .queryRoot: ["me": .reference("User:1")], "User:1": ["name": "Ada"],
    ])
    try await store.showLayer(store.layers.reserve()) { transaction in
      let me = try transaction.record(for: .queryRoot)?["me"]
      guard case .reference(let user)? = me else { return }
      try transaction.merge([user: ["name": "Grace"]])
    }
    try await store.trim(to: 0)
    let user = try await store.withinReadTransaction { try $0.record(for: "User:1") }
    #expect(user?["name"] == "Grace")
  }

  /// The ages of removed fields are removed as well.
  @Test func forgetsTheAgesOfWhatItRemoves() async throws {
    var configuration = ApolloStore.Configuration()
    configuration.freshness.isTracked = true
    let store = ApolloStore(configuration: configuration)
    for round in 0..<5 {
      for index in 0..<50 {
        let key = RecordKey("Post:\(round)-\(index)")
        try await store.publish([
          .queryRoot: [FieldKey("post\(round)-\(index)"): .reference(key)], key: ["text": "x"],
        ])
      }
      try await store.trim(to: 0)
      #expect(store.provenance(of: .queryRoot).isEmpty)
    }
  }

  @Test func keepsTheFieldsOfARetainedRoot() async throws {
    let cache = InMemoryNormalizedCache(records: [.queryRoot: ["n": 1]])
    let store = ApolloStore(cache: cache)
    let retention = store.retain([RecordKey.queryRoot])
    try await store.trim(to: 0)
    #expect(cache.loadRecords(forKeys: [.queryRoot])[.queryRoot]?["n"] == 1)
    retention.release()
    try await store.trim(to: 0)
    #expect(cache.loadRecords(forKeys: [.queryRoot])[.queryRoot]?["n"] == nil)
  }

  @Test func removesNothingFromASmallCache() async throws {
    let cache = InMemoryNormalizedCache(records: [.queryRoot: ["a": .reference("A:1")], "A:1": [:]])
    let store = ApolloStore(cache: cache)
    let byteCount = try await store.byteCount()
    #expect(try await store.trim(to: byteCount).removedCount == 0)
    #expect(cache.count == 2)
  }

  @Test func keepsTheRecordsThatWereUsedLast() async throws {
    var configuration = ApolloStore.Configuration()
    configuration.tracksUse = true
    let cache = InMemoryNormalizedCache()
    let store = ApolloStore(cache: cache, configuration: configuration)
    for index in 0..<100 {
      let key = RecordKey("A:\(index)")
      let records: RecordSet = [
        .queryRoot: [FieldKey("a\(index)"): .reference(key)], key: ["name": "a name"],
      ]
      try await store.publish(NormalizedResponse(records: records))
    }
    try await store.trim(to: store.byteCount() / 2)
    let left = Set(cache.recordKeys() ?? [])
    let expected = (100 - (left.count - 1)..<100).map { RecordKey("A:\($0)") }
    #expect(left == Set(expected + [.queryRoot]))
    #expect(left.count > 30)
  }

  /// The root alone is larger than the limit before its fields are removed.
  @Test func countsTheFieldsThatLeadToRemovedRecords() async throws {
    let cache = InMemoryNormalizedCache()
    let store = ApolloStore(cache: cache)
    let keys = (0..<2_000).map { RecordKey("A:\($0)") }
    let root = FieldMap(keys.map { (FieldKey("field\($0)"), .reference($0)) })
    let records = RecordSet(
      [Record(key: .queryRoot, fields: root)]
        + keys.map { Record(key: $0, fields: ["name": "a name"]) })
    try await store.publish(NormalizedResponse(records: records))
    let limit = 30_000
    let byteCount = try #require(try await store.trim(to: limit).byteCount)
    #expect(byteCount <= limit && byteCount > limit * 9 / 10)
    #expect(cache.count > 200)
  }

  @Test(arguments: [false, true])
  func aStoreWithALimitTrimsByItself(isWatched: Bool) async throws {
    var configuration = ApolloStore.Configuration()
    configuration.sizeLimit = 20_000
    let cache = InMemoryNormalizedCache()
    let store = ApolloStore(cache: cache, configuration: configuration)
    let watch = store.watch { _ in }
    let shown: RecordSet = [.queryRoot: ["first": .reference("A:first")], "A:first": ["n": 0]]
    try await store.publish(NormalizedResponse(records: shown))
    if isWatched {
      _ = watch.depend(
        on: ReadingTrace(
          dependencies: Dependencies(shown), generation: store.registry.generation))
    }
    for index in 0..<2_000 {
      let key = RecordKey("A:\(index)")
      let records: RecordSet = [
        .queryRoot: [FieldKey("a\(index)"): .reference(key)], key: ["name": "a name"],
      ]
      try await store.publish(NormalizedResponse(records: records))
    }
    while try await store.byteCount() > 22_500 { await Task.yield() }
    let keys = Set(cache.recordKeys() ?? [])
    #expect(keys.contains("A:1999"))
    #expect(!keys.contains("A:0"))
    #expect(keys.contains("A:first") == isWatched)
    withExtendedLifetime(watch) {}
  }

  /// One field can need as much as thousands of others.
  @Test func aLimitCountsTheBytesOfLargeFields() async throws {
    var configuration = ApolloStore.Configuration()
    configuration.sizeLimit = 100_000
    let store = ApolloStore(configuration: configuration)
    let result = FieldMap([("text", .string(String(repeating: "x", count: 200)))])
    for index in 0..<40 {
      let results = CacheValue.list(Array(repeating: .object(result), count: 100))
      try await store.publish([.queryRoot: [FieldKey("search\(index)"): results]])
    }
    var byteCount = try await store.byteCount()
    while byteCount > 112_500 {
      await Task.yield()
      byteCount = try await store.byteCount()
    }
    #expect(byteCount > 0)
  }

  /// A writer repeats what is known, and refers to it anew. No reference leads nowhere, and no
  /// record loses its fields.
  @Test(arguments: GarbageCollectionTests.makers)
  func keepsWhatIsWrittenInTheMeantime(_ make: @Sendable () -> any NormalizedCache) async throws {
    @Sendable func record(_ index: Int) -> Record {
      Record(
        key: RecordKey("A:\(index)"),
        fields: ["text": .string(String(repeating: "x", count: 200))])
    }
    let count = 500
    for limit in [20_000, 20_000, 0] {
      let cache = make()
      let store = ApolloStore(cache: cache)
      var records = RecordSet((0..<count).map(record))
      for index in 0..<count {
        records.append(
          Record(
            key: .queryRoot,
            fields: [FieldKey("a\(index)"): .reference(RecordKey("A:\(index)"))]))
      }
      try await store.publish(records)
      let isDone = Lock(false)
      async let writer: Void = {
        var index = 0
        while !isDone.get() {
          index = (index + 7) % count
          let root = Record(
            key: .queryRoot,
            fields: [FieldKey("again\(index)"): .reference(RecordKey("A:\(index)"))])
          try await store.publish(RecordSet([root, record(index)]))
          await Task.yield()
        }
      }()
      do {
        defer { isDone.withLock { $0 = true } }
        try await store.trim(to: limit)
      }
      try await writer
      for key in try #require(try cache.recordKeys()) where !key.isRoot {
        #expect(try cache.loadRecords(forKeys: [key])[key]?["text"] != nil, "\(key)")
      }
      #expect(try await store.danglingReferences() == [])
    }
  }

  @Test func aLimitDoesNotKeepAStoreAlive() async throws {
    var configuration = ApolloStore.Configuration()
    configuration.sizeLimit = 1
    weak var released: ApolloStore?
    do {
      let store = ApolloStore(configuration: configuration)
      released = store
      try await store.publish(["A": ["n": 1]])
    }
    while released != nil { await Task.yield() }
    #expect(released == nil)
  }

  /// Each day a feed is read, shown, and trimmed. What is shown stays, and the cache is bounded.
  @Test func boundsAFeedOfTenDays() async throws {
    let seed = freshSeed
    var random = SeededGenerator(seed: seed)
    var configuration = ApolloStore.Configuration()
    configuration.tracksUse = true
    let cache = InMemoryNormalizedCache()
    let store = ApolloStore(cache: cache, configuration: configuration)
    let limit = 50_000
    for day in 1...10 {
      let records = Feed.records(day: day, using: &random)
      try await store.publish(NormalizedResponse(records: records))
      let shown = Array(records.suffix(20))
      let watch = store.subscribe { _ in }
      _ = watch.depend(
        on: ReadingTrace(
          dependencies: Dependencies(RecordSet(shown)), generation: store.registry.generation))
      let result = try await store.trim(to: limit)
      #expect(try #require(result.byteCount) <= limit, "seed \(seed), day \(day)")
      let left = cache.loadRecords(forKeys: Set(shown.map(\.key)))
      #expect(left.count == Set(shown.map(\.key)).count, "seed \(seed), day \(day)")
      for record in left.values {
        #expect(records.contains { $0.key == record.key }, "seed \(seed), day \(day)")
      }
      #expect(try await store.danglingReferences().isEmpty, "seed \(seed), day \(day)")
    }
  }
}

/// The responses of a feed.
private enum Feed {
  /// The records of one day: pages of posts under a root field each, and their authors.
  static func records(day: Int, using random: inout SeededGenerator) -> RecordSet {
    var records = RecordSet()
    for page in 0..<10 {
      let posts = (0..<20).map { "\(day)-\(page * 20 + $0)" }
      let nodes = posts.map { CacheValue.reference(RecordKey("Post:\($0)")) }
      let field = FieldKey("feed(day:\(day),page:\(page))")
      records.append(Record(key: .queryRoot, fields: [field: ["nodes": .list(nodes)]]))
      for post in posts {
        let text = String(repeating: "x", count: Int.random(in: 0...200, using: &random))
        records.append(
          Record(
            key: RecordKey("Post:\(post)"),
            fields: ["text": .string(text), "author": .reference(RecordKey("Author:\(post)"))]))
        records.append(Record(key: RecordKey("Author:\(post)"), fields: ["name": .string(post)]))
      }
    }
    return records
  }
}
