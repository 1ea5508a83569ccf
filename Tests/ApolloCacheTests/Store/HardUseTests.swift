import ApolloAPI
import ApolloCache
import Foundation
import Testing

/// Keys that collide, transactions that are cancelled or do not end, and huge records.
@Suite(.timeLimit(.minutes(10)))
struct HardUseTests {
  private typealias Query = LibraryQuery<BookTitle>

  private func body(book: String, title: String = "T", author: String = "A") -> Data {
    Data(
      """
      {"data":{"book":{"__typename":"Book","id":"\(book)","title":"\(title)",\
      "author":{"__typename":"Author","id":"3","name":"\(author)"}}}}
      """.utf8)
  }

  private func store(_ cacheKeyForObject: @escaping CacheKeyForObject) -> ApolloStore {
    var configuration = ApolloStore.Configuration()
    configuration.cacheKeyForObject = cacheKeyForObject
    return ApolloStore(configuration: configuration)
  }

  // MARK: - Keys

  @Test(arguments: [nil, ""] as [String?])
  func aFunctionWithoutAKeyLeavesItToTheSchema(key: String?) async throws {
    let store = store { _ in key }
    try await store.publish(body: body(book: "7"), of: Query(["id": "7"]))
    let record = try await store.withinReadTransaction { try $0.record(for: "B:7") }
    #expect(record?["title"] == "T")
  }

  /// One record for all: what comes last counts, and what cannot be is a miss rather than a crash.
  @Test func oneKeyForAllObjectsDoesNoHarm() async throws {
    let store = store { _ in "same" }
    let query = Query(["id": "7"])
    for title in ["T", "U"] {
      let response = try await store.publish(body: body(book: "7", title: title), of: query)
      #expect(response.data?.debugDescription.contains("\"\(title)\"") == true)
      let reading = try await store.load(query)
      #expect(reading.data != nil || !reading.misses.isEmpty)
    }
    let record = try await store.withinReadTransaction { try $0.record(for: "same") }
    #expect(record?["title"] == "U")
  }

  @Test func aKeyMayBeAnyText() async throws {
    for key in [
      "QUERY_ROOT:", "a.b", "é", "\u{0}", "🚀", "%_\"'\\", String(repeating: "k", count: 70_000),
    ] {
      let store = store { $0["__typename"] == "Book" ? key : nil }
      let query = Query(["id": "7"])
      let data = try await store.publish(body: body(book: "7"), of: query).data
      #expect(try await store.load(query).data == data)
      try await store.removeObject(for: RecordKey(key))
      #expect(try await store.load(query).misses.map(\.code) == [.noRecord])
    }
  }

  // MARK: - Transactions

  @Test func aTransactionWhoseBodyIsCancelledChangesNothing() async throws {
    let store = ApolloStore()
    let (begun, continuation) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await store.withinReadWriteTransaction { transaction in
        try transaction.merge(["A": ["n": 1]])
        continuation.yield()
        try await Task.sleep(for: .seconds(600))
      }
    }
    for await _ in begun { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.withinReadTransaction { try $0.record(for: "A") } == nil)
    try await store.publish(["A": ["n": 2]])  // the writer's place is free again
  }

  @Test func readersContinueDuringATransactionThatDoesNotEnd() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache(records: ["A": ["n": 1]]))
    let query = Query(["id": "7"])
    let (begun, continuation) = AsyncStream<Void>.makeStream()
    let (gate, opener) = AsyncStream<Void>.makeStream()
    let endless = Task {
      try await store.withinReadWriteTransaction { transaction in
        try transaction.merge(["A": ["n": 2]])
        continuation.yield()
        for await _ in gate { break }
      }
    }
    for await _ in begun { break }
    for _ in 0..<100 {
      #expect(try await store.withinReadTransaction { try $0.record(for: "A") }?["n"] == 1)
      #expect(try await store.load(query).data == nil)
    }
    opener.yield()
    try await endless.value
    #expect(try await store.withinReadTransaction { try $0.record(for: "A") }?["n"] == 2)
  }

  @Test func clearingWhileAResponseIsDecodedLeavesTheResponse() async throws {
    let store = ApolloStore()
    let query = Query(["id": "7"])
    try await store.publish(body: body(book: "8"), of: Query(["id": "8"]))
    let normalizer = store.normalizer(for: query)
    let response = try ResponseDecoder().decode(body(book: "7"), as: query, observer: normalizer)
    try await store.clearCache()
    try await store.publish(normalizer.finish())
    #expect(try await store.load(query).data == response.data)
    #expect(try await store.withinReadTransaction { try $0.record(for: "B:8") } == nil)
  }

  // MARK: - Size

  @Test func aRootWithAHundredThousandFieldsIsReadAndWritten() async throws {
    let count = 100_000
    let store = ApolloStore()
    let fields = (0..<count).map { (FieldKey("book(id:\"\($0)\")"), CacheValue.reference("B:1")) }
    try await store.publish(RecordSet([Record(key: .queryRoot, fields: FieldMap(fields))]))
    let data = try await store.publish(body: body(book: "7"), of: Query(["id": "7"])).data
    #expect(try await store.load(Query(["id": "7"])).data == data)
    let root = try await store.withinReadTransaction { try $0.record(for: .queryRoot) }
    #expect(root?.fields.count == count)
    #expect(root?["book(id:\"99999\")"] == .reference("B:1"))
  }

  @Test func readsAChainOfAHundredThousandReferencesToTheSelectedDepth() async throws {
    let store = ApolloStore()
    try await store.publish(
      RecordSet(
        (0..<100_000).map { number in
          Record(
            key: RecordKey("Author:\(number)"),
            fields: [
              "__typename": "Author", "id": .string("\(number)"), "name": "N",
              "best": .reference(RecordKey("Author:\(number + 1)")),
            ])
        } + [
          Record(key: .queryRoot, fields: ["node(id:\"0\")": .reference("Author:0")])
        ]))
    let reading = try await store.load(LibraryQuery<BestOfBest>(["id": "0"]))
    #expect(reading.misses == [])
    #expect(reading.data?.debugDescription.contains(#""2""#) == true)
    #expect(reading.trace.dependencies.entries.count == 4)
  }
}
