import ApolloAPI
import Foundation
import Testing

@testable import ApolloCache

/// Responses that wait for older mutations are committed each by itself, with their own facts.
@Suite(.timeLimit(.minutes(10)))
struct SettledResponseTests {
  private typealias Query = LibraryQuery<BookTitle>
  private let time = Lock(1_000.0)

  private func store() -> ApolloStore {
    var configuration = ApolloStore.Configuration()
    configuration.freshness.isTracked = true
    configuration.freshness.now = { [time] in Date(timeIntervalSince1970: time.get()) }
    return ApolloStore(configuration: configuration)
  }

  /// Returns the records of a response about a book.
  private func response(
    to id: String, title: String, maxAge: Duration, in store: ApolloStore
  ) throws -> NormalizedResponse {
    let query = Query(["id": id])
    let body = Data(
      #"{"data":{"book":{"__typename":"Book","id":"\#(id)","title":"\#(title)","author":null}}}"#
        .utf8)
    let normalizer = store.normalizer(for: query)
    _ = try ResponseDecoder().decode(body, as: query, observer: normalizer)
    var response = normalizer.finish()
    response.receipt?.maxAge = maxAge
    return response
  }

  private func title(of id: String, in store: ApolloStore) async throws -> CacheValue? {
    try await store.withinReadTransaction { try $0.record(for: RecordKey("B:\(id)"))?["title"] }
  }

  /// The mutation that has shown nothing ends while the response to a later one waits for its turn
  /// to write, so the turn finds another response that waits no longer.
  @Test func aTurnThatFindsAnOlderResponseLosesNone() async throws {
    let store = store()
    let ids = (0..<4).map { _ in store.layers.reserve() }
    try await store.showLayer(ids[3]) { try $0.merge(["B:3": ["title": "?"]]) }
    func respond(_ number: Int) async throws {
      let response = try response(
        to: "\(number)", title: "T\(number)", maxAge: .seconds(number), in: store)
      try await store.publish(response, at: .layer(ids[number]))
    }
    try await respond(1)
    #expect(store.layers.removeReserved(ids[0]) == (true, true))
    try await respond(2)
    #expect(store.layers.stack.layers.map(\.id) == [ids[3]])
    for number in 1...2 {
      #expect(try await title(of: "\(number)", in: store) == .string("T\(number)"))
    }
    try await respond(3)
    #expect(store.layers.isIdle)
    for number in 1...3 {
      #expect(try await title(of: "\(number)", in: store) == .string("T\(number)"))
    }
  }

  @Test func aResponseThatWaitedIsAsOldAsItIs() async throws {
    let store = store()
    let ids = (0..<3).map { _ in store.layers.reserve() }
    try await store.showLayer(ids[0]) { try $0.merge(["B:0": ["title": "?"]]) }
    for number in 1...2 {
      time.withLock { $0 += 10 }
      let response = try response(
        to: "\(number)", title: "T", maxAge: .seconds(number), in: store)
      try await store.publish(response, at: .layer(ids[number]))
    }
    time.withLock { $0 += 100 }
    await store.removeLayer(ids[0])
    #expect(store.layers.isIdle)
    for number in 1...2 {
      let field = FieldAddress(record: RecordKey("B:\(number)"), field: "title")
      let provenance = try #require(store.provenance(of: field))
      #expect(provenance.operationName == Query.operationName)
      #expect(provenance.maxAge == .seconds(number))
      #expect(provenance.date == Date(timeIntervalSince1970: 1_000 + Double(number) * 10))
    }
  }

  /// The closure of a layer is released when its response arrives, and may own anything.
  @Test func aClosureIsReleasedWithoutALock() async throws {
    final class Owner: Sendable {
      let store: ApolloStore
      init(_ store: ApolloStore) { self.store = store }
      deinit { _ = store.layers.isIdle }
    }
    let store = store()
    let ids = (0..<2).map { _ in store.layers.reserve() }
    do {
      let owner = Owner(store)
      try await store.showLayer(ids[1]) { transaction in
        try withExtendedLifetime(owner) { try transaction.merge(["B:1": ["title": "?"]]) }
      }
    }
    try await store.publish(
      try response(to: "1", title: "T", maxAge: .seconds(1), in: store), at: .layer(ids[1]))
    await store.removeLayer(ids[0])
    #expect(try await title(of: "1", in: store) == "T")
  }

