import Testing

@testable import ApolloCache

/// A collection learns of the writes that go on meanwhile.
@Suite struct WriteTrackerTests {
  private let store = ApolloStore()
  private let tracker = WriteTracker()
  private let records: RecordSet = [.queryRoot: ["a": .reference("A:1")], "A:1": ["n": 1]]

  @Test func notesWhatIsWrittenAgainWithoutAChange() async throws {
    try await store.publish(records)
    store.siblings.add(tracker)
    try await store.publish(records)
    try await store.publish(NormalizedResponse(records: ["A:1": ["n": 1]]))
    let writes = try #require(tracker.takeWrites())
    #expect(writes.records == [.queryRoot, "A:1"])
    #expect(writes.changes.isEmpty)
  }

  @Test func notesTheFieldsThatChange() async throws {
    try await store.publish(["A:1": ["n": 1, "m": 1], "A:2": ["n": 1]])
    store.siblings.add(tracker)
    try await store.publish(["A:1": ["n": 2]])
    try await store.publish(["A:1": ["m": 2]])
    try await store.removeObject(for: "A:2")
    let changes = try #require(tracker.takeWrites()).changes
    #expect(changes["A:1"] == ["n", "m"])
    #expect(changes["A:2"] == Set<FieldKey>?.none)
    #expect(changes.count == 2)
    #expect(tracker.takeWrites()?.changes.isEmpty == true)
  }

  @Test func doesNotNoteTheWritesOfItsCollection() async throws {
    store.siblings.add(tracker)
    try await store.publish(records, origin: tracker.origin)
    #expect(tracker.takeWrites()?.records == [])
  }

  @Test func knowsNothingAfterTheCacheWasCleared() async throws {
    store.siblings.add(tracker)
    try await store.publish(records)
    try await store.clearCache()
    #expect(tracker.takeWrites()?.records == nil)
  }
}
