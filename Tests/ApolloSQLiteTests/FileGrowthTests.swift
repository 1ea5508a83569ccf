import ApolloCache
import Foundation
import SeededRandom
import Testing

@testable import ApolloSQLite

/// The parts of a file beside its records, which must not grow forever.
@Suite(.timeLimit(.minutes(10)))
struct FileGrowthTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func count(_ sql: String) throws -> Int64? {
    try DatabaseConnection(path: folder.file.path, access: .reading, busyTimeout: 1_000).integer(
      sql)
  }

  @Test func theLogDoesNotStayAtItsLargestSize() throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    let text = CacheValue.string(String(repeating: "x", count: 200_000))
    _ = try cache.merge(
      records: RecordSet((0..<100).map { Record(key: RecordKey("R:\($0)"), fields: ["t": text]) }))
    let log = URL(fileURLWithPath: folder.file.path + "-wal")
    let size = try FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int
    #expect(try #require(size) <= 8 << 20)
  }

  @Test func theOrderOfResponsesMakesNoShapes() throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    let fields = (0..<6).map { FieldKey("field\($0)") }
    var random = SeededGenerator(seed: freshSeed)
    for number in 0..<300 {
      for field in fields.shuffled(using: &random) {
        _ = try cache.merge(records: [RecordKey("R:\(number)"): FieldMap([(field, .int(1))])])
      }
    }
    let shapes = try #require(try count("SELECT count(*) FROM shapes"))
    #expect(shapes < 64, "seed \(freshSeed)")
    #expect(
      try cache.loadRecords(forKeys: ["R:7"])["R:7"]?.fields
        == FieldMap(fields.map { ($0, .int(1)) }))
  }

  @Test func clearingRemovesTheShapes() throws {
    let (one, two) = (
      try SQLiteNormalizedCache(fileURL: folder.file),
      try SQLiteNormalizedCache(fileURL: folder.file)
    )
    _ = try one.merge(records: ["A": ["a": 1, "b": 2]])
    _ = try two.merge(records: ["B": ["a": 1, "b": 3]])
    try one.clear()
    #expect(try count("SELECT count(*) FROM shapes") == 0)
    _ = try two.merge(records: ["B": ["a": 1, "b": 4]])
    _ = try one.merge(records: ["A": ["a": 1, "b": 5]])
    for cache in [one, two, try SQLiteNormalizedCache(fileURL: folder.file)] {
      let records = try cache.loadRecords(forKeys: ["A", "B"])
      #expect(records["A"]?["b"] == 5)
      #expect(records["B"]?["b"] == 4)
    }
    #expect(try count("SELECT count(*) FROM shapes") == 1)
  }

  @Test(arguments: [false, true])
  func aRootThatGrowsHasOneRowForEachField(isChained: Bool) throws {
    let disk = try SQLiteNormalizedCache(fileURL: folder.file)
    let cache: any NormalizedCache = isChained ? ChainedNormalizedCache(disk) : disk
    var expected: [(FieldKey, CacheValue)] = []
    for number in 0..<20 {
      let field = (FieldKey("search(text:\(number))"), CacheValue.int(Int64(number)))
      expected.append(field)
      let changes = try cache.merge(records: ["QUERY_ROOT": FieldMap([field])])
      #expect(changes.addresses == [FieldAddress(record: "QUERY_ROOT", field: field.0)])
    }
    #expect(try count("SELECT count(*) FROM wide_fields") == 20)
    for cache in [cache, try SQLiteNormalizedCache(fileURL: folder.file)] {
      let root = try cache.loadRecords(forKeys: ["QUERY_ROOT"])["QUERY_ROOT"]
      #expect(root?.fields == FieldMap(expected))
    }
  }
}
