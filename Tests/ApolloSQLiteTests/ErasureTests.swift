import ApolloCache
import ApolloSQLite
import CSQLite
import Foundation
import Testing

/// The bytes that removed records leave in the folder of a cache.
@Suite(.timeLimit(.minutes(10))) struct ErasureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(named: "apollo-erasure") }

  /// A text that each secret contains.
  private static let secret = "TOPSECRET"

  private func open(
    _ mode: JournalMode = .wal, vacuums: Bool = true
  ) throws -> SQLiteNormalizedCache {
    var configuration = SQLiteNormalizedCache.Configuration.patient
    configuration.journalMode = mode
    configuration.shouldVacuumOnClear = vacuums
    return try SQLiteNormalizedCache(fileURL: folder.file, configuration: configuration)
  }

  /// Writes records, replaces their values and their sizes, and removes some, so that the file has
  /// free pages and the log several versions of each page.
  private func fill(_ cache: SQLiteNormalizedCache, count: Int = 300) throws {
    for version in 0..<3 {
      let records = (0..<count).map { number in
        let text = String(repeating: "\(Self.secret) \(version) ", count: 1 + number % 7 * version)
        return Record(
          key: RecordKey("User:\(Self.secret)\(number)"),
          fields: ["name": .string(text), FieldKey("note(text:\(Self.secret))"): .string(text)])
      }
      _ = try cache.merge(records: RecordSet(records))
    }
    _ = try cache.merge(records: [
      .queryRoot: FieldMap((0..<20).map { (FieldKey("find(\(Self.secret)\($0))"), .int($0)) })
    ])
  }

  /// The files of the folder that hold a secret.
  private var filesWithSecrets: [String] {
    folder.names.sorted().filter { name in
      // A file may go between listing and reading.
      let bytes = (try? Data(contentsOf: folder.url.appendingPathComponent(name))) ?? Data()
      return bytes.range(of: Data(Self.secret.utf8)) != nil
    }
  }

  enum Removal: CaseIterable {
    case clear, clearInATransaction, pattern, keys
  }

  private func remove(_ removal: Removal, from cache: SQLiteNormalizedCache) async throws {
    switch removal {
    case .clear: try cache.clear()
    case .clearInATransaction:
      try await ApolloStore(cache: cache).withinReadWriteTransaction { transaction in
        try transaction.clear()
        try transaction.merge(["Kept:1": ["n": 1]])
      }
    case .pattern:
      try cache.removeRecords(matching: "user:")
      try cache.removeRecords(matching: "query_root")
    case .keys:
      _ = try cache.apply((cache.recordKeys() ?? []).map { .remove($0) })
    }
  }

  @Test(arguments: JournalMode.allCases, Removal.allCases)
  func nothingIsLeftOfRemovedRecords(mode: JournalMode, removal: Removal) async throws {
    let cache = try open(mode)
    try fill(cache)
    #expect(!filesWithSecrets.isEmpty)
    try await remove(removal, from: cache)
    #expect(filesWithSecrets == [])
    #expect(try cache.integrityProblems() == [])
  }

  @Test(arguments: JournalMode.allCases, [Removal.clear, .clearInATransaction])
  func clearingASmallFileLeavesNothingByDefault(
    mode: JournalMode, removal: Removal
  ) async throws {
    let cache = try open(mode, vacuums: false)
    try fill(cache)
    try await remove(removal, from: cache)
    #expect(filesWithSecrets == [])
    #expect(try cache.integrityProblems() == [])
  }

  @Test(arguments: JournalMode.allCases)
  func otherConnectionsPreventNothing(mode: JournalMode) throws {
    let cache = try open(mode)
    let other = try open(mode, vacuums: false)
    try fill(other)
    try fill(cache)
    #expect(try other.recordKeys()?.count == 301)
    let foreign = try SQLiteShell.Connection(folder.file)
    try foreign.run("SELECT count(*) FROM records")
    try cache.clear()
    #expect(filesWithSecrets == [])
    #expect(try other.recordKeys() == [])
    _ = try other.merge(records: ["A": ["n": 1]])
    #expect(try cache.recordKeys() == ["A"])
  }

  /// SQLite may be compiled without `SECURE_DELETE`, and an earlier version of this library may
  /// have left content in free pages.
  @Test(arguments: [true, false])
  func freePagesOfEarlierWritesAreDropped(vacuums: Bool) throws {
    do { try fill(try open(.delete)) }
    try SQLiteShell.run(
      "PRAGMA secure_delete = OFF; DELETE FROM records; DELETE FROM wide_fields;", on: folder.file)
    #expect(filesWithSecrets == ["cache.sqlite"])
    try open(vacuums: vacuums).clear()
    #expect(filesWithSecrets == [])
  }

  @Test(arguments: [true, false])
  func aReaderThatStaysDelaysTheErasureUntilItsEnd(isOwnReader: Bool) throws {
    var configuration = SQLiteNormalizedCache.Configuration()
    configuration.shouldVacuumOnClear = true
    configuration.busyTimeout = .zero
    let cache = try SQLiteNormalizedCache(fileURL: folder.file, configuration: configuration)
    let other = try open()
    try fill(cache)
    var snapshot = try (isOwnReader ? cache : other).snapshot()
    #expect(try snapshot?.fields(of: .queryRoot)?.count == 20)
    try cache.clear()
    #expect(try snapshot?.fields(of: .queryRoot)?.count == 20)
    #expect(!filesWithSecrets.isEmpty)
    snapshot = nil
    if !isOwnReader { _ = try cache.merge(records: ["A": ["n": 1]]) }
    #expect(filesWithSecrets == [])
  }

  /// The time is a lower bound, which no slow machine misses.
  @Test func aRemovalWaitsForReadersAlsoIfAnEarlierOneHasWaitedInVain() throws {
    var configuration = SQLiteNormalizedCache.Configuration()
    configuration.shouldVacuumOnClear = true
    configuration.busyTimeout = .milliseconds(100)
    let cache = try SQLiteNormalizedCache(fileURL: folder.file, configuration: configuration)
    try fill(cache)
    var snapshot = try cache.snapshot()
    for number in 0..<2 {
      let start = ContinuousClock.now
      try cache.removeRecord(for: RecordKey("User:\(Self.secret)\(number)"))
      #expect(start.duration(to: .now) >= .milliseconds(100), "removal \(number)")
    }
    #expect(try snapshot?.fields(of: .queryRoot)?.count == 20)
    snapshot = nil
    try cache.removeRecords(matching: Self.secret)
    try cache.removeRecord(for: .queryRoot)
    #expect(filesWithSecrets == [])
  }

  /// A program that is about to be suspended has no time to rewrite a file.
  @Test func anErasureThatAReaderHasDelayedIsCompletedByResuming() throws {
    var configuration = SQLiteNormalizedCache.Configuration()
    configuration.shouldVacuumOnClear = true
    configuration.busyTimeout = .zero
    let cache = try SQLiteNormalizedCache(fileURL: folder.file, configuration: configuration)
    try fill(cache)
    let snapshot = try cache.snapshot()
    try cache.clear()
    cache.suspend()
    #expect(!filesWithSecrets.isEmpty)
    cache.resume()
    #expect(filesWithSecrets == [])
    withExtendedLifetime(snapshot) {}
  }

  /// SQLite follows the link, too.
  @Test func clearingADamagedFileBehindALinkLeavesNoCopyOfIt() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file.path, withDestinationPath: "data.sqlite")
    let cache = try open(.delete)
    try fill(cache)
    #expect(filesWithSecrets == ["cache.sqlite", "data.sqlite"])
    let file = try FileHandle(forUpdating: folder.url.appendingPathComponent("data.sqlite"))
    try file.write(contentsOf: Data(repeating: 0x2E, count: 64))
    try file.close()
    try cache.clear()
    #expect(filesWithSecrets == [])
    _ = try cache.merge(records: ["A": ["n": 1]])
    #expect(try open(.delete).recordKeys() == ["A"])
    #expect(folder.names == ["cache.sqlite", "data.sqlite"])
  }

  @Test func aLargeFileIsNotRewrittenByDefault() throws {
    let cache = try open(vacuums: false)
    let text = CacheValue.string(String(repeating: "x", count: 1 << 20))
    for number in 0..<10 { _ = try cache.merge(records: [RecordKey("R:\(number)"): ["t": text]]) }
    try cache.clear()
    let size =
      try FileManager.default.attributesOfItem(atPath: folder.file.path)[.size] as? Int
    #expect(try #require(size) > 8 << 20)
    #expect(try cache.recordKeys() == [])
  }

  /// Clearing meets damage of the first page when it begins, and other damage when it commits.
  @Test(arguments: [0..<1, 4..<40], [Removal.clear, .clearInATransaction])
  func clearingADamagedFileLeavesNoCopyOfIt(pages: Range<Int>, removal: Removal) async throws {
    let cache = try open(.delete)
    try fill(cache)
    let file = try FileHandle(forUpdating: folder.file)
    for page in pages {
      try file.seek(toOffset: UInt64(page * 4096))
      try file.write(contentsOf: Data(repeating: 0x2E, count: 64))
    }
    try file.close()
    try await remove(removal, from: cache)
    #expect(filesWithSecrets == [])
    let kept: [RecordKey] = removal == .clear ? [] : ["Kept:1"]
    #expect(try cache.recordKeys() == kept)
  }
}
