import ApolloAPI
import ApolloCache
import ApolloSQLite
import CFaultyFiles
import CSQLite
import Foundation
import Testing

/// Each call of the file system fails once, one after the other, until a run needs no more calls.
/// After every failure, the cache throws a typed error, keeps the acknowledged writes, and works
/// again when the disk does.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FailingDiskTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    var name: String
    var calls: FaultyCall
    var code: Int32
    /// Indicates whether the disk continues to fail.
    var lasts: Bool

    var testDescription: String { lasts ? "\(name), from then on" : "\(name), once" }
  }

  private static let kinds: [(String, FaultyCall, Int32)] = [
    ("a full disk", FAULTY_WRITE, SQLITE_FULL),
    ("an error of writing", FAULTY_WRITE, SQLITE_IOERR | (3 << 8)),
    ("an error of syncing", FAULTY_SYNC, SQLITE_IOERR | (4 << 8)),
    ("an error of reading", FAULTY_READ, SQLITE_IOERR | (1 << 8)),
    ("no more files", FAULTY_OPEN, SQLITE_CANTOPEN),
    ("an error of deleting", FAULTY_DELETE, SQLITE_IOERR | (10 << 8)),
    ("no shared memory", FAULTY_SHARED_MEMORY, SQLITE_IOERR | (21 << 8)),
  ]
  static let faults = kinds.flatMap { name, calls, code in
    [false, true].map { Fault(name: name, calls: calls, code: code, lasts: $0) }
  }

  private static let keys = (0..<12).map { RecordKey("R:\($0)") }

  /// Transaction *n* sets *n* in every record: one that is not whole shows.
  private static func transaction(_ number: Int64) -> RecordSet {
    let text = CacheValue.string(String(repeating: "x", count: 700))
    return RecordSet(keys.map { Record(key: $0, fields: ["n": .int(number), "text": text]) })
  }

  /// The number that all records have; nil if there are none.
  private static func number(in cache: SQLiteNormalizedCache) throws -> Int64? {
    let records = try cache.loadRecords(forKeys: Set(keys))
    let numbers = Set(keys.map { records[$0]?["n"] })
    try #require(numbers.count == 1, "A part of a transaction is there.")
    guard case .int(let number)? = numbers.first ?? nil else { return nil }
    return number
  }

  /// The successful steps of a run with a fault at any call.
  private struct Run {
    var cache: SQLiteNormalizedCache?
    var acknowledged: Int64?
    var errors: [any Error] = []
  }

  private static func run(in folder: TemporaryFolder) -> Run {
    var run = Run()
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch { run.errors.append(error) }
    }
    attempt { run.cache = try SQLiteNormalizedCache(fileURL: folder.file) }
    for number in 1...3 as ClosedRange<Int64> {
      attempt {
        guard let cache = run.cache else { return }
        _ = try cache.merge(records: transaction(number))
        run.acknowledged = number
      }
      attempt { if let cache = run.cache { _ = try Self.number(in: cache) } }
    }
    return run
  }

  @Test(arguments: faults)
  func everyCallMayFail(fault: Fault) throws {
    faulty_files_install()
    defer { _ = faulty_files_heal() }
    var call: Int32 = 1
    while true {
      let folder = try TemporaryFolder(named: "faulty-files")
      faulty_files_fail(Int32(fault.calls.rawValue), call, fault.code, fault.lasts ? 1 : 0)
      let run = Self.run(in: folder)
      let failures = faulty_files_heal()
      let comment: Comment = "call \(call)"
      for error in run.errors { #expect(error is SQLiteError, comment) }

      // The disk works again: so does the cache that met the fault, and a new one.
      let others = try SQLiteNormalizedCache(fileURL: folder.file)
      let left = try Self.number(in: others)
      #expect((left ?? 0) >= (run.acknowledged ?? 0), comment)
      if let cache = run.cache {
        _ = try cache.merge(records: Self.transaction(100))
        #expect(try Self.number(in: cache) == 100, comment)
        #expect(try Self.number(in: others) == 100, comment)
      }
      #expect(try others.integrityProblems() == [], comment)
      #expect(!folder.names.contains { $0.contains("damaged") }, comment)
      guard failures > 0 else { break }
      call += 1
    }
    #expect(call > 1, "The fault met nothing.")
  }

  /// Removing records writes to the log first. On a full disk, the call that frees space must work
  /// all the same.
  @Test(arguments: [true, false])
  func clearingWorksOnAFullDisk(hasSpaceForANewFile: Bool) throws {
    faulty_files_install()
    defer { _ = faulty_files_heal() }
    let folder = try TemporaryFolder(named: "faulty-files")
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    for number in 1...3 as ClosedRange<Int64> {
      _ = try cache.merge(records: Self.transaction(number))
    }
    let other = try SQLiteNormalizedCache(fileURL: folder.file)
    faulty_files_fail(Int32(FAULTY_WRITE.rawValue), 1, SQLITE_FULL, hasSpaceForANewFile ? 0 : 1)
    try cache.clear()
    #expect(faulty_files_heal() > 0)
    _ = try cache.merge(records: Self.transaction(7))
    #expect(try Self.number(in: cache) == 7)
    _ = try other.merge(records: Self.transaction(8))
    #expect(try Self.number(in: cache) == 8)
    #expect(try cache.integrityProblems() == [])
    #expect(!folder.names.contains { $0.contains("damaged") })
  }

  /// The log may have the space for the removal when the disk has none for a copy of the file.
  @Test(arguments: [false, true])
  func clearingLeavesNothingWheneverTheDiskIsFull(writesAfterwards: Bool) throws {
    faulty_files_install()
    defer { _ = faulty_files_heal() }
    let secret = "TOPSECRET"
    let secrets = RecordSet(
      (0..<100).map { number in
        let text = String(repeating: "\(secret) ", count: 1 + number % 50)
        return Record(key: RecordKey("User:\(number)"), fields: ["name": .string(text)])
      })
    let mutations: [CacheMutation] =
      writesAfterwards ? [.clear, .merge(["A": ["n": 1]])] : [.clear]
    var call: Int32 = 1
    while true {
      let folder = try TemporaryFolder(named: "faulty-files")
      _ = try SQLiteNormalizedCache(fileURL: folder.file).merge(records: secrets)
      // The text is left in free pages.
      try SQLiteShell.run("PRAGMA secure_delete = OFF; DELETE FROM records", on: folder.file)
      let cache = try SQLiteNormalizedCache(fileURL: folder.file)
      _ = try cache.merge(records: Self.transaction(1))
      faulty_files_fail(Int32(FAULTY_WRITE.rawValue), call, SQLITE_FULL, 0)
      let isCleared: Bool
      do {
        _ = try cache.apply(mutations)
        isCleared = true
      } catch let error as SQLiteError where writesAfterwards && error.isFull {
        isCleared = false
      }
      let failures = faulty_files_heal()
      let comment: Comment = "call \(call)"
      // The rest of the erasure is left to the next write.
      if writesAfterwards { _ = try cache.merge(records: ["A": ["n": 2]]) }
      if isCleared {
        let left = try folder.names.filter { name in
          let bytes = try Data(contentsOf: folder.url.appendingPathComponent(name))
          return bytes.range(of: Data(secret.utf8)) != nil
        }
        #expect(left == [], comment)
        let kept: [RecordKey] = writesAfterwards ? ["A"] : []
        #expect(try cache.recordKeys() == kept, comment)
      }
      #expect(try cache.integrityProblems() == [], comment)
      guard failures > 0 else { break }
      call += 1
    }
    #expect(call > 1, "The fault met nothing.")
  }

  @Test func clearingOnAFullDiskDeletesTheFileBehindALink() throws {
    faulty_files_install()
    defer { _ = faulty_files_heal() }
    let folder = try TemporaryFolder(named: "faulty-files")
    let data = folder.url.appendingPathComponent("data.sqlite")
    try FileManager.default.createSymbolicLink(at: folder.file, withDestinationURL: data)
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    _ = try cache.merge(records: Self.transaction(1))
    faulty_files_fail(Int32(FAULTY_WRITE.rawValue), 1, SQLITE_FULL, 0)
    try cache.clear()
    #expect(faulty_files_heal() > 0)
    // Another program names the file itself.
    let other = try SQLiteNormalizedCache(fileURL: data)
    #expect(try other.recordKeys() == [])
    _ = try other.merge(records: Self.transaction(2))
    #expect(try Self.number(in: cache) == 2)
  }

  /// A connection that is opened while the file is being deleted is not used again.
  @Test func nothingIsReadAfterClearingOnAFullDisk() async throws {
    faulty_files_install()
    defer { _ = faulty_files_heal() }
    let folder = try TemporaryFolder(named: "faulty-files")
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    let isOver = Lock(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { isOver.withLock { $0 = true } }
      for _ in 0..<3 {
        group.addTask {
          while !isOver.get() {
            // Fails while there is no file, or none with tables.
            _ = try? cache.loadRecords(forKeys: Set(Self.keys))
            await Task.yield()
          }
        }
      }
      for round in 0..<40 {
        _ = try cache.merge(records: Self.transaction(1))
        faulty_files_fail(Int32(FAULTY_WRITE.rawValue), 1, SQLITE_FULL, 0)
        try cache.clear()
        _ = faulty_files_heal()
        var snapshots: [any StoreSnapshot] = []
        for _ in 0..<5 {
          snapshots.append(try cache.openSnapshot())
          #expect(try snapshots.last?.recordKeys() == [], "round \(round)")
        }
      }
    }
  }

  @Test func aTransactionThatWritesAfterClearingFailsOnAFullDisk() throws {
    faulty_files_install()
    defer { _ = faulty_files_heal() }
    let folder = try TemporaryFolder(named: "faulty-files")
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    _ = try cache.merge(records: Self.transaction(1))
    faulty_files_fail(Int32(FAULTY_WRITE.rawValue), 1, SQLITE_FULL, 1)
    #expect(throws: SQLiteError.self) {
      try cache.apply([.clear, .merge(Self.transaction(2))])
    }
    _ = faulty_files_heal()
    #expect(try Self.number(in: cache) == 1, "all or nothing")
  }

  /// Of several caches that find an old log beside an empty file, one deletes it, and the others
  /// get an error because it is gone.
  @Test func toleratesAnOldLogThatAnotherConnectionDeletes() throws {
    faulty_files_install()
    defer { _ = faulty_files_heal() }
    let folder = try TemporaryFolder(named: "faulty-files")
    try Data().write(to: folder.file)
    try Data("an old log".utf8).write(to: URL(fileURLWithPath: folder.file.path + "-wal"))
    let isNotThere = SQLITE_IOERR | (23 << 8)
    faulty_files_fail(Int32(FAULTY_DELETE.rawValue), 1, isNotThere, 1)
    #expect(throws: SQLiteError.self) { try SQLiteNormalizedCache(fileURL: folder.file) }
    faulty_files_fail(Int32(FAULTY_DELETE.rawValue), 1, isNotThere, 0)
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    #expect(faulty_files_heal() == 1)
    _ = try cache.merge(records: Self.transaction(1))
    #expect(try Self.number(in: cache) == 1)
  }
}
