import ApolloCache
import ApolloSQLite
import Testing

/// Collections of records in a file.
struct FileCollectionTests {
  @Test func listsAndRemovesTheRowsOfRecords() async throws {
    let folder = try TemporaryFolder()
    let cache = try SQLiteNormalizedCache(fileURL: folder.file, configuration: .patient)
    let store = ApolloStore(cache: cache)
    try await store.publish(records(rootFieldCount: 100))
    #expect(try cache.recordKeys()?.count == 201)
    #expect(try await store.collectGarbage().removedCount == 100)
    #expect(try cache.recordKeys()?.count == 101)
    #expect(try await store.danglingReferences().isEmpty)
    #expect(try cache.integrityProblems().isEmpty)
  }

  @Test func keepsWhatAnotherConnectionRefersTo() async throws {
    let folder = try TemporaryFolder()
    let cache = try SQLiteNormalizedCache(fileURL: folder.file, configuration: .patient)
    let other = try SQLiteNormalizedCache(fileURL: folder.file, configuration: .patient)
    let store = ApolloStore(cache: cache)
    try await store.publish(records(rootFieldCount: 3_000))
    async let collection = store.collectGarbage()
    var kept: Set<RecordKey> = []
    for index in 0..<20 {
      let key = RecordKey("Loose:\(index)")
      _ = try other.merge(records: [
        .queryRoot: [FieldKey("other\(index)"): .reference(key)], key: ["name": "kept"],
      ])
      kept.insert(key)
    }
    _ = try await collection
    #expect(Set(try #require(try cache.recordKeys())).isSuperset(of: kept))
  }

  /// Records of which one half can be reached from the root.
  private func records(rootFieldCount: Int) -> RecordSet {
    var records = RecordSet()
    for index in 0..<rootFieldCount {
      let key = RecordKey("Kept:\(index)")
      records.append(
        Record(key: .queryRoot, fields: [FieldKey("field\(index)"): .reference(key)]))
      records.append(Record(key: key, fields: ["index": .int(Int64(index))]))
      records.append(Record(key: RecordKey("Loose:\(index)"), fields: ["name": "loose"]))
    }
    return records
  }
}
