import ApolloCache
import ApolloSQLite
import Foundation
import Testing

/// Several caches on one file, in one process and in several.
@Suite(.timeLimit(.minutes(10))) struct SharedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func twoCachesSeeEachOthersWrites() throws {
    let first = try SQLiteNormalizedCache(fileURL: folder.file)
    let second = try SQLiteNormalizedCache(fileURL: folder.file)
    _ = try first.merge(records: ["Hero:1": ["name": "Luke"]])
    _ = try second.merge(records: ["Hero:1": ["age": 19]])
    #expect(
      try first.loadRecords(forKeys: ["Hero:1"])["Hero:1"]?.fields == ["name": "Luke", "age": 19])
  }

  @Test func aSnapshotDoesNotSeeLaterWritesAndBlocksNone() throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    _ = try cache.merge(records: ["A": ["n": 1], "B": ["n": 1]])
    let snapshot = try #require(try cache.snapshot())
    #expect(try snapshot.fields(of: "A") == ["n": 1])
    _ = try cache.merge(records: ["A": ["n": 2], "B": ["n": 2]])
    #expect(try snapshot.fields(of: "B") == ["n": 1])
    #expect(try cache.snapshot()?.fields(of: "B") == ["n": 2])
  }

  @Test func checkingFromInsideOfATransactionIsAnErrorAndNoHang() async throws {
    var configuration = SQLiteNormalizedCache.Configuration()
    configuration.busyTimeout = .milliseconds(20)
    let cache = try SQLiteNormalizedCache(fileURL: folder.file, configuration: configuration)
    try await ApolloStore(cache: cache).withinReadWriteTransaction { transaction in
      try transaction.merge(["A": ["n": 1]])
      let error = #expect(throws: SQLiteError.self) { try cache.integrityProblems() }
      #expect(error?.isBusy == true)
    }
    #expect(try cache.integrityProblems() == [])
    #expect(try cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 1)
  }

  @Test func aWriterThatFindsTheFileLockedThrowsAndRecovers() throws {
    var configuration = SQLiteNormalizedCache.Configuration()
    configuration.busyTimeout = .milliseconds(50)
    let cache = try SQLiteNormalizedCache(fileURL: folder.file, configuration: configuration)
    let other = try SQLiteShell.Connection(folder.file)
    try other.run("BEGIN EXCLUSIVE")
    let error = #expect(throws: SQLiteError.self) { _ = try cache.merge(records: ["A": ["n": 1]]) }
    #expect(error?.isBusy == true)
    try other.run("COMMIT")
    _ = try cache.merge(records: ["A": ["n": 1]])
    #expect(try cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 1)
  }

  @Test func aFullDiskIsAnErrorThatLeavesWhatWasThere() throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    _ = try cache.merge(records: ["A": ["n": 1]])
    try cache.limitPageCount(to: 12)
    let big = CacheValue.string(String(repeating: "x", count: 200_000))
    let error = #expect(throws: SQLiteError.self) {
      _ = try cache.merge(records: ["A": ["n": 2], "Big": ["x": big]])
    }
    #expect(error?.isFull == true)
    #expect(try cache.loadRecords(forKeys: ["A", "Big"]).mapValues(\.fields) == ["A": ["n": 1]])
    try cache.limitPageCount(to: 100_000)
    _ = try cache.merge(records: ["A": ["n": 2], "Big": ["x": big]])
    #expect(try cache.loadRecords(forKeys: ["Big"])["Big"]?["x"] == big)
  }

  @Test func noWriteOfSeveralThreadsIsLost() async throws {
    let url = folder.file
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let cache = try SQLiteNormalizedCache(fileURL: url, configuration: .patient)
          for number in 0..<50 {
            _ = try cache.merge(records: [
              "Shared": [FieldKey("f\(writer)"): .int(Int64(number))],
              RecordKey("Own:\(writer):\(number)"): ["n": .int(Int64(number))],
            ])
          }
        }
      }
      try await group.waitForAll()
    }
    let cache = try SQLiteNormalizedCache(fileURL: url)
    #expect(
      try cache.loadRecords(forKeys: ["Shared"])["Shared"]?.fields == [
        "f0": 49, "f1": 49, "f2": 49, "f3": 49,
      ])
    let keys = (0..<4).flatMap { writer in (0..<50).map { RecordKey("Own:\(writer):\($0)") } }
    #expect(try cache.loadRecords(forKeys: Set(keys)).count == 200)
    #expect(try cache.integrityProblems() == [])
  }

  @Test func manyKeysAndLargeKeysAreLoaded() throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    let long = RecordKey(String(repeating: "k", count: 65_536))
    let records = RecordSet(
      (0..<20_000).map { Record(key: RecordKey("R:\($0)"), fields: ["n": .int($0)]) } + [
        Record(key: long, fields: ["n": -1])
      ])
    _ = try cache.merge(records: records)
    let loaded = try cache.loadRecords(forKeys: Set(records.map(\.key)).union(["missing"]))
    #expect(loaded.count == 20_001)
    #expect(loaded[long]?["n"] == -1)
    #expect(loaded["R:19999"]?["n"] == 19_999)
  }

  @Test func clearingWithVacuumShrinksTheFile() throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file, shouldVacuumOnClear: true)
    _ = try cache.merge(records: ["Big": ["x": .string(String(repeating: "x", count: 2_000_000))]])
    try cache.clear()
    let store = try SQLiteNormalizedCache(fileURL: folder.file)
    #expect(try store.loadRecords(forKeys: ["Big"]).isEmpty)
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: folder.file.path)[.size] as? Int)
    #expect(size < 200_000)
  }

  @Test func aStoreOnDiskReadsTheWritesOfAnother() async throws {
    try await ApolloStore(cache: try SQLiteNormalizedCache(fileURL: folder.file)).publish([
      "A": ["n": 1]
    ])
    let store = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: folder.file))
    #expect(try await store.withinReadTransaction { try $0.record(for: "A") }?["n"] == 1)
  }
}
