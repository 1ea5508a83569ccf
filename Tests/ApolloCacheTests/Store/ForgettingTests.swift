import ApolloAPI
import ApolloCache
import Testing

/// The memory of a store for earlier readings and writes.
struct ForgettingTests {
  @Test func clearingReleasesTheResultsOfReadings() async throws {
    let store = ApolloStore()
    let query = LibraryQuery<Scores>()
    try await store.publish(["QUERY_ROOT": ["scores": [[1]]]])
    #expect(try await store.load(query).data != nil)
    #expect(store.results.count == 1, "It is remembered.")
    try await store.clearCache()
    #expect(store.results.count == 0)
  }

  @Test func theLogOfChangesIsBoundedInBytes() {
    var log = ChangeLog()
    let start = log.current
    for number in 0..<200 {
      var changes = ChangeSet()
      let fields = (0..<1_000).map { FieldKey("field\($0)(argument:\(number))") }
      changes.insert(.listed(fields), of: "QUERY_ROOT")
      _ = log.append(changes, version: nil)
      #expect(log.approximateByteCount <= ChangeLog.maximumByteCount)
    }
    #expect(log.changes(since: start) == nil)
    #expect(log.approximateByteCount > 0)
    let beforeClearing = log.current
    _ = log.append(.everything, version: nil)
    #expect(log.approximateByteCount == 0)
    #expect(log.changes(since: beforeClearing) == nil)
    #expect(log.changes(since: log.current)?.isEmpty == true)
  }
}
