import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import Testing

/// A file remembers approximately when its records were used.
@Suite struct LastUseTests {
  private let folder: TemporaryFolder
  private let time = Lock(1_000_000.0)

  init() throws { folder = try TemporaryFolder() }

  private func store(isChained: Bool, sizeLimit: Int? = nil) throws -> ApolloStore {
    let disk = try SQLiteNormalizedCache(fileURL: folder.file, configuration: .patient)
    var configuration = ApolloStore.Configuration()
    configuration.tracksUse = true
    configuration.sizeLimit = sizeLimit
    configuration.freshness.now = { [time] in Date(timeIntervalSince1970: time.get()) }
    return ApolloStore(
      cache: isChained ? ChainedNormalizedCache(disk) : disk, configuration: configuration)
  }

  private func post(_ number: Int) -> NormalizedResponse {
    let key = RecordKey("Post:\(number)")
    return NormalizedResponse(records: [
      .queryRoot: [FieldKey("post\(number)"): .reference(key)],
      key: ["text": .string(String(repeating: "x", count: 100))],
    ])
  }

  @Test(arguments: [false, true])
  func theRecordsThatWereUsedLastStayAfterAStart(isChained: Bool) async throws {
    let used = [2, 5, 6, 9, 14]
    do {
      let store = try store(isChained: isChained)
      for number in 0..<40 { try await store.publish(post(number)) }
      time.withLock { $0 += 3_600 }
      // Each fourth response is noted, with the next commit.
      for number in used { for _ in 0..<4 { try await store.publish(post(number)) } }
      try await store.publish(["Other": ["n": 1]])
    }
    let store = try store(isChained: isChained)
    try await store.trim(to: try await store.byteCount() / 4)
    let keys = Set((0..<40).map { RecordKey("Post:\($0)") })
    let left = try await store.readOnlyCache.loadRecords(forKeys: keys)
    #expect(Set(left.keys).isSuperset(of: used.map { RecordKey("Post:\($0)") }))
    #expect(left.count < 12)
    #expect(try await store.danglingReferences().isEmpty)
  }

  @Test(arguments: [false, true])
  func theSizeLimitKeepsThemToo(isChained: Bool) async throws {
    let used = [2, 5, 6]
    do {
      let store = try store(isChained: isChained)
      for number in 0..<40 { try await store.publish(post(number)) }
      time.withLock { $0 += 3_600 }
      for number in used { for _ in 0..<4 { try await store.publish(post(number)) } }
      try await store.publish(["Other": ["n": 1]])
    }
    let limit = try await store(isChained: isChained).byteCount()
    // As the store is full, its first pages begin one trimming, which removes a quarter.
    let store = try store(isChained: isChained, sizeLimit: limit)
    for number in 100..<110 { try await store.publish(post(number)) }
    while try await store.byteCount() >= limit { await Task.yield() }
    let keys = Set(used.map { RecordKey("Post:\($0)") })
    #expect(try await store.readOnlyCache.loadRecords(forKeys: keys).count == used.count)
  }

  /// The uses that a new connection to the file finds.
  private func notedUses() throws -> [RecordKey: Int64] {
    try SQLiteNormalizedCache(fileURL: folder.file, configuration: .patient).openSnapshot()
      .lastUses()
  }

  /// The commit that inserts the record cannot note it.
  @Test(arguments: [false, true])
  func theFirstUseOfARecordIsNotedWithTheNextCommit(isChained: Bool) async throws {
    let store = try store(isChained: isChained)
    for number in 0..<4 { try await store.publish(post(number)) }
    try await store.publish(["Other": ["n": 1]])
    #expect(try notedUses() == ["Post:3": 1_000_000])
  }

  /// A collection that removes nothing commits nothing.
  @Test(arguments: [false, true])
  func aWriteWithoutChangesLeavesTheUsesToTheNextCommit(isChained: Bool) async throws {
    let store = try store(isChained: isChained)
    for number in 0..<4 { try await store.publish(post(number)) }
    #expect(try await store.collectGarbage().removedCount == 0)
    try await store.publish(["Other": ["n": 1]])
    #expect(try notedUses() == ["Post:3": 1_000_000])
  }

  @Test(arguments: [false, true])
  func aRecordThatComesBackAfterItsRemovalIsNotedAgain(isChained: Bool) async throws {
    let store = try store(isChained: isChained)
    for number in 1...2 as ClosedRange<Int64> {
      for _ in 0..<4 { try await store.publish(post(1)) }
      try await store.publish(["Other": ["n": .int(number)]])
      #expect(try notedUses() == ["Post:1": 1_000_000])
      try await store.removeObject(for: "Post:1")
      #expect(try notedUses() == [:])
    }
  }

  /// A dump may be older than the file.
  @Test func anImportKeepsALaterUse() throws {
    for (imported, kept) in [(5, 5), (7, 7), (6, 7)] as [(Int64, Int64)] {
      try CacheFileImport.run(path: folder.file.path) { file in
        try file.merge("A", ["n": 1], writes: [:], lastUse: imported)
      }
      #expect(try notedUses() == ["A": kept])
    }
  }

  /// The use is that of the row, which later writes keep.
  @Test func aUseStaysWithItsRecordUntilThatIsRemoved() async throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file, configuration: .patient)
    func uses() throws -> [RecordKey: Int64] { try cache.openSnapshot().lastUses() }
    func note(_ keys: [RecordKey], at time: Int64) throws {
      let context = try cache.blockToWrite()
      defer { context.end() }
      try context.note(uses: keys, at: time)
      _ = try context.commit([.merge(["Other": ["n": .int(time)]])])
    }
    _ = try cache.merge(records: ["A": ["n": 1], "B": ["n": 1]])
    #expect(try uses() == [:])
    try note(["A", "Missing"], at: 5)
    #expect(try uses() == ["A": 5])
    _ = try cache.merge(records: ["A": ["n": 2]])
    let wide = (0..<100).map { (FieldKey("field\($0)"), CacheValue.int(Int64($0))) }
    _ = try cache.merge(records: RecordSet([Record(key: "A", fields: FieldMap(wide))]))
    #expect(try uses() == ["A": 5])
    try note(["B", "A"], at: 7)
    #expect(try uses() == ["A": 7, "B": 7])
    _ = try cache.removeRecord(for: "A")
    #expect(try uses() == ["B": 7])
  }
}
