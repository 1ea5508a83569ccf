import ApolloAPI
import ApolloCache
import ApolloSQLite
import CSQLite
import Foundation
import Testing

/// A program that is about to be suspended gives up its locks, whatever it is doing.
@Suite(.timeLimit(.minutes(10)))
struct SuspensionTests {
  private let folder: TemporaryFolder
  private let cache: SQLiteNormalizedCache

  init() throws {
    folder = try TemporaryFolder()
    cache = try SQLiteNormalizedCache(fileURL: folder.file)
    _ = try cache.merge(records: ["A": ["n": 1], "B": ["n": 1]])
  }

  /// Throws if anybody holds a lock that would keep others from writing.
  private func writeAsAnother() throws {
    let other = try SQLiteShell.Connection(folder.file)
    try other.run("BEGIN EXCLUSIVE; PRAGMA user_version = 1; COMMIT")
    try other.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func expectIsSuspended(_ body: () throws -> Void) {
    let error = #expect(throws: SQLiteError.self, performing: body)
    #expect(error?.primaryCode == SQLITE_INTERRUPT)
  }

  @Test func nothingBeginsUntilItIsResumed() throws {
    cache.suspend()
    expectIsSuspended { _ = try cache.merge(records: ["A": ["n": 2]]) }
    expectIsSuspended { _ = try cache.loadRecords(forKeys: ["A"]) }
    expectIsSuspended { _ = try cache.snapshot() }
    try writeAsAnother()
    cache.resume()
    #expect(try cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 1)
    _ = try cache.merge(records: ["A": ["n": 3]])
    #expect(try cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 3)
  }

  /// Each count is a statement that takes a lock for a moment.
  @Test func commitsAreNotCountedUntilItIsResumed() throws {
    cache.suspend()
    expectIsSuspended { _ = try cache.foreignCommitCount() }
    expectIsSuspended { _ = try cache.commitCount() }
    cache.resume()
    #expect(try cache.foreignCommitCount() != nil)
    #expect(try cache.commitCount() != nil)
  }

  @Test func aTransactionThatWritesEndsWithoutItsChanges() async throws {
    let store = ApolloStore(cache: cache)
    await #expect(throws: SQLiteError.self) {
      try await store.withinReadWriteTransaction { transaction in
        try transaction.merge(["A": ["n": 2]])
        cache.suspend()
        try writeAsAnother()
        expectIsSuspended { _ = try transaction.record(for: "B") }
      }
    }
    cache.resume()
    #expect(try cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 1)
    try await store.publish(["A": ["n": 3]])
    #expect(try cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 3)
    #expect(try cache.integrityProblems() == [])
  }

  @Test func aSnapshotEnds() throws {
    let snapshot = try #require(try cache.snapshot())
    #expect(try snapshot.fields(of: "A") == ["n": 1])
    cache.suspend()
    try writeAsAnother()
    expectIsSuspended { _ = try snapshot.fields(of: "B") }
    cache.resume()
    expectIsSuspended { _ = try snapshot.fields(of: "B") }
    #expect(try cache.snapshot()?.fields(of: "B") == ["n": 1])
  }

  /// Others write and read without a pause while it is suspended and resumed again and again: each
  /// transaction is whole or not there.
  @Test func suspendingAtAnyMomentLosesNoHalfOfATransaction() async throws {
    let cache = cache
    let keys = (0..<30).map { RecordKey("R:\($0)") }
    let isOver = Lock(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        var number: Int64 = 0
        while !isOver.withLock({ $0 }) {
          number += 1
          let records = RecordSet(keys.map { Record(key: $0, fields: ["n": .int(number)]) })
          do {
            _ = try cache.merge(records: records)
          } catch let error as SQLiteError {
            #expect(error.primaryCode == SQLITE_INTERRUPT)
          }
          await Task.yield()
        }
      }
      group.addTask {
        while !isOver.withLock({ $0 }) {
          do {
            let records = try cache.loadRecords(forKeys: Set(keys))
            #expect(Set(keys.map { records[$0]?["n"] }).count == 1)
          } catch let error as SQLiteError {
            #expect(error.primaryCode == SQLITE_INTERRUPT)
          }
          await Task.yield()
        }
      }
      // Also when something fails: the group waits for the others.
      defer { isOver.withLock { $0 = true } }
      for round in 0..<100 {
        for _ in 0..<(round * 7 % 23) { await Task.yield() }
        cache.suspend()
        try writeAsAnother()
        cache.resume()
      }
      isOver.withLock { $0 = true }
      try await group.waitForAll()
    }
    #expect(try cache.integrityProblems() == [])
    _ = try cache.merge(records: ["A": ["n": 9]])
    #expect(try cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 9)
  }
}
