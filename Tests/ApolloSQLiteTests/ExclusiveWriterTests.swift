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
