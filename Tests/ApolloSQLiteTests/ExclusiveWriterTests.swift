import ApolloCache
import Foundation
import Testing

@testable import ApolloSQLite

struct ExclusiveWriterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// SQLite would not wait at all, because it counts milliseconds in 32 bits.
  @Test(arguments: [Duration.seconds(Int64.max), .seconds(10_000_000_000_000_000)])
  func aVeryLongTimeoutIsTheLongestOfSQLite(timeout: Duration) {
    var configuration = SQLiteNormalizedCache.Configuration()
    configuration.busyTimeout = timeout
    #expect(configuration.ofFile.busyTimeoutInMilliseconds == .max)
  }

  /// The connection would write to a file without a path. In most rounds the two do not coincide.
  @Test(.timeLimit(.minutes(10)))
  func nothingIsWrittenToAFileThatIsReplacedWhileItIsOpened() async throws {
    @Sendable func open() throws -> SQLiteNormalizedCache {
      try SQLiteNormalizedCache(fileURL: folder.file, configuration: .patient)
    }
    let file = DatabaseFile(
      path: folder.file.path, settings: SQLiteNormalizedCache.Configuration.patient.ofFile,
      schema: .current)
    let text = CacheValue.string(String(repeating: "x", count: 1_000))
    for round in 0..<20 {
      // Checking a file of this size takes some milliseconds.
      _ = try open().merge(
        records: RecordSet(
          (0..<1_000).map { Record(key: RecordKey("R:\($0)"), fields: ["t": text]) }))
      let identity = file.identity
      async let opening = open()
      for _ in 0..<(round * 20) { await Task.yield() }
      try file.delete(identity)
      _ = try open().merge(records: ["Other": ["n": 1]])
      let cache = try await opening
      _ = try cache.merge(records: ["Own": ["n": .int(Int64(round))]])
      #expect(
        try open().loadRecords(forKeys: ["Own"])["Own"]?["n"] == .int(Int64(round)),
        "round \(round)")
    }
  }

  /// Overwriting what is removed makes each write slower.
  @Test func aClearingThatFailsEndsTheOverwriting() throws {
    let file = DatabaseFile(
      path: folder.file.path, settings: SQLiteNormalizedCache.Configuration().ofFile,
      schema: .current)
    var writer = try CacheWriter(file)
    // On some systems, it is usually on.
    try writer.connection.execute("PRAGMA secure_delete = OFF")
    // The file may not grow.
    try writer.limitPageCount(to: 1)
    _ = try writer.begin(isLastTry: true)
    let text = CacheValue.string(String(repeating: "x", count: 1_000_000))
    var known: RecordTable?
    let error = #expect(throws: SQLiteError.self) {
      _ = try writer.commit([.clear, .merge(["A": ["text": text]])], keeping: &known)
    }
    #expect(error?.isFull == true)
    #expect(try writer.connection.integer("PRAGMA secure_delete") == 0)
    let limit = try writer.connection.integer("PRAGMA journal_size_limit")
    #expect(limit == Int64(RecordRows.mostBytesOfTheLog))
  }

  /// Rewriting a large file takes longer than a program has before it is suspended.
  @Test func anInterruptedErasureIsCompletedByTheNextCall() throws {
    var configuration = SQLiteNormalizedCache.Configuration()
    configuration.busyTimeout = .zero
    let file = DatabaseFile(
      path: folder.file.path, settings: configuration.ofFile, schema: .current)
    var writer = try CacheWriter(file)
    do {
      let reader = try SQLiteShell.Connection(folder.file)
      try reader.run("BEGIN; SELECT count(*) FROM records")
      _ = try writer.begin(isLastTry: true)
      var known: RecordTable?
      _ = try writer.commit([.clear], keeping: &known)
      withExtendedLifetime(reader) {}
    }
    #expect(writer.pendingErasure != nil, "A reader has delayed it.")
    let exclusive = ExclusiveWriter(writer)
    var interrupted: RunningErasure?
    try exclusive.finishErasure { erasure, run in
      erasure.interrupt()
      run()
      interrupted = erasure
    }
    writer = try #require(exclusive.take())
    #expect(writer.pendingErasure != nil)
    exclusive.recycle(writer)
    // An interruption that comes late reaches nothing else.
    try #require(interrupted).interrupt()
    try exclusive.finishErasure { $1() }
    writer = try #require(exclusive.take())
    #expect(writer.pendingErasure == nil)
  }

  /// While a write starts or ends, others may commit, and the commit could not be detected.
  @Test func foreignCommitsAreCountedExceptWhileAWriteStartsOrEnds() throws {
    let file = DatabaseFile(
      path: folder.file.path, settings: SQLiteNormalizedCache.Configuration().ofFile,
      schema: .current)
    let exclusive = ExclusiveWriter(try CacheWriter(file))
    #expect(try exclusive.foreignCommitCount() == 0)
    let writer = try #require(exclusive.take())
    #expect(try exclusive.foreignCommitCount() == nil)
    exclusive.setExclusive(true)
    #expect(try exclusive.foreignCommitCount() == 0)
    exclusive.setExclusive(false)
    #expect(try exclusive.foreignCommitCount() == nil)
    exclusive.recycle(writer)
    _ = try SQLiteNormalizedCache(fileURL: folder.file).merge(records: ["A": ["n": 1]])
    #expect(try exclusive.foreignCommitCount() == 1)
  }

  /// Readers see a commit before its context ends, and then others may commit, too.
  @Test func allCommitsAreCountedExceptWhileOneEnds() throws {
    let file = DatabaseFile(
      path: folder.file.path, settings: SQLiteNormalizedCache.Configuration().ofFile,
      schema: .current)
    let exclusive = ExclusiveWriter(try CacheWriter(file))
    #expect(try exclusive.commitCount() == 0)
    let writer = try #require(exclusive.take())
    #expect(try exclusive.commitCount() == nil)
    exclusive.setExclusive(true)
    #expect(try exclusive.commitCount() == 0)
    exclusive.beginCommit()
    #expect(try exclusive.commitCount() == nil)
    exclusive.recordCommit()
    #expect(try exclusive.commitCount() == nil)
    exclusive.recycle(writer)
    #expect(try exclusive.commitCount() == 1)
    #expect(try exclusive.foreignCommitCount() == 0)
    _ = try SQLiteNormalizedCache(fileURL: folder.file).merge(records: ["A": ["n": 1]])
    #expect(try exclusive.commitCount() == 2)
  }
}
