import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import Testing

/// Stores that share a file. A transaction excludes other writers, and commits by others are always
/// detected.
@Suite(.timeLimit(.minutes(10)))
struct ForeignWriteTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func cache() throws -> SQLiteNormalizedCache {
    try SQLiteNormalizedCache(fileURL: folder.file, configuration: .patient)
  }

  private struct NoNumber: Error {}

  /// Reads a counter, lets others run, and writes it back.
  private static func count(in store: ApolloStore) async throws {
    try await store.withinReadWriteTransaction { transaction in
      guard case .int(let count) = try transaction.record(for: "Counter")?["n"] ?? 0 else {
        throw NoNumber()
      }
      await Task.yield()
      try transaction.merge(["Counter": ["n": .int(count + 1)]])
    }
  }

  @Test(arguments: [false, true])
  func transactionsOfSeveralStoresLoseNoUpdate(isChained: Bool) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        let disk = try cache()
        let store = ApolloStore(cache: isChained ? ChainedNormalizedCache(disk) : disk)
        for _ in 0..<5 {
          group.addTask { for _ in 0..<10 { try await Self.count(in: store) } }
        }
      }
      try await group.waitForAll()
    }
    #expect(try cache().loadRecords(forKeys: ["Counter"])["Counter"]?["n"] == 200)
  }

  @Test func aTransactionReadsTheNewestRecordsAndExcludesOtherWriters() async throws {
    let first = ApolloStore(cache: try cache())
    var configuration = SQLiteNormalizedCache.Configuration()
    configuration.busyTimeout = .milliseconds(30)
    let second = try SQLiteNormalizedCache(fileURL: folder.file, configuration: configuration)
    _ = try second.merge(records: ["A": ["n": 1]])
    try await first.withinReadWriteTransaction { transaction throws in
      #expect(try transaction.record(for: "A")?["n"] == 1)
      let error = #expect(throws: SQLiteError.self) {
        _ = try second.merge(records: ["A": ["n": 2]])
      }
      #expect(error?.isBusy == true)
      #expect(try second.loadRecords(forKeys: ["A"])["A"]?["n"] == 1, "Readers wait for nobody.")
    }
    _ = try second.merge(records: ["A": ["n": 3]])
    #expect(try await first.withinReadTransaction { try $0.record(for: "A") }?["n"] == 3)
  }

  @Test func aTransactionThatThrowsFreesTheFile() async throws {
    let store = ApolloStore(cache: try cache())
    await #expect(throws: NoNumber.self) {
      try await store.withinReadWriteTransaction { transaction in
        try transaction.merge(["A": ["n": 1]])
        throw NoNumber()
      }
    }
    let other = try cache()
    _ = try other.merge(records: ["A": ["m": 2]])
    #expect(try other.loadRecords(forKeys: ["A"])["A"]?.fields == ["m": 2])
  }

  @Test func memoryInFrontNoticesWhatOthersWrite() throws {
    let chain = ChainedNormalizedCache(try cache())
    let other = try cache()
    _ = try chain.merge(records: ["A": ["n": 1], "B": ["n": 1]])
    #expect(try chain.loadRecords(forKeys: ["A", "B"]).count == 2)
    #expect(try chain.loadRecords(forKeys: ["A"])["A"]?["n"] == 1)
    _ = try other.merge(records: ["A": ["n": 2]])
    #expect(try chain.loadRecords(forKeys: ["A"])["A"]?["n"] == 2)
    _ = try other.removeRecord(for: "A")
    _ = try chain.merge(records: ["A": ["m": 1]])
    #expect(try chain.loadRecords(forKeys: ["A"])["A"]?.fields == ["m": 1])
    try other.clear()
    #expect(try chain.snapshot()?.fields(of: "B") == nil)
  }

  // MARK: Stores of one cache, with and without memory in front of it

  /// The other store has no connection of its own, and none of the chain's memory.
  @Test(arguments: [false, true], [false, true])
  func memoryInFrontNoticesWhatAnotherStoreOfItsCacheWrites(
    isInMemory: Bool, isOtherChained: Bool
  ) async throws {
    let slower: any NormalizedCache = try isInMemory ? InMemoryNormalizedCache() : cache()
    let store = ApolloStore(cache: ChainedNormalizedCache(slower))
    let other = ApolloStore(cache: isOtherChained ? ChainedNormalizedCache(slower) : slower)
    func read() async throws -> FieldMap? {
      try await store.withinReadTransaction { try $0.record(for: "A")?.fields }
    }
    try await store.publish(["A": ["n": 1, "m": 1]])
    #expect(try await read() == ["n": 1, "m": 1])
    try await other.publish(["A": ["n": 2]])
    #expect(try await read() == ["n": 2, "m": 1])
    try await store.publish(["A": ["m": 3]])
    #expect(try slower.loadRecords(forKeys: ["A"])["A"]?.fields == ["n": 2, "m": 3])
    try await other.clearCache()
    #expect(try await read() == nil)
  }

  /// No reading comes between the two writes. SQLite does not read the records that memory has.
  @Test(arguments: [false, true], [false, true])
  func aMergeThroughMemoryInFrontLosesNothingOfAnotherStore(
    isOtherChained: Bool, isTransaction: Bool
  ) async throws {
    let disk = try cache()
    let store = ApolloStore(cache: ChainedNormalizedCache(disk))
    let other = ApolloStore(cache: isOtherChained ? ChainedNormalizedCache(disk) : disk)
    try await store.publish(["A": ["n": 1, "m": 1], "B": ["n": 1]])
    try await other.publish(["A": ["n": 2]])
    if isTransaction {
      try await store.withinReadWriteTransaction { transaction throws in
        #expect(try transaction.record(for: "A")?.fields == ["n": 2, "m": 1])
        try transaction.merge(["A": ["m": 3]])
      }
    } else {
      try await store.publish(["A": ["m": 3]])
    }
    #expect(try disk.loadRecords(forKeys: ["A"])["A"]?.fields == ["n": 2, "m": 3])
    try await other.clearCache()
    try await store.publish(["A": ["k": 4], "B": ["k": 4]])
    let left = try disk.loadRecords(forKeys: ["A", "B"])
    #expect(left.mapValues(\.fields) == ["A": ["k": 4], "B": ["k": 4]])
  }

  @Test func transactionsOfSeveralStoresOfOneCacheLoseNoUpdate() async throws {
    let disk = try cache()
    let lower = ChainedNormalizedCache(disk)
    let caches: [any NormalizedCache] = [
      disk, lower, ChainedNormalizedCache(lower), ChainedNormalizedCache(disk),
    ]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for cache in caches {
        let store = ApolloStore(cache: cache)
        for _ in 0..<5 {
          group.addTask { for _ in 0..<10 { try await Self.count(in: store) } }
        }
      }
      try await group.waitForAll()
    }
    for cache in caches {
      #expect(try cache.loadRecords(forKeys: ["Counter"])["Counter"]?["n"] == 200)
    }
  }

  @Test(arguments: [false, true])
  func everyLevelNoticesTheWritesOfAllOthers(isInMemory: Bool) throws {
    let slowest: any NormalizedCache = try isInMemory ? InMemoryNormalizedCache() : cache()
    let lower = ChainedNormalizedCache(slowest)
    let caches: [any NormalizedCache] = [
      slowest, lower, ChainedNormalizedCache(lower), ChainedNormalizedCache(slowest),
    ]
    for round in 0..<3 {
      for (number, writer) in caches.enumerated() {
        let value = CacheValue.int(Int64(4 * round + number))
        _ = try writer.merge(records: ["A": ["n": value]])
        // The second reading is from memory.
        for reader in caches + caches {
          #expect(try reader.loadRecords(forKeys: ["A"])["A"]?["n"] == value)
        }
      }
    }
  }

  @Test func memoryInFrontIsKeptWhileAllWritesComeFromItsChain() async throws {
    let chain = ChainedNormalizedCache(try cache())
    let store = ApolloStore(cache: chain)
    try await store.publish(["A": ["n": 1]])
    try await store.publish(["A": ["n": 1]])
    _ = try chain.merge(records: ["B": ["n": 1]])
    _ = try chain.removeRecord(for: "C")
    #expect(try chain.loadRecords(forKeys: ["A"])["A"]?["n"] == 1)
    #expect(chain.countInMemory == 2)
  }

  @Test(arguments: [false, true], [false, true])
  func watchesOfAChainAndOfItsCacheFollowEachOther(
    isInMemory: Bool, isOtherChained: Bool
  ) async throws {
    let slower: any NormalizedCache = try isInMemory ? InMemoryNormalizedCache() : cache()
    let store = ApolloStore(cache: ChainedNormalizedCache(slower))
    let other = ApolloStore(cache: isOtherChained ? ChainedNormalizedCache(slower) : slower)
    for (writer, reader) in [(other, store), (store, other)] {
      let notified = Lock(0)
      let watch = reader.subscribe { _ in notified.withLock { $0 += 1 } }
      for number in 1...3 as ClosedRange<Int64> {
        try await writer.publish(["A": ["n": .int(number)]])
        #expect(notified.get() == Int(number))
        let record = try await reader.withinReadTransaction { try $0.record(for: "A") }
        #expect(record?["n"] == .int(number))
      }
      try await writer.clearCache()
      #expect(notified.get() == 4)
      let record = try await reader.withinReadTransaction { try $0.record(for: "A") }
      #expect(record == nil)
      withExtendedLifetime(watch) {}
    }
  }

  // MARK: Trimming

  /// The time is asked for when the records to remove are being chosen.
  @Test(arguments: [false, true])
  func aTrimmingEndsBeforeItRemovesWhatOthersHaveWrittenMeanwhile(isChained: Bool) async throws {
    let (disk, other) = (try cache(), try cache())
    let hasWritten = Lock(false)
    var configuration = ApolloStore.Configuration()
    configuration.freshness.now = {
      let changes = try? other.merge(records: [.queryRoot: ["a": .reference("A")], "A": ["n": 2]])
      hasWritten.withLock { $0 = $0 || changes?.isEmpty == false }
      return Date()
    }
    let store = ApolloStore(
      cache: isChained ? ChainedNormalizedCache(disk) : disk, configuration: configuration)
    try await store.publish([.queryRoot: ["a": .reference("A")], "A": ["n": 1]])
    let result = try await store.trim(to: 0)
    #expect(hasWritten.get())
    #expect(!result.isComplete)
    let left = try other.loadRecords(forKeys: [.queryRoot, "A"])
    #expect(left[.queryRoot]?["a"] == .reference("A"))
    #expect(left["A"]?["n"] == 2)
  }

  // MARK: Watches

  @Test func watchesAreNotifiedOfForeignWritesWithTheNextWrite() async throws {
    let store = ApolloStore(cache: try cache())
    try await store.publish(["A": ["n": 1]])
    let told = Lock(0)
    let watch = store.subscribe { change in
      if change.changes.includesEverything { told.withLock { $0 += 1 } }
    }
    _ = try cache().merge(records: ["A": ["n": 2]])
    try await store.publish(["B": ["n": 1]])
    // On a busy machine, the store may have noticed the foreign write by itself before, and may
    // still be about to report it.
    while told.withLock({ $0 }) == 0 { await Task.yield() }
    #expect(told.withLock { $0 } == 1)
    try await store.publish(["B": ["n": 2]])
    #expect(told.withLock { $0 } == 1, "Nobody else has written since.")
    withExtendedLifetime(watch) {}
  }

  @Test(arguments: [false, true])
  func watchesAreNotifiedOfForeignWritesWithoutAnOwnOne(isChained: Bool) async throws {
    let disk = try cache()
    let store = ApolloStore(cache: isChained ? ChainedNormalizedCache(disk) : disk)
    let (changes, continuation) = AsyncStream<Bool>.makeStream()
    let watch = store.subscribe { continuation.yield($0.changes.includesEverything) }
    var received = changes.makeAsyncIterator()
    for number in 1...2 as ClosedRange<Int64> {
      _ = try cache().merge(records: ["A": ["n": .int(number)]])
      #expect(await received.next() == true)
      #expect(
        try await store.withinReadTransaction { try $0.record(for: "A") }?["n"] == .int(number))
    }
    try await store.publish(["B": ["n": 1]])
    #expect(await received.next() == false, "The foreign writes were reported already.")
    withExtendedLifetime(watch) {}
  }

  /// Deletes the file, as a process does that finds it damaged, and makes another one.
  private func replaceFile(with records: RecordSet) throws {
    for name in folder.names {
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
    }
    _ = try cache().merge(records: records)
  }

  @Test(arguments: [false, true])
  func aProgramThatOnlyReadsNoticesThatTheFileWasReplaced(isChained: Bool) async throws {
    let disk = try cache()
    let reader: any NormalizedCache = isChained ? ChainedNormalizedCache(disk) : disk
    _ = try cache().merge(records: ["A": ["n": 1]])
    #expect(try reader.loadRecords(forKeys: ["A"])["A"]?["n"] == 1)
    try replaceFile(with: ["A": ["n": 2]])
    // The time limit of the suite ends this loop if it never notices.
    while try reader.loadRecords(forKeys: ["A"])["A"]?["n"] != 2 { await Task.yield() }
  }

  /// A program that only reads detects each commit to the new file, as it did before.
  @Test func memoryHasWhatOthersWriteAfterTheFileWasReplaced() async throws {
    let chain = ChainedNormalizedCache(try cache())
    _ = try cache().merge(records: ["A": ["n": 1]])
    #expect(try chain.loadRecords(forKeys: ["A"])["A"]?["n"] == 1)
    try replaceFile(with: ["A": ["n": 2]])
    // The time limit of the suite ends this loop if it never notices.
    while try chain.loadRecords(forKeys: ["A"])["A"]?["n"] != 2 { await Task.yield() }
    for number in 3...6 as ClosedRange<Int64> {
      _ = try cache().merge(records: ["A": ["n": .int(number)]])
      #expect(try chain.loadRecords(forKeys: ["A"])["A"]?["n"] == .int(number))
      #expect(
        try chain.loadRecords(forKeys: ["A"])["A"]?["n"] == .int(number), "This is from memory.")
    }
  }

  @Test func watchesAreNotifiedWhenTheFileWasReplaced() async throws {
    let store = ApolloStore(cache: try cache())
    try await store.publish(["A": ["n": 1]])
    let (changes, continuation) = AsyncStream<Bool>.makeStream()
    let watch = store.subscribe { continuation.yield($0.changes.includesEverything) }
    try replaceFile(with: ["A": ["n": 2]])
    var received = changes.makeAsyncIterator()
    #expect(await received.next() == true)
    #expect(try await store.withinReadTransaction { try $0.record(for: "A") }?["n"] == 2)
    withExtendedLifetime(watch) {}
  }

  // MARK: Many readers

  @Test func readersWaitWhileTooManyConnectionsRead() async throws {
    let cache = try cache()
    _ = try cache.merge(records: ["A": ["n": 1]])
    var snapshots: [any StoreSnapshot] = []
    while let snapshot = try cache.openSnapshotAtOnce() { snapshots.append(snapshot) }
    #expect(snapshots.count == 16)
    let store = ApolloStore(cache: cache)
    let (started, continuation) = AsyncStream<Void>.makeStream()
    let reading = Task {
      continuation.yield()
      return try await store.withinReadTransaction { try $0.record(for: "A") }
    }
    for await _ in started { break }
    snapshots = []
    #expect(try await reading.value?["n"] == 1)
    #expect(try cache.openSnapshotAtOnce() != nil)
  }

  @Test func aSnapshotHasTheRecordsOfTheMomentWhenItIsMade() throws {
    for cache: any NormalizedCache in [try cache(), ChainedNormalizedCache(try cache())] {
      _ = try cache.merge(records: ["A": ["n": 1], "B": ["n": 1]])
      let snapshot = try #require(try cache.snapshot())
      _ = try cache.merge(records: ["A": ["n": 2], "B": ["n": 2]])
      #expect(try snapshot.fields(of: "A") == ["n": 1])
      #expect(try snapshot.fields(of: "B") == ["n": 1])
    }
  }

  /// Every write sets the same number in many records, so that a reader that sees two numbers has
  /// seen half of a write.
  @Test(arguments: [false, true], [false, true])
  func readersSeeAllOfAWriteOrNothing(isChained: Bool, sharesCache: Bool) async throws {
    let keys = (0..<20).map { RecordKey("R:\($0)") }
    let disk = try cache()
    let mine: any NormalizedCache = isChained ? ChainedNormalizedCache(disk) : disk
    let other: any NormalizedCache = try sharesCache ? ChainedNormalizedCache(disk) : cache()
    @Sendable func write(_ number: Int, to cache: any NormalizedCache) throws {
      _ = try cache.merge(
        records: RecordSet(keys.map { Record(key: $0, fields: ["n": .int(Int64(number))]) }))
    }
    try write(0, to: mine)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for number in 1...60 { try write(2 * number, to: mine) } }
      group.addTask { for number in 1...60 { try write(2 * number + 1, to: other) } }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<150 {
            let snapshot = try mine.snapshot()
            let numbers = Set(try keys.map { try snapshot?.fields(of: $0)?["n"] })
            #expect(numbers.count == 1)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
