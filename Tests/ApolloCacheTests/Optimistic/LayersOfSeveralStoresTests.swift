import ApolloAPI
import Foundation
import Testing

@testable import ApolloCache

/// Optimistic layers of a store while another store of the same cache in memory writes.
struct LayersOfSeveralStoresTests {
  private typealias Query = LibraryQuery<BookTitle>
  private let cache = InMemoryNormalizedCache()
  private let query = Query(["id": "1"])

  /// Writes the book of the query.
  private func seed(_ store: ApolloStore) async throws {
    let body = #"{"data":{"book":{"__typename":"Book","id":"1","title":"old","author":null}}}"#
    try await store.publish(body: Data(body.utf8), of: query)
  }

  private func title(in store: ApolloStore) async throws -> CacheValue? {
    try await store.withinReadTransaction { try $0.record(for: "B:1")?["title"] }
  }

  /// Adds a layer that has nothing in common with the book.
  private func addLayer(to store: ApolloStore) async throws {
    try await store.showLayer(store.layers.reserve()) { try $0.merge(["Me": ["name": "?"]]) }
  }

  /// The other store has committed, and its notification has not arrived.
  @Test func aCommitDoesNotHideTheOneBeforeIt() async throws {
    let store = ApolloStore(cache: cache)
    try await seed(store)
    try await addLayer(to: store)
    #expect(try await title(in: store) == "old")
    _ = cache.merge(records: ["B:1": ["title": "new"]])
    try await store.publish(["You": ["name": "Luke"]])
    #expect(try await title(in: store) == "new")
  }

  /// While a store has a writer, readers see its layers as they were. So one that is notified of
  /// another store's commit may read too early.
  @Test func aReaderThatCameTooEarlyIsNotifiedAgain() async throws {
    let (store, other) = (ApolloStore(cache: cache), ApolloStore(cache: cache))
    try await seed(store)
    try await addLayer(to: store)
    let early = try await store.withinReadWriteTransaction { [query, other] _ in
      try await other.publish(["B:1": ["title": "new"]])
      return try await Task.detached { try await store.load(query) }.value
    }
    #expect(try await title(in: store) == "new")
    #expect(!store.registry.isCurrent(early.trace))
  }
}
