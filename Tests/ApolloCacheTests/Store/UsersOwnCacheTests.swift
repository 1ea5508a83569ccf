import ApolloAPI
import ApolloCache
import Testing

/// The calls of a store and of a chain to a user's own cache.
@Suite(.timeLimit(.minutes(10)))
struct UsersOwnCacheTests {
  /// A cache that applies changes one by one, and fails after a merge.
  private final class HalfHearted: NormalizedCache {
    struct Failure: Error {}
    private let memory: InMemoryNormalizedCache

    init(_ records: RecordSet) { memory = InMemoryNormalizedCache(records: records) }

    func loadRecords(forKeys keys: Set<RecordKey>) throws -> [RecordKey: Record] {
      memory.loadRecords(forKeys: keys)
    }
    func merge(records: RecordSet) throws -> ChangeSet { memory.merge(records: records) }
    func removeRecord(for key: RecordKey) throws -> ChangeSet { throw Failure() }
    func removeRecords(matching pattern: String) throws -> ChangeSet { throw Failure() }
    func clear() throws { throw Failure() }
  }

  @Test func memoryAgreesWithAUsersOwnCacheThatFailedHalfWay() throws {
    let slower = HalfHearted(["A": ["x": 1]])
    let chain = ChainedNormalizedCache(slower)
    #expect(try chain.loadRecords(forKeys: ["A"])["A"]?["x"] == 1)
    #expect(throws: HalfHearted.Failure.self) {
      try chain.apply([.merge(["A": ["x": 2]]), .remove("B")])
    }
    #expect(try chain.loadRecords(forKeys: ["A"]) == slower.loadRecords(forKeys: ["A"]))
  }

  @Test func theMergesOfATransactionAreOneChange() async throws {
    let written = Lock<[Int]>([])
    final class Counting: NormalizedCache {
      let written: Lock<[Int]>
      init(_ written: Lock<[Int]>) { self.written = written }
      func loadRecords(forKeys keys: Set<RecordKey>) -> [RecordKey: Record] { [:] }
      func merge(records: RecordSet) -> ChangeSet {
        written.withLock { $0.append(records.count) }
        return ChangeSet()
      }
      func removeRecord(for key: RecordKey) -> ChangeSet { ChangeSet() }
      func removeRecords(matching pattern: String) -> ChangeSet { ChangeSet() }
      func clear() {}
    }
    let store = ApolloStore(cache: Counting(written))
    try await store.withinReadWriteTransaction { transaction in
      for number in 0..<5 { try transaction.merge([RecordKey("A:\(number)"): ["x": 1]]) }
      try transaction.removeObject(for: "B")
      try transaction.merge(["C": ["x": 1]])
    }
    #expect(written.withLock { $0 } == [5, 1])
  }
}