  @Test func whatWaitsIsCommittedAfterAFailure() async throws {
    let cache = DictionaryCache([:])
    let store = ApolloStore(cache: cache)
    let ids = (0..<2).map { _ in store.layers.reserve() }
    let responses = try (0..<2).map {
      try response(to: "\($0)", title: "T", maxAge: .seconds(1), in: store)
    }
    try await store.publish(responses[1], at: .layer(ids[1]))
    cache.failsOnce = true
    await #expect(throws: DictionaryCache.Failure.self) {
      try await store.publish(responses[0], at: .layer(ids[0]))
    }
    #expect(store.layers.isIdle)
    #expect(try cache.loadRecords(forKeys: ["B:1"])["B:1"]?["title"] == "T")
  }

  /// A newer value that a response has taken over expires no later than where it comes from.
  @Test func aValueThatWasTakenOverKeepsItsMaximumAge() async throws {
    let store = store()
    let ids = (0..<2).map { _ in store.layers.reserve() }
    try await store.publish(
      try response(to: "1", title: "T", maxAge: .seconds(3_600), in: store), at: .layer(ids[1]))
    time.withLock { $0 += 50 }
    try await store.publish(try response(to: "1", title: "New", maxAge: .seconds(5), in: store))
    await store.removeLayer(ids[0])
    #expect(try await title(of: "1", in: store) == "New")
    let field = FieldAddress(record: "B:1", field: "title")
    let provenance = try #require(store.provenance(of: field))
    #expect(provenance.maxAge == .seconds(5))
  }

  // MARK: - A cache that fails

  /// Adds a layer over each of two records, and removes the first while the cache fails. What it
  /// showed cannot be compared with the cache then.
  private func failToRemoveALayer(
    from store: ApolloStore, _ fail: () -> Void
  ) async throws -> LayerID {
    let ids = ["B:1", "B:2"].map { (store.layers.reserve(), RecordKey($0)) }
    for (id, key) in ids {
      try await store.showLayer(id) { try $0.merge([key: ["title": "?"]]) }
    }
    fail()
    await store.removeLayer(ids[0].0)
    return ids[1].0
  }

  @Test func oneFailureHidesNoLayer() async throws {
    let cache = DictionaryCache(["B:1": ["title": "1"], "B:2": ["title": "2"]])
    let store = ApolloStore(cache: cache)
    _ = try await failToRemoveALayer(from: store) { cache.failOnceToLoad() }
    #expect(try await title(of: "1", in: store) == "1")
    #expect(try await title(of: "2", in: store) == "?")
  }

  @Test func aReaderFailsAsLongAsTheCacheBelowTheLayersDoes() async throws {
    let cache = DictionaryCache(["B:1": ["title": "1"], "B:2": ["title": "2"]])
    let store = ApolloStore(cache: cache)
    let remaining = try await failToRemoveALayer(from: store) { cache.fails = true }
    for _ in 0..<2 {
      await #expect(throws: DictionaryCache.Failure.self) { try await title(of: "2", in: store) }
    }
    cache.fails = false
    #expect(try await title(of: "2", in: store) == "?")
    await store.removeLayer(remaining)
    #expect(try await title(of: "2", in: store) == "2")
    #expect(store.layers.isIdle)
  }

  @Test func aClosureWhoseReadingHasFailedRunsForTheNextReader() async throws {
    let cache = DictionaryCache(["B:1": ["title": "1"]])
    let store = ApolloStore(cache: cache)
    cache.fails = true
    try await store.showLayer(store.layers.reserve()) { transaction in
      let title = try transaction.record(for: "B:1")?["title"]
      try transaction.merge(["B:2": ["title": title ?? .null]])
    }
    cache.fails = false
    #expect(try await title(of: "2", in: store) == "1")
  }

  /// The closure has read nothing, so no change below it says that it must run again.
  @Test func aClosureThatGoesOnAfterAFailureRunsAtTheNextWrite() async throws {
    let cache = DictionaryCache(["B:1": ["title": "1"]])
    let store = ApolloStore(cache: cache)
    cache.failOnceToLoad()
    try await store.showLayer(store.layers.reserve()) { transaction in
      let title = try? transaction.record(for: "B:1")?["title"]
      try transaction.merge(["B:2": ["title": title ?? .null]])
    }
    #expect(try await title(of: "2", in: store) == .null)
    try await store.showLayer(store.layers.reserve()) { try $0.merge(["B:3": ["title": "3"]]) }
    #expect(try await title(of: "2", in: store) == "1")
  }
}
