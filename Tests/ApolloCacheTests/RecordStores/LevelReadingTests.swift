import ApolloAPI
import ApolloCache
import Testing

/// Caches that load records in batches: all references of one level of a selection in one call.
@Suite(.timeLimit(.minutes(10)))
struct LevelReadingTests {
  /// Three levels of records: the root, its people, and their friends.
  private static let definition = DynamicDefinition(
    Selections("Query {people [Person {id ID! best Person {id ID! name String!}}!]!}"),
    types: SchemaTypes(objects: [Object(typename: "Person", keyFields: ["id"])]))

  private static let levels: [Set<RecordKey>] = [
    ["QUERY_ROOT"], Set((0..<100).map { RecordKey("Person:\($0)") }),
    Set((0..<100).map { RecordKey("Person:\($0 + 100)") }),
  ]

  private static func records(without missing: RecordKey? = nil) -> RecordSet {
    let people = (0..<100).map { index in
      Record(
        key: RecordKey("Person:\(index)"),
        fields: [
          "id": .string("\(index)"), "best": .reference(RecordKey("Person:\(index + 100)")),
        ])
    }
    let friends = (100..<200).map { index in
      Record(
        key: RecordKey("Person:\(index)"),
        fields: ["id": .string("\(index)"), "name": .string("Friend \(index)")])
    }
    let root = Record(
      key: .queryRoot, fields: ["people": .list(people.map { .reference($0.key) })])
    return RecordSet(([root] + people + friends).filter { $0.key != missing })
  }

  /// A user's own cache with only the five required methods, which remembers what it was asked for.
  private final class RecordingCache: NormalizedCache {
    let memory: InMemoryNormalizedCache
    let batches = Lock<[Set<RecordKey>]>([])

    init(_ records: RecordSet) { memory = InMemoryNormalizedCache(records: records) }

    func loadRecords(forKeys keys: Set<RecordKey>) -> [RecordKey: Record] {
      batches.withLock { $0.append(keys) }
      return memory.loadRecords(forKeys: keys)
    }
    func merge(records: RecordSet) -> ChangeSet { memory.merge(records: records) }
    func removeRecord(for key: RecordKey) -> ChangeSet { memory.removeRecord(for: key) }
    func removeRecords(matching pattern: String) -> ChangeSet {
      memory.removeRecords(matching: pattern)
    }
    func clear() { memory.clear() }
  }

  /// A cache on another machine: every batch suspends.
  private final class RemoteStore: RecordStore {
    let memory: InMemoryNormalizedCache
    let batches = Lock<[Set<RecordKey>]>([])

    init(_ records: RecordSet) { memory = InMemoryNormalizedCache(records: records) }

    func openSnapshot() -> any StoreSnapshot { RemoteSnapshot(self) }
    nonisolated(nonsending) func beginWriting() async throws -> any WriteContext {
      await Task.yield()
      return RemoteWriteContext(store: self)
    }
  }

  private struct RemoteWriteContext: WriteContext {
    let store: RemoteStore

    func snapshot() -> any StoreSnapshot { store.openSnapshot() }
    nonisolated(nonsending) func commit(_ mutations: [CacheMutation]) async throws -> Commit {
      await Task.yield()
      return Commit(changes: store.memory.apply(mutations))
    }
    nonisolated(nonsending) func commit(_ response: NormalizedResponse) async throws -> Commit {
      try await commit([.merge(response.records)])
    }
    func end() {}
  }

  private final class RemoteSnapshot: StoreSnapshot {
    private let store: RemoteStore
    private let table: RecordTable
    private var loaded: Set<RecordKey> = []

    init(_ store: RemoteStore) {
      self.store = store
      table = store.memory.currentSnapshot().table
    }

    func fields(of key: RecordKey) throws -> FieldMap? {
      guard loaded.contains(key) else { throw StoreError(.requiresAsynchronousReading) }
      return table.fields(of: key)
    }

    var loadsInBatches: Bool { true }
    func isLoaded(_ key: RecordKey) -> Bool { loaded.contains(key) }
    func loadNow(_ keys: [RecordKey]) -> Bool { false }
    nonisolated(nonsending) func load(_ keys: [RecordKey]) async throws {
      #expect(Set(keys).count == keys.count, "No record is loaded twice.")
      store.batches.withLock { $0.append(Set(keys)) }
      await Task.yield()
      loaded.formUnion(keys)
    }
  }

  // MARK: - Tests

  @Test func aUsersOwnCacheIsReadOnceForEachLevel() async throws {
    try await Self.definition.use { query in
      let cache = RecordingCache(Self.records())
      let reading = try await ApolloStore(cache: cache).load(query.init())
      #expect(reading.data != nil)
      #expect(cache.batches.withLock { $0 } == Self.levels)
    }
  }

  /// Keeps objects as they were decoded, which are read in another way than fields.
  @Test func aResponseIsReadBackOnceForEachLevel() async throws {
    try await Self.definition.use { query in
      let cache = RecordingCache([:])
      let store = ApolloStore(cache: cache)
      let people = (0..<20).map {
        #"{"id":"\#($0)","best":{"id":"\#($0 + 100)","name":"Friend"}}"#
      }
      let body = #"{"data":{"people":[\#(people.joined(separator: ","))]}}"#
      try await store.publish(body: Array(body.utf8), of: query.init())
      cache.batches.withLock { $0 = [] }
      let reading = try await store.load(query.init())
      #expect(reading.data != nil)
      #expect(cache.batches.withLock { $0.map(\.count) } == [1, 20, 20])
    }
  }

