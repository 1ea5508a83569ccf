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

  /// Another client of the program has the same file.
  @Test func keepsWhatIsRetainedThroughAnotherCacheOfTheFile() async throws {
    let folder = try TemporaryFolder()
    func open() throws -> ApolloStore {
      ApolloStore(cache: try SQLiteNormalizedCache(fileURL: folder.file, configuration: .patient))
    }
    let (store, other) = (try open(), try open())
    try await store.publish(["Draft:7": ["author": .reference("User:1")], "User:1": ["n": 1]])
    let retention = store.retain(["Draft:7"])
    #expect(try await other.collectGarbage().removedCount == 0)
    retention.release()
    #expect(try await other.collectGarbage().removedCount == 2)
  }

  /// With a rollback journal, a commit waits for all readers.
  @Test(.timeLimit(.minutes(10)), arguments: [nil, JournalMode.truncate])
  func neverMakesWritersWaitForItsTurn(journalMode: JournalMode?) async throws {
    let folder = try TemporaryFolder()
    var configuration = SQLiteNormalizedCache.Configuration.patient
    if let journalMode { configuration.journalMode = journalMode }
    let cache =
      journalMode == nil
      ? try SQLiteNormalizedCache.inMemory()
      : try SQLiteNormalizedCache(fileURL: folder.file, configuration: configuration)
    let store = ApolloStore(cache: cache)
    try await store.publish(records(rootFieldCount: 1_500))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for step in 0..<5 {
            switch task {
            case 0: try await store.collectGarbage()
            case 1: _ = try await store.trim(to: 100_000)
            case 2...4:
              try await store.publish([RecordKey("Kept:\(task)"): ["index": .int(Int64(step))]])
            default: _ = try await store.withinReadTransaction { try $0.record(for: "Kept:1") }
            }
            await Task.yield()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.danglingReferences() == [])
    #expect(try await store.byteCount() <= 110_000)
    #expect(try cache.integrityProblems() == [])
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
