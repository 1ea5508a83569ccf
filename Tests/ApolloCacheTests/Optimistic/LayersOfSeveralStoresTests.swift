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

  /// The commit changes nothing, so its version is that of the other one.
  @Test func aCommitThatChangesNothingDoesNotHideTheOneBeforeIt() async throws {
    let store = ApolloStore(cache: cache)
    try await seed(store)
    try await addLayer(to: store)
    #expect(try await title(in: store) == "old")
    _ = cache.merge(records: ["B:1": ["title": "new"]])
    try await store.publish(["B:1": ["id": "1"]])
    #expect(try await title(in: store) == "new")
  }

  /// A response that the cache has already ends what the layer shows, and nothing else.
  @Test func aResponseThatChangesNothingNotifiesOfWhatTheLayerHasShown() async throws {
    let store = ApolloStore(cache: cache)
    try await seed(store)
    let layer = store.layers.reserve()
    try await store.showLayer(layer) { try $0.merge(["B:1": ["title": "optimistic"]]) }
    let notes = Notes()
    let subscription = store.subscribe { notes.append($0) }
    let sent = store.begin(.mutation)
    try await store.publish(response("old", sent), at: .layer(layer))
    #expect(try await title(in: store) == "old")
    #expect(notes.count == 1)
    #expect(notes.last?.changes.includesEverything == false)
    #expect(notes.last?.changes.records == ["B:1"])
    withExtendedLifetime((subscription, sent)) {}
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

  // MARK: - Responses that wait in layers

  /// Sends a mutation behind one that stays under way, and lets its response wait for that one.
  ///
  /// - Returns: The request, which must live as long as it counts, and the layer in front.
  private func settle(
    _ title: CacheValue, in store: ApolloStore
  ) async throws -> (sent: SentRequest, front: LayerID) {
    let ids = (store.layers.reserve(), store.layers.reserve())
    try await store.showLayer(ids.0) { try $0.merge(["Me": ["name": "?"]]) }
    let sent = store.begin(.mutation)
    try await store.publish(response(title, sent), at: .layer(ids.1))
    return (sent, ids.0)
  }

  private func response(_ title: CacheValue, _ sent: SentRequest) -> NormalizedResponse {
    var response = NormalizedResponse(records: ["B:1": ["title": title]])
    response.sent = sent
    return response
  }

  /// The response changes nothing in the cache, but it is newer than what the layer shows.
  @Test func aLaterResponseThatTheCacheHasAlreadyEndsWhatALayerShows() async throws {
    let (store, other) = (ApolloStore(cache: cache), ApolloStore(cache: cache))
    try await seed(store)
    let mutation = try await settle("new", in: store)
    let early = try await store.load(query)
    #expect(try await title(in: store) == "new")
    let sent = other.begin(.query)
    try await other.publish(response("old", sent))
    #expect(!store.registry.isCurrent(early.trace), "Watches are notified.")
    #expect(try await title(in: store) == "old")
    await store.removeLayer(mutation.front)
    #expect(try await title(in: store) == "old")
    withExtendedLifetime((mutation.sent, sent)) {}
  }

  /// Only the readers of the other store see its response yet, so a reader here would go back to
  /// what was before both.
  @Test func aResponseThatWaitsInAnotherStoreEndsNothing() async throws {
    let (store, other) = (ApolloStore(cache: cache), ApolloStore(cache: cache))
    try await seed(store)
    let first = try await settle("first", in: store)
    let second = try await settle("second", in: other)
    try await store.publish(["You": ["name": "Luke"]])
    #expect(try await title(in: store) == "first")
    #expect(try await title(in: other) == "second")
    await other.removeLayer(second.front)
    #expect(try await title(in: store) == "second", "It is in the cache now.")
    await store.removeLayer(first.front)
    #expect(try await title(in: store) == "second")
    #expect(try await title(in: other) == "second")
    withExtendedLifetime((first.sent, second.sent)) {}
  }

  /// A request that was sent while a response waited in a layer is newer, although that commit
  /// comes later.
  @Test func aCommitIsNoNewerThanTheArrivalOfItsResponse() async throws {
    let store = ApolloStore(cache: cache)
    try await seed(store)
    let mutation = try await settle("new", in: store)
    let sent = store.begin(.query)
    await store.removeLayer(mutation.front)
    let trace = try await store.publish(response("newer", sent))
    #expect(trace.standing == .written)
    #expect(try await title(in: store) == "newer")
    withExtendedLifetime((mutation.sent, sent)) {}
  }

  /// The query was called before the mutation, and sent again after its response.
  @Test func aQueryThatWasSentLaterEndsWhatALayerOfItsOwnStoreShows() async throws {
    let store = ApolloStore(cache: cache)
    try await seed(store)
    let before = store.layers.latest
    let mutation = try await settle("new", in: store)
    let sent = store.begin(.query)
    try await store.publish(response("old", sent), at: .requested(after: before))
    #expect(try await title(in: store) == "old")
    await store.removeLayer(mutation.front)
    #expect(try await title(in: store) == "old")
    withExtendedLifetime((mutation.sent, sent)) {}
  }

  /// The program has replaced the response of a mutation before its commit. A mutation that was
  /// sent earlier does not come after both.
  @Test func anEarlierMutationDoesNotFollowALaterOneOfWhichTheProgramHasReplacedAll() async throws {
    let (store, other) = (ApolloStore(cache: cache), ApolloStore(cache: cache))
    try await seed(store)
    let layer = store.layers.reserve()
    try await store.showLayer(layer) { try $0.merge(["B:1": ["title": "optimistic"]]) }
    let earlier = store.begin(.mutation)
    let later = try await settle("later", in: other)
    try await other.publish(["B:1": ["title": "own"]])
    await other.removeLayer(later.front)
    let trace = try await store.publish(response("earlier", earlier), at: .layer(layer))
    #expect(trace.standing == .overtaken)
    #expect(try await title(in: store) == "own")
    #expect(try await title(in: other) == "own")
    withExtendedLifetime(later.sent) {}
  }

  /// The later mutation still waits. What has replaced its response is newer than both.
  @Test func anEarlierMutationDoesNotFollowWhatHasReplacedALaterOneThatWaits() async throws {
    let (store, other) = (ApolloStore(cache: cache), ApolloStore(cache: cache))
    try await seed(store)
    let layer = other.layers.reserve()
    try await other.showLayer(layer) { try $0.merge(["B:1": ["title": "optimistic"]]) }
    let earlier = other.begin(.mutation)
    let later = try await settle("later", in: store)
    try await store.publish(["B:1": ["title": "own"]])
    let trace = try await other.publish(response("earlier", earlier), at: .layer(layer))
    #expect(trace.standing == .overtaken)
    #expect(try await title(in: store) == "own")
    #expect(try await title(in: other) == "own")
    await store.removeLayer(later.front)
    #expect(try await title(in: store) == "own")
    withExtendedLifetime(later.sent) {}
  }

  /// The query was sent before the response of the mutation, which is committed afterwards.
  @Test func aQueryShowsNothingBeforeTheResponseThatWaitsInAnotherStore() async throws {
    let (store, other) = (ApolloStore(cache: cache), ApolloStore(cache: cache))
    try await seed(store)
    let sent = other.begin(.query)
    let mutation = try await settle("mutation", in: store)
    let trace = try await other.publish(response("query", sent))
    #expect(trace.standing == .overtaken)
    #expect(try await title(in: other) == "old")
    await store.removeLayer(mutation.front)
    #expect(try await title(in: other) == "mutation")
    withExtendedLifetime((mutation.sent, sent)) {}
  }

  /// Of an embedded object, each of the two writes has brought a part.
  @Test func anotherStoreOvertakesAPartOfAnEmbeddedObject() async throws {
    let (store, other) = (ApolloStore(cache: cache), ApolloStore(cache: cache))
    try await seed(store)
    let mutation = try await settle(.object(["a": "mutation", "b": "mutation"]), in: store)
    try await other.publish(["B:1": ["title": .object(["a": "own"])]])
    let expected = CacheValue.object(["a": "own", "b": "mutation"])
    #expect(try await title(in: store) == expected)
    await store.removeLayer(mutation.front)
    #expect(try await title(in: other) == expected)
    withExtendedLifetime(mutation.sent) {}
  }
}
