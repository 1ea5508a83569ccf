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

  /// With their times, the writes of the fields have a shape as well.
  @Test(arguments: [false, true])
  func theOrderOfResponsesMakesNoShapes(hasTimes: Bool) throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    let fields = (0..<6).map { FieldKey("field\($0)") }
    var random = SeededGenerator(seed: freshSeed)
    for number in 0..<300 {
      for field in fields.shuffled(using: &random) {
        let records: RecordSet = [RecordKey("R:\(number)"): FieldMap([(field, .int(1))])]
        if hasTimes {
          try cache.commit([.merge(records)], at: 1)
        } else {
          _ = try cache.merge(records: records)
        }
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

  // MARK: Records that lose fields

  /// Removes fields of a record, as trimming does.
  private func remove(
    _ fields: Range<Int>, of key: RecordKey, from cache: some LocalRecordStore
  ) throws {
    let context = try cache.blockToWrite()
    defer { context.end() }
    _ = try context.removeFields([key: Set(fields.map { FieldKey("page(number:\($0))") })])
  }

  private func pages(_ numbers: Range<Int>) -> FieldMap {
    FieldMap(numbers.map { (FieldKey("page(number:\($0))"), .int(Int64($0))) })
  }

  /// A record of more than 64 fields has one row for each.
  @Test func nothingIsLeftOfARecordThatHadMoreFields() throws {
    let chain = ChainedNormalizedCache(try SQLiteNormalizedCache(fileURL: folder.file))
    _ = try chain.merge(records: RecordSet([Record(key: "User:1", fields: pages(0..<70))]))
    try remove(0..<10, of: "User:1", from: chain)
    #expect(try chain.loadRecords(forKeys: ["User:1"])["User:1"]?.fields == pages(10..<70))
    _ = try chain.merge(records: ["User:1": ["page(number:20)": "changed"]])
    _ = try chain.removeRecord(for: "User:1")
    #expect(try count("SELECT count(*) FROM wide_fields") == 0)
    _ = try chain.merge(records: RecordSet([Record(key: "User:1", fields: pages(100..<170))]))
    let other = try SQLiteNormalizedCache(fileURL: folder.file)
    #expect(try other.loadRecords(forKeys: ["User:1"])["User:1"]?.fields == pages(100..<170))
  }

  /// The fields and their writes have one shape. In the order of a dictionary, which is one of 60!,
  /// the writes would have another one for each record.
  @Test func recordsThatBecomeOneRowAgainShareAShape() throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    let fields = (0..<70).map { FieldKey("field\($0)") }
    for key in ["User:1", "User:2"] as [RecordKey] {
      let record = Record(key: key, fields: FieldMap(fields.map { ($0, .int(1)) }))
      try cache.commit([.merge(RecordSet([record]))], at: 1)
      let context = try cache.blockToWrite()
      defer { context.end() }
      _ = try context.removeFields([key: Set(fields.prefix(10))])
      #expect(try cache.writeTimes(of: key, among: fields).count == 60)
    }
    #expect(try count("SELECT count(*) FROM wide_fields") == 0)
    #expect(try count("SELECT count(*) FROM shapes") == 1)
  }

  @Test func fieldsThatAnEarlierVersionHasLeftBehindDoNotComeBack() throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    try DatabaseConnection(path: folder.file.path, access: .writing, busyTimeout: 1_000).execute(
      """
      INSERT INTO wide_fields (record, field, value)
      VALUES (CAST('User:1' AS BLOB), CAST('old' AS BLOB), x'0302')
      """)
    _ = try cache.merge(records: RecordSet([Record(key: "User:1", fields: pages(0..<70))]))
    #expect(try cache.loadRecords(forKeys: ["User:1"])["User:1"]?.fields == pages(0..<70))
  }

  /// The list of a record's writes has room for 64 fields. Removed ones must not fill it.
  @Test(arguments: [1, 70])
  func theWritesOfARecordThatHadManyFieldsAreKnown(countAtOnce: Int) throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    func write(_ fields: FieldMap, at time: Double) throws {
      try cache.commit([.merge(RecordSet([Record(key: "User:1", fields: fields)]))], at: time)
    }
    try write(["name": "Ada"], at: 1)
    for first in stride(from: 0, to: 70, by: countAtOnce) {
      try write(pages(first..<(first + countAtOnce)), at: 2)
      try remove(first..<(first + countAtOnce), of: "User:1", from: cache)
    }
    try write(pages(70..<71), at: 3)
    #expect(
      try cache.writeTimes(of: "User:1", among: ["name", "page(number:70)"])
        == ["name": 1, "page(number:70)": 3])
  }

  // MARK: Roots

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
