import ApolloAPI
import Testing

@testable import ApolloCache

/// The parts of one response to a mutation, while it waits for an older mutation.
struct PartsInLayersTests {
  private let cache = InMemoryNormalizedCache()

  private func part(_ fields: FieldMap, of sent: SentRequest) -> NormalizedResponse {
    var response = NormalizedResponse(records: ["Me": fields])
    response.sent = sent
    return response
  }

  /// Returns the layer of an older mutation, which shows something, and that of the mutation.
  private func layers(of store: ApolloStore) async throws -> (LayerID, LayerID) {
    let older = store.layers.reserve()
    try await store.showLayer(older) { try $0.merge(["You": ["name": "?"]]) }
    return (older, store.layers.reserve())
  }

  private func shown(by store: ApolloStore) async throws -> FieldMap? {
    try await store.withinReadTransaction { try $0.record(for: "Me")?.fields }
  }

  /// As with `@defer`: a part has only what it has brought.
  @Test(arguments: [false, true])
  func theyAddUp(isOptimistic: Bool) async throws {
    let store = ApolloStore(cache: cache)
    let (older, layer) = try await layers(of: store)
    if isOptimistic { try await store.showLayer(layer) { try $0.merge(["Me": ["a": "?"]]) } }
    let sent = store.begin(.mutation)
    try await store.publish(part(["a": 1, "b": 1], of: sent), at: .layer(layer))
    try await store.publish(["Me": ["b": "own"]])
    try await store.publish(part(["c": 2], of: sent), at: .layer(layer))
    #expect(try await shown(by: store) == ["a": 1, "b": "own", "c": 2])
    await store.removeLayer(older)
    #expect(try await shown(by: store) == ["a": 1, "b": "own", "c": 2])
    #expect(store.layers.isEmpty)
  }

  @Test func whatAnotherStoreHasWrittenBetweenThemStays() async throws {
    let (store, other) = (ApolloStore(cache: cache), ApolloStore(cache: cache))
    let (older, layer) = try await layers(of: store)
    let sent = store.begin(.mutation)
    try await store.publish(part(["a": 1, "b": 1], of: sent), at: .layer(layer))
    try await other.publish(["Me": ["b": "other"]])
    try await store.publish(part(["c": 2], of: sent), at: .layer(layer))
    #expect(try await shown(by: store) == ["a": 1, "b": "other", "c": 2])
    await store.removeLayer(older)
    #expect(try await shown(by: other) == ["a": 1, "b": "other", "c": 2])
    #expect(try await shown(by: store) == ["a": 1, "b": "other", "c": 2])
  }

  /// The closure of the last part sees all parts.
  @Test func aClosureOfTheLastPartSeesAll() async throws {
    let store = ApolloStore(cache: cache)
    let (older, layer) = try await layers(of: store)
    let sent = store.begin(.mutation)
    try await store.publish(part(["a": 1], of: sent), at: .layer(layer))
    try await store.publish(part(["b": 2], of: sent), at: .layer(layer)) { transaction in
      let count = try transaction.record(for: "Me")?.fields.count ?? 0
      try transaction.merge(["Me": ["count": .int(Int64(count))]])
    }
    #expect(try await shown(by: store)?["count"] == 2)
    await store.removeLayer(older)
    #expect(try await shown(by: store) == ["a": 1, "b": 2, "count": 2])
  }

  /// A query of another store that was sent between the parts, and is answered after both.
  @Test func whatIsNewerThanTheFirstPartReplacesIt() async throws {
    let (store, other) = (ApolloStore(cache: cache), ApolloStore(cache: cache))
    let (older, layer) = try await layers(of: store)
    let sent = store.begin(.mutation)
    try await store.publish(part(["a": 1], of: sent), at: .layer(layer))
    let query = other.begin(.query)
    try await store.publish(part(["c": 2], of: sent), at: .layer(layer))
    try await other.publish(part(["a": "query"], of: query))
    #expect(try await shown(by: store) == ["a": "query", "c": 2])
    await store.removeLayer(older)
    #expect(try await shown(by: store) == ["a": "query", "c": 2])
    withExtendedLifetime((sent, query)) {}
  }

  /// A query that was sent before the later part, and is answered after the commit of both.
  @Test func theLaterPartIsNewerThanAQueryFromBeforeIt() async throws {
    let store = ApolloStore(cache: cache)
    let (older, layer) = try await layers(of: store)
    let sent = store.begin(.mutation)
    try await store.publish(part(["a": 1], of: sent), at: .layer(layer))
    let query = store.begin(.query)
    try await store.publish(part(["c": 2], of: sent), at: .layer(layer))
    await store.removeLayer(older)
    try await store.publish(part(["c": "old", "d": "old"], of: query))
    #expect(try await shown(by: store) == ["a": 1, "c": 2, "d": "old"])
    withExtendedLifetime((sent, query)) {}
  }

  /// As when a retry begins after a part.
  @Test func aRequestThatIsSentAgainBeginsAnew() async throws {
    let store = ApolloStore(cache: cache)
    let (_, layer) = try await layers(of: store)
    let attempts = (store.begin(.mutation), store.begin(.mutation))
    try await store.publish(part(["a": 1, "b": 1], of: attempts.0), at: .layer(layer))
    try await store.publish(part(["a": 2], of: attempts.1), at: .layer(layer))
    #expect(try await shown(by: store) == ["a": 2])
    withExtendedLifetime(attempts) {}
  }
}
