import ApolloAPI
import ApolloCache
import Testing

/// Memory in front of a cache to which others write as well.
struct ChainedCacheTests {
  /// A cache that reports foreign commits when a test says so.
  private final class SharedMemory: NormalizedCache, LocalRecordStore {
    let records = InMemoryNormalizedCache()
    private let count = Lock<Int?>(0)

    /// Writes as another process does.
    func writeAsAnother(_ incoming: RecordSet, count: Int?) {
      _ = records.merge(records: incoming)
      self.count.withLock { $0 = count }
    }

    func loadRecords(forKeys keys: Set<RecordKey>) -> [RecordKey: Record] {
      records.loadRecords(forKeys: keys)
    }
    func merge(records incoming: RecordSet) -> ChangeSet { records.merge(records: incoming) }
    func removeRecord(for key: RecordKey) -> ChangeSet { records.removeRecord(for: key) }
    func removeRecords(matching pattern: String) -> ChangeSet {
      records.removeRecords(matching: pattern)
    }
    func clear() { records.clear() }

    var isTransactional: Bool { true }
    func foreignCommitCount() -> Int? { count.withLock { $0 } }
    func commitCount() -> Int? {
      guard let foreign = foreignCommitCount(), let all = records.commitCount() else { return nil }
      return foreign + all
    }
    func openSnapshot() -> any StoreSnapshot { records.openSnapshot() }
    func tryToWrite(isLastTry: Bool) -> (any LocalWriteContext)? {
      records.tryToWrite(isLastTry: isLastTry)
    }
  }

  @Test func memoryStaysUnderItsLimit() throws {
    let disk = InMemoryNormalizedCache()
    let record = Record(
      key: "A:100", fields: ["text": .string(String(repeating: "x", count: 1_000))])
    let chain = ChainedNormalizedCache(disk, memoryLimit: 10 * record.byteCount)
    for index in 0..<100 {
      let key = RecordKey("A:\(100 + index)")
      _ = try chain.merge(records: [key: record.fields])
      #expect(chain.countInMemory <= 10)
    }
    for index in 0..<100 {
      let key = RecordKey("A:\(100 + index)")
      #expect(try chain.loadRecords(forKeys: [key])[key]?.fields == record.fields)
      #expect(chain.countInMemory <= 10)
    }
    #expect(chain.countInMemory > 0)
  }

  /// Otherwise a reader would combine records of two moments: half of a write.
  @Test(arguments: [1, nil])
  func memoryIsNotUsedAfterForeignCommitsOrWhileTheyCannotBeCounted(count: Int?) throws {
    let disk = SharedMemory()
    let chain = ChainedNormalizedCache(disk)
    _ = disk.merge(records: ["A": ["n": 1], "B": ["n": 1]])
    // The first reading notices the write below the chain, and keeps nothing.
    for _ in 0..<2 { #expect(try chain.loadRecords(forKeys: ["A"])["A"]?["n"] == 1) }
    #expect(chain.countInMemory == 1)
    disk.writeAsAnother(["A": ["n": 2], "B": ["n": 2]], count: count)
    for round in 0..<2 {
      let snapshot = try #require(try chain.snapshot())
      #expect(try snapshot.fields(of: "A") == ["n": 2], "round \(round)")
      #expect(try snapshot.fields(of: "B") == ["n": 2], "round \(round)")
    }
    disk.writeAsAnother(["A": ["n": 3], "B": ["n": 3]], count: 2)
    #expect(try chain.loadRecords(forKeys: ["A", "B"]).mapValues { $0["n"] } == ["A": 3, "B": 3])
  }
}
