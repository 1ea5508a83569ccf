import ApolloCache
import ApolloSQLite
import CSQLite
import Foundation
import Testing

/// Caches behave alike with every journal mode, and in memory.
@Suite(.timeLimit(.minutes(10))) struct JournalModeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func configuration(
    _ mode: JournalMode, busyTimeout: Duration = .seconds(300)
  ) -> SQLiteNormalizedCache.Configuration {
    var configuration = SQLiteNormalizedCache.Configuration()
    configuration.journalMode = mode
    configuration.busyTimeout = busyTimeout
    return configuration
  }

  private func open(_ mode: JournalMode) throws -> SQLiteNormalizedCache {
    try SQLiteNormalizedCache(fileURL: folder.file, configuration: configuration(mode))
  }

  @Test func walIsTheDefault() {
    #expect(SQLiteNormalizedCache.Configuration().journalMode == .wal)
    #expect(
      JournalMode.allCases.map(\.rawValue)
        == ["DELETE", "TRUNCATE", "PERSIST", "MEMORY", "WAL", "OFF"])
  }

  /// The files show which mode SQLite uses.
  @Test(
    arguments: [
      (.delete, ["cache.sqlite"]), (.truncate, ["cache.sqlite", "cache.sqlite-journal"]),
      (.persist, ["cache.sqlite", "cache.sqlite-journal"]), (.memory, ["cache.sqlite"]),
      (.wal, ["cache.sqlite", "cache.sqlite-shm", "cache.sqlite-wal"]),
      (.off, ["cache.sqlite"]),
    ] as [(JournalMode, Set<String>)])
  func recordsAreReadAfterOpeningAgain(mode: JournalMode, files: Set<String>) throws {
    do {
      let cache = try SQLiteNormalizedCache(
        fileURL: folder.file, configuration: configuration(mode))
      _ = try cache.merge(records: ["A": ["n": 1], "B": ["n": 1]])
      _ = try cache.removeRecord(for: "B")
      #expect(folder.names == files)
    }
    let cache = try open(mode)
    #expect(try cache.loadRecords(forKeys: ["A", "B"]).mapValues(\.fields) == ["A": ["n": 1]])
    #expect(try cache.integrityProblems() == [])
    try cache.clear()
    #expect(try cache.recordKeys() == [])
  }

  @Test(arguments: JournalMode.allCases)
  func aFileChangesItsMode(to mode: JournalMode) throws {
    for next in [JournalMode.wal, mode, .delete, mode] {
      let cache = try SQLiteNormalizedCache(
        fileURL: folder.file, configuration: configuration(next))
      _ = try cache.merge(records: [RecordKey(next.rawValue): ["n": 1]])
    }
    let cache = try open(mode)
    #expect(Set(try cache.recordKeys() ?? []) == Set(["WAL", "DELETE", RecordKey(mode.rawValue)]))
  }

  @Test func programsHaveToAgreeOnALog() throws {
    let first = try SQLiteNormalizedCache(fileURL: folder.file)
    let error = #expect(throws: SQLiteError.self) {
      try SQLiteNormalizedCache(
        fileURL: folder.file, configuration: configuration(.delete, busyTimeout: .zero))
    }
    #expect(error?.isBusy == true)
    _ = try first.merge(records: ["A": ["n": 1]])
    #expect(folder.names.allSatisfy { !$0.contains("damaged") })
  }

  @Test(arguments: JournalMode.allCases)
  func twoCachesSeeEachOthersWrites(mode: JournalMode) throws {
    let first = try open(mode)
    let second = try open(mode)
    _ = try first.merge(records: ["Hero:1": ["name": "Luke"]])
    _ = try second.merge(records: ["Hero:1": ["age": 19]])
    #expect(
      try first.loadRecords(forKeys: ["Hero:1"])["Hero:1"]?.fields == ["name": "Luke", "age": 19])
  }

  @Test(arguments: JournalMode.allCases.filter { $0 != .wal })
  func withoutALogAWriteFailsWhileASnapshotIsHeld(mode: JournalMode) throws {
    let cache = try SQLiteNormalizedCache(
      fileURL: folder.file, configuration: configuration(mode, busyTimeout: .zero))
    _ = try cache.merge(records: ["A": ["n": 1]])
    var snapshot: (any RecordSnapshot)? = try cache.snapshot()
    #expect(try snapshot?.fields(of: "A") == ["n": 1])
    let error = #expect(throws: SQLiteError.self) { _ = try cache.merge(records: ["A": ["n": 2]]) }
    #expect(error?.isBusy == true)
    snapshot = nil
    _ = try cache.merge(records: ["A": ["n": 3]])
    #expect(try cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 3)
  }

  /// Readers and writers of a store take turns, and a transaction lets others read until its end.
  @Test(arguments: JournalMode.allCases.map(Optional.some) + [nil])
  func readersAndWritersTakeTurns(mode: JournalMode?) async throws {
    let cache =
      if let mode {
        try open(mode)
      } else {
        try SQLiteNormalizedCache.inMemory(configuration: configuration(.wal))
      }
    let store = ApolloStore(cache: cache)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 1...25 {
            try await store.withinReadWriteTransaction { transaction in
              try transaction.merge([
                "A": [FieldKey("f\(writer)"): .int(Int64(number))],
                "B": [FieldKey("f\(writer)"): .int(Int64(number))],
              ])
            }
          }
        }
        group.addTask {
          for _ in 0..<25 {
            let records = try cache.loadRecords(forKeys: ["A", "B"])
            #expect(records["A"]?.fields == records["B"]?.fields)
          }
        }
      }
      try await group.waitForAll()
    }
    let fields = try cache.loadRecords(forKeys: ["A"])["A"]?.fields
    #expect(fields == ["f0": 25, "f1": 25, "f2": 25, "f3": 25])
    try await store.withinReadWriteTransaction { transaction in
      try transaction.merge(["A": ["f0": 26]])
      #expect(try cache.loadRecords(forKeys: ["A"])["A"]?["f0"] == 25)
    }
    #expect(try cache.loadRecords(forKeys: ["A"])["A"]?["f0"] == 26)
  }

  // MARK: - In memory

  @Test func cachesInMemoryAreSeparate() throws {
    let first = try SQLiteNormalizedCache.inMemory()
    let second = try SQLiteNormalizedCache.inMemory()
    _ = try first.merge(records: ["A": ["n": 1]])
    #expect(try second.recordKeys() == [])
    #expect(try first.recordKeys() == ["A"])
    try first.clear()
    #expect(try first.recordKeys() == [])
  }

  @Test func aCacheInMemoryHasNoFile() throws {
    let before = Set(try FileManager.default.contentsOfDirectory(atPath: "/"))
    let cache = try SQLiteNormalizedCache.inMemory()
    _ = try cache.merge(records: ["A": ["n": 1]])
    let new = Set(try FileManager.default.contentsOfDirectory(atPath: "/")).subtracting(before)
    #expect(new.allSatisfy { !$0.hasPrefix("apollo-") })
  }

  @Test func aCacheInMemoryIsSuspendedAndResumed() throws {
    let cache = try SQLiteNormalizedCache.inMemory()
    _ = try cache.merge(records: ["A": ["n": 1]])
    cache.suspend()
    #expect(throws: SQLiteError.self) { try cache.loadRecords(forKeys: ["A"]) }
    cache.resume()
    #expect(try cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 1)
  }
}
