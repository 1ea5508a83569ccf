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
}
