import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import Testing

/// A clock that was ahead when records were used, and was corrected later.
@Suite struct LastUseMeetingTests {
  private let folder: TemporaryFolder
  private let time = Lock(1_000_000_000.0)

  init() throws { folder = try TemporaryFolder() }

  private func store() throws -> ApolloStore {
    var configuration = ApolloStore.Configuration()
    configuration.tracksUse = true
    configuration.freshness.now = { [time] in Date(timeIntervalSince1970: time.get()) }
    return ApolloStore(
      cache: try SQLiteNormalizedCache(fileURL: folder.file, configuration: .patient),
      configuration: configuration)
  }

  private func post(_ number: Int) -> NormalizedResponse {
    let key = RecordKey("Post:\(number)")
    return NormalizedResponse(records: [
      .queryRoot: [FieldKey("post\(number)"): .reference(key)],
      key: ["text": .string(String(repeating: "x", count: 100))],
    ])
  }

  /// Each fourth response is noted, with the next commit.
  private func use(_ numbers: some Sequence<Int>, _ store: ApolloStore, _ n: Int64) async throws {
    for number in numbers { for _ in 0..<4 { try await store.publish(post(number)) } }
    try await store.publish(["Other": ["n": .int(n)]])
  }

  @Test func aUseOfTheFutureCountsAsUnknown() async throws {
    let used = [22, 25, 26, 29, 34]
    do {
      let store = try store()
      for number in 0..<40 { try await store.publish(post(number)) }
      time.withLock { $0 += 365 * 86_400 }
      try await use(0..<20, store, 1)
      time.withLock { $0 -= 364 * 86_400 }
      try await use(used, store, 2)
    }
    let store = try store()
    try await store.trim(to: try await store.byteCount() / 4)
    let left = try await store.readOnlyCache.loadRecords(
      forKeys: Set((0..<40).map { RecordKey("Post:\($0)") }))
    #expect(Set(left.keys).isSuperset(of: used.map { RecordKey("Post:\($0)") }))
  }
}
