import ApolloCache
import ApolloSQLite
import Foundation
import SeededRandom
import Testing

/// The states after a loss of power: the file as it was synced last, with any part of the later
/// log.
@Suite(.timeLimit(.minutes(10)))
struct PowerLossTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let keys = (0..<8).map { RecordKey("R:\($0)") }

  private static func transaction(_ number: Int64) -> RecordSet {
    let text = CacheValue.string(String(repeating: "x", count: Int(number * 97 % 1_500)))
    return RecordSet(keys.map { Record(key: $0, fields: ["n": .int(number), "text": text]) })
  }

  /// A file and its log while both are in use, after `count` transactions.
  private func crashed(after count: Int64) throws -> (file: Data, log: Data) {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    for number in 1...count { _ = try cache.merge(records: Self.transaction(number)) }
    return try withExtendedLifetime(cache) {
      let log = URL(fileURLWithPath: folder.file.path + "-wal")
      return (try Data(contentsOf: folder.file), try Data(contentsOf: log))
    }
  }

  /// The number of the last transaction in what is left; each transaction is there as a whole or
  /// not at all.
  private func lastTransaction(_ file: Data, _ log: Data) throws -> Int64 {
    let position = try TemporaryFolder()
    try file.write(to: position.file)
    try log.write(to: URL(fileURLWithPath: position.file.path + "-wal"))
    let cache = try SQLiteNormalizedCache(fileURL: position.file)
    try #require(try cache.integrityProblems() == [])
    try #require(!position.names.contains { $0.contains("damaged") })
    let records = try cache.loadRecords(forKeys: Set(Self.keys))
    let numbers = Set(Self.keys.map { records[$0]?["n"] })
    try #require(numbers.count == 1, "A part of a transaction is there.")
    guard case .int(let number)? = numbers.first ?? nil else { return 0 }
    try #require(
      records == Dictionary(uniqueKeysWithValues: Self.transaction(number).map { ($0.key, $0) }))
    return number
  }

  @Test func aLogThatIsCutOffAnywhereLeavesAPrefixOfTheTransactions() throws {
    let (file, log) = try crashed(after: 12)
    var random = SeededGenerator(seed: freshSeed)
    // A log is a header of 32 bytes and frames of 24 + 4,096.
    let frames = stride(from: 32, through: log.count, by: 24 + 4_096)
    let lengths =
      Array(frames) + (0..<40).map { _ in Int.random(in: 0...log.count, using: &random) }
    var last: Int64 = 0
    for length in lengths.sorted() {
      let number = try lastTransaction(file, log.prefix(length))
      #expect(number >= last, "seed \(freshSeed), \(length) bytes")
      last = number
    }
    #expect(last == 12, "Nothing was cut off.")
  }

  /// Blocks reach a disk in any order: one in the middle of the log may be the one that did not.
  @Test func aHoleInTheLogEndsItThere() throws {
    let (file, log) = try crashed(after: 12)
    var random = SeededGenerator(seed: freshSeed)
    for _ in 0..<40 {
      let start = Int.random(in: 0..<log.count, using: &random)
      let end = min(log.count, start + [1, 512, 4_096, 20_000].randomElement(using: &random)!)
      var torn = log
      let isZero = Bool.random(using: &random)
      for index in start..<end {
        torn[index] = isZero ? 0 : UInt8.random(in: 0...255, using: &random)
      }
      let number = try lastTransaction(file, torn)
      #expect((0...12).contains(number), "seed \(freshSeed), \(start)..<\(end)")
    }
  }
}
