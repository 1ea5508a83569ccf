import ApolloCache
import ApolloSQLite
import Foundation
import Testing

/// The numbers by which a file knows which write a field is from.
@Suite(.timeLimit(.minutes(10)))
struct WriteNumberTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(named: "apollo-writes") }

  /// A transaction that clears and then writes is one write, whose number no later one gets.
  @Test func fieldsThatATransactionWritesAfterClearingKeepItsTime() throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    try cache.commit([.merge(["Old": ["n": 1]])], at: 1)
    try cache.commit([.clear, .merge(["A": ["n": 1]])], at: 2)
    try cache.commit([.merge(["B": ["n": 1]])], at: 3)
    try cache.commit([.merge(["C": ["n": 1]])], at: 4)
    for cache in [cache, try SQLiteNormalizedCache(fileURL: folder.file)] {
      #expect(try cache.writeTimes(of: "Old", among: ["n"]) == [:])
      #expect(try cache.writeTimes(of: "A", among: ["n"]) == ["n": 2])
      #expect(try cache.writeTimes(of: "B", among: ["n"]) == ["n": 3])
      #expect(try cache.writeTimes(of: "C", among: ["n"]) == ["n": 4])
    }
  }
}
