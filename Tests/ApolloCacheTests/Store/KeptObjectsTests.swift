import ApolloAPI
import ApolloCache
import Foundation
import Testing

/// Objects of responses are kept as they are, and handed out again.
@Suite struct KeptObjectsTests {
  private typealias Query = LibraryQuery<BookTitle>
  private let store = ApolloStore()
  private let query = Query(["id": "7"])

  private func body(book: String = "7", title: String = "T", author: String = "A") -> Data {
    Data(
      """
      {"data":{"book":{"__typename":"Book","id":"\(book)","title":"\(title)",\
      "author":{"__typename":"Author","id":"3","name":"\(author)"}}}}
      """.utf8)
  }

  private func publish(_ body: Data, of query: Query? = nil) async throws -> Query.Data {
    try #require(try await store.publish(body: body, of: query ?? self.query).data)
  }

  /// Reads without what the store remembers of earlier readings.
  private func read() async throws -> Query.Data {
    try await store.withinReadTransaction { try $0.read(query: query) }
  }

  @Test func aReadingReturnsTheObjectsThatWereDecoded() async throws {
    let written = try await publish(body())
    #expect(try await read().__object === written.__object)
  }

  @Test func aResponseWithNothingNewReturnsTheKnownObjects() async throws {
    let first = try await publish(body())
    #expect(try await publish(body()).__object === first.__object)
    #expect(try await publish(body(title: "U")).__object !== first.__object)
  }

  @Test func anErrorDoesNotChangeObjectsThatAreInUse() async throws {
    let first = try await publish(body())
    let errors = Data(#","errors":[{"message":"stale","path":["book"]}]}"#.utf8)
    let second = try await publish(body().dropLast() + errors)
    #expect(second == first)
    #expect(second.errors(forKey: "book").map(\.message) == ["stale"])
    #expect(first.errors(forKey: "book").isEmpty)
    #expect(try await read().errors(forKey: "book").isEmpty)
  }

  @Test func aChangedObjectIsReplacedInTheObjectsAroundIt() async throws {
    let first = try await publish(body())
    _ = try await publish(body(book: "8", author: "B"), of: Query(["id": "8"]))
    let second = try await read()
    #expect(second.debugDescription.contains(#""B""#))
    #expect(first.debugDescription.contains(#""A""#), "What was handed out stays as it is.")
    #expect(try await publish(body(author: "B")) == second)
    #expect(try await read() == second)
  }

  @Test func anObjectWithMoreKnownFieldsReadsTheSame() async throws {
    let first = try await publish(body())
    try await store.publish(["B:7": ["rating": 4.5], "Author:3": ["books": []]])
    #expect(try await read() == first)
    #expect(try await publish(body()) == first)
    let rating = try await store.withinReadTransaction { try $0.record(for: "B:7")?["rating"] }
    #expect(rating == 4.5)
  }

  @Test func aWriteDuringDecodingIsKept() async throws {
    _ = try await publish(body())
    let normalizer = store.normalizer(for: query)
    _ = try ResponseDecoder().decode(body(title: "U"), as: query, observer: normalizer)
    try await store.publish(["Author:3": ["name": "B"], "B:9": ["title": "V"]])
    try await store.publish(normalizer.finish())
    let records = try await store.withinReadTransaction { transaction in
      try ["B:7", "B:9", "Author:3"].map { try transaction.record(for: RecordKey($0)) }
    }
    #expect(records[0]?["title"] == "U")
    #expect(records[1]?["title"] == "V")
    #expect(records[2]?["name"] == "A", "The response came last.")
  }

  @Test func aRemovedObjectIsMissingInTheObjectsThatContainIt() async throws {
    _ = try await publish(body())
    try await store.removeObject(for: "Author:3")
    let reading = try await store.load(query)
    #expect(reading.data == nil)
    #expect(reading.misses.map(\.path) == [[.field("book"), .field("author")]])
    #expect(reading.misses.map(\.code) == [.noRecord])
  }
}
