import ApolloCache
import ApolloSQLite
import Foundation
import Testing

/// The writes that a file keeps, and the numbers by which its fields name them.
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

  /// The numbers after it could not be counted.
  @Test(arguments: [Int64.max, Int64.max - 1, 1 << 62])
  func aFileWithTooLargeANumberOfAWriteIsReplacedByTheNextWrite(number: Int64) throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    try cache.commit([.merge(["Old": ["n": 1]])], at: 1)
    try SQLiteShell.run("UPDATE writes SET id = \(number)", on: folder.file)
    let error = #expect(throws: SQLiteError.self) {
      try cache.commit([.merge(["A": ["n": 1]])], at: 2)
    }
    #expect(error?.isDamage == true)
    try cache.commit([.merge(["A": ["n": 1]])], at: 3)
    #expect(try cache.writeTimes(of: "A", among: ["n"]) == ["n": 3])
    #expect(try cache.recordKeys() == ["A"])
  }

  /// As a damaged file may have it.
  @Test func aNegativeNumberOfAWriteIsNotCounted() throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    try cache.commit([.merge(["Old": ["n": 1]])], at: 1)
    try SQLiteShell.run("UPDATE writes SET id = \(Int64.min + 1_023)", on: folder.file)
    try cache.commit([.merge(["A": ["n": 1]])], at: 2)
    try cache.commit([.merge(["B": ["n": 1]])], at: 3)
    #expect(try cache.writeTimes(of: "A", among: ["n"]) == ["n": 2])
    #expect(try cache.writeTimes(of: "B", among: ["n"]) == ["n": 3])
  }

  @Test func theProvenanceOfAFieldIsTheLatestWriteOfAnyConnection() async throws {
    var configuration = ApolloStore.Configuration()
    configuration.freshness.isTracked = true
    configuration.freshness.now = { Date(timeIntervalSince1970: 1) }
    let store = ApolloStore(
      cache: try SQLiteNormalizedCache(fileURL: folder.file), configuration: configuration)
    try await store.publish(["A": ["n": 1], "B": ["n": 1]])
    let field = FieldAddress(record: "A", field: "n")
    #expect(store.provenance(of: field)?.date == Date(timeIntervalSince1970: 1))
    let other = try SQLiteNormalizedCache(fileURL: folder.file)
    try other.commit([.merge(["A": ["n": 2]]), .remove("B")], at: 2)
    #expect(store.provenance(of: field)?.date == Date(timeIntervalSince1970: 2))
    #expect(store.provenance(of: RecordKey("B")).isEmpty)
    try await store.publish(["A": ["n": 3]])
    try other.commit([.merge(["A": ["n": 4]])], at: 4)
    #expect(store.provenance(of: RecordKey("A"))["n"]?.date == Date(timeIntervalSince1970: 4))
    try await store.publish(["A": ["n": 5]])
    try other.commit([.merge(["A": ["n": 6]])], at: 6)
    #expect(try await store.record(of: "A")?.writes["n"]?.time == 6)
  }

  /// A file can have any number, such as one that no `Duration` can have.
  @Test(arguments: ["9e999", "-9e999", "1e300", "-1e300"])
  func anyTimeAndMaximumAgeOfAFileIsRead(number: String) throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    try cache.commit([.merge(["A": ["n": 1]])], at: 1)
    try SQLiteShell.run("UPDATE writes SET time = \(number), max_age = \(number)", on: folder.file)
    let store = ApolloStore(cache: cache)
    let provenance = try #require(store.provenance(of: RecordKey("A"))["n"])
    let maxAge = try #require(provenance.maxAge)
    let isNegative = number.first == "-"
    #expect((provenance.date < Date(timeIntervalSince1970: 0)) == isNegative)
    #expect((maxAge == .zero) == isNegative)
  }
}
