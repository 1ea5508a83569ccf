import ApolloAPI
import ApolloCache
import ApolloSQLite
import CSQLite
import Foundation
import SeededRandom
import Testing

/// Opening any file returns a cache that works, or throws an error with the reason.
@Suite(.timeLimit(.minutes(10))) struct DamagedFileTests {
  private let folder: TemporaryFolder
  private let configuration: SQLiteNormalizedCache.Configuration = {
    var configuration = SQLiteNormalizedCache.Configuration()
    configuration.busyTimeout = .milliseconds(200)
    return configuration
  }()

  init() throws { folder = try TemporaryFolder() }

  private func open(_ change: (inout SQLiteNormalizedCache.Configuration) -> Void = { _ in }) throws
    -> SQLiteNormalizedCache
  {
    var configuration = configuration
    change(&configuration)
    return try SQLiteNormalizedCache(fileURL: folder.file, configuration: configuration)
  }

  /// A cache file of many pages, closed.
  private func makeFile() throws -> Data {
    do {
      let cache = try open()
      for number in 0..<400 {
        _ = try cache.merge(records: [
          RecordKey("Hero:\(number)"): [
            "name": .string(String(repeating: "x", count: 300)), "age": .int(Int64(number)),
          ]
        ])
      }
    }
    return try Data(contentsOf: folder.file)
  }

  private func expectWorks(_ cache: SQLiteNormalizedCache, _ comment: Comment? = nil) throws {
    _ = try cache.merge(records: ["New:1": ["name": "Rey"]])
    #expect(try cache.loadRecords(forKeys: ["New:1"])["New:1"]?["name"] == "Rey", comment)
    #expect(try cache.integrityProblems() == [], comment)
  }

  private func replaceFile(by data: Data) throws {
    for name in folder.names {
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
    }
    try data.write(to: folder.file)
  }

  @Test func reopensWhatItWrote() throws {
    _ = try makeFile()
    let cache = try open()
    #expect(
      try cache.loadRecords(forKeys: ["Hero:7", "Hero:400"]).mapValues { $0["age"] } == [
        "Hero:7": 7
      ])
    #expect(folder.names.filter { $0.contains("damaged") } == [])
  }

  @Test(arguments: [16, 100, 512, 4_096])
  func garbageIsPutAsideAndReplaced(byteCount: Int) throws {
    var random = SeededGenerator(seed: freshSeed)
    let garbage = Data((0..<byteCount).map { _ in UInt8.random(in: 1...255, using: &random) })
    try replaceFile(by: garbage)
    try expectWorks(try open(), "seed \(freshSeed)")
    #expect(
      try Data(contentsOf: folder.url.appendingPathComponent("cache.sqlite.damaged-1")) == garbage)
  }

  @Test(arguments: [Data(), Data([0x53])])
  func aFileThatIsShorterThanAnyDatabaseIsANewCache(contents: Data) throws {
    try replaceFile(by: contents)
    try expectWorks(try open())
    #expect(folder.names.filter { $0.contains("damaged") } == [])
  }

  @Test func aFileThatIsCutOffAnywhereOpens() throws {
    let whole = try makeFile()
    for pageCount in stride(from: 0, to: whole.count / 4_096, by: 5) {
      try replaceFile(by: whole.prefix(pageCount * 4_096))
      try expectWorks(try open(), "\(pageCount) pages")
    }
    for byteCount in [100, 4_095, 4_097, whole.count - 1] {
      try replaceFile(by: whole.prefix(byteCount))
      try expectWorks(try open(), "\(byteCount) bytes")
    }
  }

  @Test func aFileWithFlippedBitsOpens() throws {
    var random = SeededGenerator(seed: freshSeed)
    let whole = try makeFile()
    for round in 0..<60 {
      var damaged = whole
      let position = round < 20 ? round * 5 : Int.random(in: 0..<whole.count, using: &random)
      damaged[position] ^= UInt8.random(in: 1...255, using: &random)
      try replaceFile(by: damaged)
      let cache = try open()
      _ = try cache.loadRecords(forKeys: Set((0..<400).map { RecordKey("Hero:\($0)") }))
      try expectWorks(cache, "seed \(freshSeed), round \(round), byte \(position)")
    }
  }

  @Test func damageThatIsFoundLaterIsRepairedByTheNextWrite() throws {
    let whole = try makeFile()
    var damaged = whole
    for position in stride(from: 4_096 * 3, to: whole.count, by: 4_096) {
      damaged.replaceSubrange(position..<(position + 64), with: Data(repeating: 0xA5, count: 64))
    }
    try replaceFile(by: damaged)
    let cache = try open { $0.checksIntegrity = false }
    var errors = 0
    for number in 0..<400 {
      do {
        _ = try cache.loadRecords(forKeys: [RecordKey("Hero:\(number)")])
      } catch let error as SQLiteError {
        #expect(error.isDamage)
        errors += 1
      }
    }
    #expect(errors > 0)
    for number in 0..<400 {
      _ = try cache.merge(records: [RecordKey("Hero:\(number)"): ["age": .int(Int64(number))]])
    }
    try expectWorks(cache)
    #expect(folder.names.contains("cache.sqlite.damaged-1"))
  }

  // MARK: Damage that a write meets before it commits

  private func openWithoutLog() throws -> SQLiteNormalizedCache {
    try open {
      $0 = .patient
      $0.journalMode = .delete
    }
  }

  /// Overwrites the beginning of the file. Without a log, each transaction reads it at its start.
  private func damageBeginning() throws {
    let file = try FileHandle(forUpdating: folder.file)
    try file.write(contentsOf: Data(repeating: 0x2A, count: 100))
    try file.close()
  }

  @Test func memoryInFrontOfADamagedFileIsWrittenAgain() throws {
    let chain = ChainedNormalizedCache(try openWithoutLog())
    _ = try chain.merge(records: ["A": ["n": 1], "B": ["n": 1]])
    try damageBeginning()
    _ = try chain.merge(records: ["A": ["n": 1]])
    let other = try openWithoutLog()
    for cache in [chain, other] as [any NormalizedCache] {
      #expect(
        try cache.loadRecords(forKeys: ["A", "B"]).mapValues(\.fields) == ["A": ["n": 1]])
    }
  }

  @Test func watchesAreNotifiedWhenAWriteReplacesADamagedFile() async throws {
    let store = ApolloStore(cache: try openWithoutLog())
    try await store.publish(["A": ["n": 1]])
    let (changes, continuation) = AsyncStream<Bool>.makeStream()
    let watch = store.subscribe { continuation.yield($0.changes.includesEverything) }
    try damageBeginning()
    try await store.publish(["B": ["n": 1]])
    var received = changes.makeAsyncIterator()
    #expect(await received.next() == true)
    withExtendedLifetime(watch) {}
  }

  /// A cache whose file has a damaged table, which opening has not looked for.
  private func openDamaged(
    _ table: String, busyTimeout: Duration? = nil
  ) throws -> SQLiteNormalizedCache {
    var damaged = try makeFile()
    let page = try DatabaseConnection(
      path: folder.file.path, access: .reading, busyTimeout: 1_000
    ).integer("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
    let start = try (Int(#require(page)) - 1) * 4_096
    damaged.replaceSubrange(start..<(start + 64), with: Data(repeating: 0xA5, count: 64))
    try replaceFile(by: damaged)
    return try open {
      $0.checksIntegrity = false
      $0.busyTimeout = busyTimeout ?? $0.busyTimeout
    }
  }

  /// Lets another program put a new file at the path.
  private func moveFilesAside() throws {
    for name in folder.names {
      try FileManager.default.moveItem(
        at: folder.url.appendingPathComponent(name),
        to: folder.url.appendingPathComponent("old-\(name)"))
    }
  }

  private static let luke = CacheMutation.merge(["New:1": ["name": "Luke"]])

  /// The table of records is read when a write commits.
  @Test func aWriteThatIsRepeatedAfterDamageKeepsItsTime() throws {
    let cache = try openDamaged("records")
    try cache.commit([Self.luke], at: 1)
    #expect(folder.names.contains("cache.sqlite.damaged-1"))
    #expect(try cache.writeTimes(of: "New:1", among: ["name"]) == ["name": 1])
  }

  /// The store knows the number: repeating the write would renew the fields of another one.
  @Test func aWriteThatIsRepeatedAfterDamageKeepsItsNumber() throws {
    let cache = try openDamaged("records")
    try SQLiteShell.run("INSERT INTO writes (id, time) VALUES (41, 1)", on: folder.file)
    let context = try cache.blockToWrite()
    defer { context.end() }
    let id = try context.begin(
      PendingWrite(WriteFacts(time: 1, operationName: nil, maxAge: nil), .all))
    #expect(id?.number == 42)
    _ = try context.commit([Self.luke])
    #expect(folder.names.contains("cache.sqlite.damaged-1"))
    #expect(try cache.openSnapshot().writes(of: "New:1", among: ["name"])["name"] == id)
  }

  /// The time is a lower bound, which no slow machine misses.
  @Test func aWriteThatIsRepeatedInTheFileOfOthersWaitsForThem() throws {
    let cache = try openDamaged("records")
    let context = try cache.blockToWrite()
    defer { context.end() }
    try moveFilesAside()
    let other = try open()
    let writer = try SQLiteShell.Connection(folder.file)
    try writer.run("BEGIN IMMEDIATE")
    func commit() throws { _ = try context.commit([Self.luke]) }
    let start = ContinuousClock.now
    let error = #expect(throws: SQLiteError.self) { try commit() }
    #expect(error?.isBusy == true)
    #expect(start.duration(to: .now) >= configuration.busyTimeout)
    try writer.run("ROLLBACK")
    try cache.commit([Self.luke], at: 1)
    #expect(try other.recordKeys() == ["New:1"])
  }

  /// A program that is about to be suspended cannot wait for others, up to ten seconds by default.
  @Test func suspendingEndsAWriteThatWaitsToBeRepeated() throws {
    let cache = try openDamaged("records", busyTimeout: .seconds(300))
    let context = try cache.blockToWrite()
    defer { context.end() }
    try moveFilesAside()
    _ = try open()
    let writer = try SQLiteShell.Connection(folder.file)
    try writer.run("BEGIN IMMEDIATE")
    let count = try cache.foreignCommitCount()
    Thread.detachNewThread {
      while (try? cache.foreignCommitCount()) == count {}  // until the file is replaced
      cache.suspend()
    }
    func commit() throws { _ = try context.commit([Self.luke]) }
    let error = #expect(throws: SQLiteError.self) { try commit() }
    #expect(error?.primaryCode == SQLITE_INTERRUPT)
    try writer.run("ROLLBACK")
  }

  /// The table of writes is read before the commit of a response.
  @Test func damageThatAWriteMeetsBeforeItsCommitIsRepairedByTheNextWrite() throws {
    let cache = try openDamaged("writes")
    let error = #expect(throws: SQLiteError.self) { try cache.commit([Self.luke], at: 1) }
    #expect(error?.isDamage == true)
    try cache.commit([Self.luke], at: 1)
    try expectWorks(cache)
    #expect(folder.names.contains("cache.sqlite.damaged-1"))
  }

  /// Several caches find one damaged file at once. One of them renames it, and none renames the new
  /// file of another.
  @Test func aFileThatSeveralConnectionsFindDamagedIsReplacedOnce() async throws {
    for round in 0..<20 {
      try replaceFile(by: Data(repeating: 0x2A, count: 8_192))
      let ready = Lock(0)
      let caches = try await withThrowingTaskGroup(of: SQLiteNormalizedCache.self) { group in
        for writer in 0..<4 {
          group.addTask { [folder] in
            ready.withLock { $0 += 1 }
            while ready.withLock({ $0 }) < 2 { await Task.yield() }
            let cache = try SQLiteNormalizedCache(fileURL: folder.file, configuration: .patient)
            _ = try cache.merge(records: [RecordKey("Own:\(writer)"): ["n": 1]])
            return cache
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let keys = Set((0..<4).map { RecordKey("Own:\($0)") })
      for cache in caches {
        #expect(Set(try cache.loadRecords(forKeys: keys).keys) == keys, "round \(round)")
      }
      let damaged = folder.names.filter { $0.contains("damaged") && !$0.hasSuffix("-wal") }
      #expect(damaged == ["cache.sqlite.damaged-1"], "round \(round)")
    }
  }

  @Test func anUnusableFileThatMustBeKeptIsAnError() throws {
    try replaceFile(by: Data("This is a letter, not a database. It must not be touched.".utf8))
    let error = #expect(throws: SQLiteError.self) { try open { $0.replacesUnusableFile = false } }
    #expect(error?.isDamage == true)
    #expect(folder.names == ["cache.sqlite"])
  }

  @Test(arguments: [
    "CREATE TABLE holidays (day TEXT)", "PRAGMA user_version = 3",
    "PRAGMA application_id = 252006673",
  ])
  func aDatabaseOfAnotherProgramIsPutAside(sql: String) throws {
    try SQLiteShell.run(sql + "; CREATE TABLE IF NOT EXISTS t (x)", on: folder.file)
    try expectWorks(try open())
    #expect(folder.names.contains("cache.sqlite.damaged-1"))
  }

  @Test(arguments: [
    "PRAGMA user_version = 999", "DROP TABLE records", "DROP TABLE shapes",
    "ALTER TABLE wide_fields RENAME COLUMN value TO worth", "DROP TABLE writes",
    "ALTER TABLE records RENAME COLUMN writes TO other",
    "ALTER TABLE records RENAME COLUMN used TO other",
    "ALTER TABLE wide_fields RENAME COLUMN write TO other",
  ])
  func aCacheOfALaterVersionOrWithoutItsTablesAndColumnsIsReplaced(sql: String) throws {
    _ = try makeFile()
    try SQLiteShell.run(sql, on: folder.file)
    try expectWorks(try open())
    #expect(folder.names.contains("cache.sqlite.damaged-1"))
  }

  /// A program may have deleted a file that was put aside, and not its log.
  @Test func noFileIsPutAsideBesideTheLogOfAnother() throws {
    for number in 1...9 {
      let log = folder.url.appendingPathComponent("cache.sqlite.damaged-\(number)-wal")
      try Data("old".utf8).write(to: log)
      let garbage = Data(repeating: 0x2A, count: 8_192)
      try garbage.write(to: folder.file)
      try expectWorks(try open())
      let name = "cache.sqlite.damaged-\(min(number + 1, 9))"
      let file = folder.url.appendingPathComponent(name)
      #expect(try Data(contentsOf: file) == garbage)
      #expect(!folder.names.contains(name + "-wal"))
      try FileManager.default.removeItem(at: file)
    }
  }

  @Test func anExtraColumnDoesNoHarm() throws {
    _ = try makeFile()
    try SQLiteShell.run("ALTER TABLE records ADD COLUMN note TEXT", on: folder.file)
    let cache = try open()
    #expect(try cache.loadRecords(forKeys: ["Hero:7"])["Hero:7"]?["age"] == 7)
    try expectWorks(cache)
  }

  @Test(arguments: [
    "x''", "x'00'", "x'02'", "x'FFFFFFFFFFFFFFFFFFFF'", "zeroblob(1000000)", "'text'", "12", "NULL",
    "randomblob(400)",
    "x'0001016106FFFFFFFF7F'",
  ])
  func aDamagedRowIsAMissAndCanBeWrittenAgain(value: String) throws {
    _ = try makeFile()
    try SQLiteShell.run(
      "UPDATE records SET fields = \(value) WHERE key = CAST('Hero:7' AS BLOB)", on: folder.file)
    let cache = try open()
    #expect(try cache.loadRecords(forKeys: ["Hero:7"])["Hero:7"]?["age"] == nil)
    _ = try cache.merge(records: ["Hero:7": ["age": 70]])
    #expect(try cache.loadRecords(forKeys: ["Hero:7"])["Hero:7"]?["age"] == 70)
  }

  @Test func deepValuesInARowAreAMiss() throws {
    _ = try makeFile()
    // A list in a list in a list …, a hundred thousand deep, as the only field of a shape that is
    // written out.
    let deep = "0001" + "0161" + String(repeating: "0701", count: 100_000) + "00"
    try SQLiteShell.run(
      "UPDATE records SET fields = x'\(deep)' WHERE key = CAST('Hero:7' AS BLOB)", on: folder.file)
    #expect(try open().loadRecords(forKeys: ["Hero:7"])["Hero:7"] == nil)
  }

  @Test func aPathToSomethingElseThanAFileIsAnError() throws {
    try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: true)
    #expect(throws: SQLiteError.self) { try open() }
    try FileManager.default.removeItem(at: folder.file)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file.path, withDestinationPath: folder.file.path)
    #expect(throws: SQLiteError.self) { try open() }
    try FileManager.default.removeItem(at: folder.file)
    #expect(mkfifo(folder.file.path, 0o600) == 0)
    let error = #expect(throws: SQLiteError.self) { try open() }
    #expect(
      error?.description
        == "Opening \(folder.file.path) failed: it is not a file (SQLite code 14). "
        + "Check the path, and that its folder exists and can be written to."
    )
    try FileManager.default.removeItem(at: folder.file)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file.path, withDestinationPath: "/dev/null")
    #expect(throws: SQLiteError.self) { try open() }
    #expect(folder.names == ["cache.sqlite"])
    #expect(throws: SQLiteError.self) {
      try SQLiteNormalizedCache(fileURL: folder.url.appendingPathComponent("nowhere/cache.sqlite"))
    }
  }

  @Test(arguments: [["-wal"], ["-shm"], ["-wal", "-shm"]])
  func lostLogsDoNoHarm(suffixes: [String]) throws {
    _ = try makeFile()
    for suffix in suffixes {
      try Data("stale".utf8).write(to: URL(fileURLWithPath: folder.file.path + suffix))
    }
    let cache = try open()
    #expect(try cache.loadRecords(forKeys: ["Hero:7"])["Hero:7"]?["age"] == 7)
    try expectWorks(cache)
  }

  /// SQLite accepts the log of another file, as after restoring one of the two from a copy.
  @Test(arguments: [1, 40, 400])
  func aLogOfAnotherFileIsIgnored(writeCount: Int) throws {
    let whole = try makeFile()
    let other = folder.url.appendingPathComponent("other.sqlite")
    let stranger = try SQLiteNormalizedCache(fileURL: other)
    for number in 0..<writeCount {
      _ = try stranger.merge(records: [
        RecordKey("Stranger:\(number)"): ["text": .string(String(repeating: "y", count: 900))]
      ])
    }
    let log = try withExtendedLifetime(stranger) {
      try Data(contentsOf: URL(fileURLWithPath: other.path + "-wal"))
    }
    try whole.write(to: folder.file)
    try log.write(to: URL(fileURLWithPath: folder.file.path + "-wal"))
    let cache = try open()
    let keys = Set((0..<400).map { RecordKey("Hero:\($0)") })
    for (key, record) in try cache.loadRecords(forKeys: keys) {
      #expect(record["age"].map { "Hero:\($0)" } == key.rawValue, "\(key)")
    }
    try expectWorks(cache)
  }

  @Test func aFileThatIsDeletedWhileItIsOpenIsMadeAgain() throws {
    let cache = try open()
    _ = try cache.merge(records: ["Hero:1": ["name": "Luke"]])
    for name in folder.names {
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
    }
    try expectWorks(cache)
    #expect(try cache.loadRecords(forKeys: ["Hero:1"]).isEmpty)
    #expect(folder.names.contains("cache.sqlite"))
  }
}