  @Test func theElementsOfInnerListsAreOneLevel() async throws {
    let definition = DynamicDefinition(
      Selections("Query {rows [[Person {id ID! name String!}!]!]!}"),
      types: SchemaTypes(objects: [Object(typename: "Person", keyFields: ["id"])]))
    try await definition.use { query in
      let rows = (0..<5).map { row in
        CacheValue.list(
          (0..<5).map { .reference(RecordKey("Person:\(100 + 5 * row + $0)")) })
      }
      let cache = RecordingCache(
        RecordSet(Self.records() + [Record(key: .queryRoot, fields: ["rows": .list(rows)])]))
      let reading = try await ApolloStore(cache: cache).load(query.init())
      #expect(reading.data != nil)
      #expect(cache.batches.withLock { $0.map(\.count) } == [1, 25])
    }
  }

  @Test func theCandidatesOfAFieldPolicyAreOneLevel() async throws {
    let definition = DynamicDefinition(
      Selections("Query {people(ids:$ids) [Person {id ID! name String!}!]!}"),
      types: SchemaTypes(objects: [
        Object(typename: "Person", keyFields: ["id"]),
        Object(typename: "Query", fieldPolicies: ["people": ["ids"]]),
      ]))
    try await definition.use { query in
      let cache = RecordingCache(Self.records())
      let ids = (100..<120).map { "\($0)" }
      let reading = try await ApolloStore(cache: cache).load(query.init(["ids": ids]))
      #expect(reading.data != nil)
      #expect(cache.batches.withLock { $0.map(\.count) } == [1, 20])
    }
  }

  @Test func aTransactionThatWritesLoadsItsRecordsInOneBatch() async throws {
    let cache = RecordingCache(Self.records())
    try await ApolloStore(cache: cache).withinReadWriteTransaction { transaction in
      try transaction.merge(RecordSet((0..<20).map { Record(key: RecordKey("Person:\($0)")) }))
    }
    #expect(cache.batches.withLock { $0.map(\.count) } == [20])
  }

  @Test func aTransactionLoadsFromAUsersOwnCacheOnceForEachLevel() async throws {
    try await Self.definition.use { query in
      let cache = RecordingCache(Self.records())
      let store = ApolloStore(cache: cache)
      _ = try await store.withinReadTransaction { try $0.read(query: query.init()) }
      #expect(cache.batches.withLock { $0 } == Self.levels)
      cache.batches.withLock { $0 = [] }
      try await store.withinReadWriteTransaction { transaction throws in
        try transaction.merge(["Person:0": ["best": .null]])
        _ = try transaction.read(query: query.init())
      }
      #expect(
        cache.batches.withLock { $0 } == [
          ["Person:0"], Self.levels[0], Self.levels[1].subtracting(["Person:0"]),
          Self.levels[2].subtracting(["Person:100"]),
        ])
    }
  }

  @Test func memoryInFrontOfAUsersOwnCacheKeepsWhatOneBatchLoaded() async throws {
    try await Self.definition.use { query in
      let cache = RecordingCache(Self.records())
      let store = ApolloStore(cache: ChainedNormalizedCache(cache))
      for _ in 0..<2 {
        let reading = try await store.load(query.init())
        #expect(reading.data != nil)
      }
      // Only a part of the root is read, so it is not kept.
      #expect(cache.batches.withLock { $0 } == Self.levels + [["QUERY_ROOT"]])
    }
  }

  @Test func aRemoteCacheIsReadAsynchronouslyOnceForEachLevel() async throws {
    try await Self.definition.use { query in
      let remote = RemoteStore(Self.records())
      let reading = try await ApolloStore(records: remote).load(query.init())
      #expect(reading.data != nil)
      #expect(remote.batches.withLock { $0 } == Self.levels)
    }
  }

  @Test func missesAreTheSameAsThoseOfACacheInMemory() async throws {
    try await Self.definition.use { query in
      let records = Self.records(without: "Person:150")
      let expected = try await ApolloStore(
        cache: InMemoryNormalizedCache(records: records)
      ).load(query.init())
      let remote = try await ApolloStore(records: RemoteStore(records)).load(query.init())
      let own = try await ApolloStore(cache: RecordingCache(records)).load(query.init())
      #expect(expected.misses.count == 1)
      #expect(remote.misses == expected.misses)
      #expect(own.misses == expected.misses)
    }
  }

  @Test func writesToARemoteCacheNotifyWatches() async throws {
    try await Self.definition.use { query in
      let store = ApolloStore(records: RemoteStore(Self.records()))
      let notes = Notes()
      let watch = store.watch(onChange: notes.append)
      let reading = try await store.load(query.init())
      #expect(watch.depend(on: reading.trace))
      try await store.publish(["Person:7": ["unrelated": 1]])
      #expect(notes.count == 0)
      try await store.publish(["Person:107": ["name": "Lando"]])
      #expect(notes.count == 1)
    }
  }

  @Test func aTransactionRefusesToReadARemoteCacheSynchronously() async throws {
    try await Self.definition.use { query in
      let store = ApolloStore(records: RemoteStore(Self.records()))
      _ = try await store.withinReadTransaction { transaction throws in
        #expect(throws: StoreError(.requiresAsynchronousReading)) {
          _ = try transaction.read(query: query.init())
        }
      }
    }
  }
}
