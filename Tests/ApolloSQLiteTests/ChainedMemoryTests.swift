import ApolloCache
import ApolloSQLite
import Testing

/// The memory in front of a file, which a commit fills with the records as they are in the file.
@Suite struct ChainedMemoryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Memory receives the whole record, also when one small field of it is written.
  @Test func memoryStaysUnderItsLimitWhenPartsOfLargeRecordsAreWritten() throws {
    let disk = try SQLiteNormalizedCache(fileURL: folder.file, configuration: .patient)
    let text = CacheValue.string(String(repeating: "x", count: 10_000))
    let keys = (0..<95).map { RecordKey("A:\($0)") }
    for key in keys { _ = try disk.merge(records: [key: ["text": text]]) }
    let chain = ChainedNormalizedCache(disk, memoryLimit: 100_000)
    for key in keys {
      _ = try chain.merge(records: [key: ["n": 1]])
      #expect(chain.countInMemory <= 10)
    }
    #expect(chain.countInMemory > 0)
    for key in keys {
      let record = try chain.loadRecords(forKeys: [key])[key]
      #expect(record?.fields == ["n": 1, "text": text])
    }
  }
}
