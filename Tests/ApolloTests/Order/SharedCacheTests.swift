import Apollo
import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import SimulatedRequests
import TestOperations
import Testing

/// Several stores of one cache.
@Suite(.timeLimit(.minutes(10)))
struct SharedCacheTests {
  enum Kind: CaseIterable { case memory, disk }

  /// Two stores of the same records.
  private func stores(_ kind: Kind) throws -> (ApolloStore, ApolloStore, owner: AnyObject?) {
    switch kind {
    case .memory:
      let cache = InMemoryNormalizedCache()
      return (ApolloStore(cache: cache), ApolloStore(cache: cache), nil)
    case .disk:
      let file = try SharedFile()
      return (try file.store(), try file.store(), file)
    }
  }

  /// The closure fails while its object is not in the cache, so its layer has no effects.
  @Test(arguments: Kind.allCases)
  func aClosureWithoutEffectsRunsAgainAfterACommitOfAnotherStore(kind: Kind) async throws {
    let (store, other, owner) = try stores(kind)
    let layer = store.layers.reserve()
    try await store.showLayer(layer) { transaction in
      guard let hero = try transaction.record(for: "Hero:1"), case .int(let age)? = hero["age"]
      else { throw CancellationError() }
      try transaction.merge(["Hero:1": ["age": .int(age + 1)]])
    }
    try await other.publish(["Hero:1": ["age": 5]])
    let seen = try await store.withinReadTransaction { try $0.record(for: "Hero:1")?["age"] }
    #expect(seen == .int(6))
    await store.removeLayer(layer)
    withExtendedLifetime(owner) {}
  }

  @Test func aNewWatchNeverLosesDataBetweenTwoResults() async throws {
    for _ in 0..<200 {
      let (store, other, _) = try stores(.memory)
      let client = ApolloClient(networkTransport: OrderServer(), store: store)
      let results = Lock<[String?]>([])
      async let writes: Void = {
        for value in 7..<10 {
          try await other.publish([
            "QUERY_ROOT": ["hero": .reference("Hero:1")],
            "Hero:1": [
              "__typename": "Hero", "id": "1", "name": .string("\(value)"), "friends": .null,
            ],
          ])
        }
      }()
      let watcher = client.watch(
        query: HeroAPI.HeroQuery(), cachePolicy: .returnCacheDataDontFetch,
        refetchOnFailedUpdates: false, callbackQueue: .global()
      ) { result in
        results.withLock { $0.append((try? result.get())?.data?.hero?.name) }
      }
      try await writes
      await until { results.get().last == "9" }
      #expect(!results.get().drop { $0 == nil }.contains(nil))
      watcher.cancel()
    }
  }
}

/// A SQLite file that several caches open, as processes do.
final class SharedFile {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "apollo-shared-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }  // a folder that is gone is no failure

  /// A store with a cache of its own.
  func store() throws -> ApolloStore {
    ApolloStore(
      cache: try SQLiteNormalizedCache(fileURL: folder.appendingPathComponent("c.sqlite")))
  }
}
