import ApolloAPI
import ApolloCache
import Testing

/// Memory in front of a cache that others write to as well.
struct ChainedCacheTests {
  /// A cache whose foreign writes are noticed when a test says so.
  private final class SharedMemory: SharedCache {
    let records = InMemoryNormalizedCache()
    private let foreignWriteCount = Lock<Int?>(0)

    /// Writes as another process would.
    func writeAsAnother(_ incoming: RecordSet, count: Int?) {
      _ = records.merge(records: incoming)
      foreignWriteCount.withLock { $0 = count }
    }

    var writeTimeout: Duration { .zero }
    func beginWriting(isLastTry: Bool) throws -> WriteAttempt { .notShared }
    func countForeignWrites() -> Int? { foreignWriteCount.withLock { $0 } }

    func loadRecords(forKeys keys: Set<RecordKey>) -> [RecordKey: Record] {
      records.loadRecords(forKeys: keys)
    }
    func merge(records incoming: RecordSet) -> ChangeSet { records.merge(records: incoming) }
    func removeRecord(for key: RecordKey) -> ChangeSet { records.removeRecord(for: key) }
    func removeRecords(matching pattern: String) -> ChangeSet {
      records.removeRecords(matching: pattern)
    }
    func clear() { records.clear() }
    func snapshot() -> (any RecordSnapshot)? { records.snapshot() }
  }

  /// What memory knows is of another moment then than what it does not know: a reader would see half of a write.
  @Test(arguments: [1, nil])
  func memoryIsNotReadWhenOthersHaveWrittenOrMayHave(foreignWriteCount: Int?) throws {
    let disk = SharedMemory()
    let chain = ChainedNormalizedCache(disk)
    _ = disk.merge(records: ["A": ["n": 1], "B": ["n": 1]])
    #expect(try chain.loadRecords(forKeys: ["A"])["A"]?["n"] == 1)
    disk.writeAsAnother(["A": ["n": 2], "B": ["n": 2]], count: foreignWriteCount)
    for round in 0..<2 {
      let snapshot = try #require(try chain.snapshot())
      #expect(try snapshot.fields(of: "A") == ["n": 2], "round \(round)")
      #expect(try snapshot.fields(of: "B") == ["n": 2], "round \(round)")
    }
    disk.writeAsAnother(["A": ["n": 3], "B": ["n": 3]], count: 2)
    #expect(try chain.loadRecords(forKeys: ["A", "B"]).mapValues { $0["n"] } == ["A": 3, "B": 3])
  }
}
