import ApolloAPI
import ApolloCache
import Foundation
import Testing

@Suite struct RememberedResultsTests {
  private let cache = InMemoryNormalizedCache()
  private let store: ApolloStore
  private let query = LibraryQuery<BookTitle>(["id": "7"])
  private let body = Data(
    #"{"data":{"book":{"__typename":"Book","id":"7","title":"T","author":{"__typename":"Author","id":"3","name":"A"}}}}"#
      .utf8)

  init() { store = ApolloStore(cache: cache) }

  private func read() async throws -> ResponseObject {
    try #require(try await store.load(query).data).__object
  }

  @Test func anUnchangedResultIsTheSameObject() async throws {
    try await store.publish(body: body, of: query)
    let first = try await read()
    #expect(try await read() === first)
    try await store.publish(["B:8": ["title": "U"], "B:7": ["rating": 1]])
    #expect(try await read() === first, "Only fields changed that it does not have.")
    try await store.publish(body: body, of: query)
    #expect(try await read() === first)
  }

  @Test func aChangedResultIsReadAgain() async throws {
    try await store.publish(body: body, of: query)
    let first = try await read()
    try await store.publish(["Author:3": ["name": "B"]])
    let second = try await read()
    #expect(!(second === first))
    #expect(LibraryQuery<BookTitle>.Data(__object: second).debugDescription.contains(#""B""#))
    try await store.removeObject(for: "Author:3")
    #expect(try await store.load(query).data == nil)
    try await store.publish(body: body, of: query)
    try await store.clearCache()
    #expect(try await store.load(query).data == nil)
  }

  @Test func aWriteThatBypassesTheStoreIsSeen() async throws {
    try await store.publish(body: body, of: query)
    _ = try await read()
    _ = cache.merge(records: ["Author:3": ["name": "B"]])
    #expect(
      try await LibraryQuery<BookTitle>.Data(__object: read()).debugDescription.contains(#""B""#))
    try await store.publish(["B:9": ["title": "U"]])
    let now = try await read()
    #expect(LibraryQuery<BookTitle>.Data(__object: now).debugDescription.contains(#""B""#))
    #expect(try await read() === now)
  }

  @Test func aWriteThatBypassesTheStoreIsSeenAfterOneThatChangesNothing() async throws {
    try await store.publish(body: body, of: query)
    _ = try await read()
    _ = cache.merge(records: ["Author:3": ["name": "B"]])
    try await store.publish(["B:7": ["title": "T"]])
    #expect(
      try await LibraryQuery<BookTitle>.Data(__object: read()).debugDescription.contains(#""B""#))
  }
}
