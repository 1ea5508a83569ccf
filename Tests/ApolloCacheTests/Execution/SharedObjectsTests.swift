import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import Testing

/// Records that many objects refer to are read once, and stand wherever they are referred to.
@Suite(.timeLimit(.minutes(10)))
struct SharedObjectsTests {
  /// The same makers at two places, where different fields are asked for.
  private static let definition = DynamicDefinition(
    Selections(
      """
      Query {things [Thing {__typename String! id ID! maker Maker {__typename String! id ID! name String} \
      seller Maker {__typename String! id ID!}}]}
      """),
    types: SchemaTypes(objects: [
      Object(typename: "Query"), Object(typename: "Thing", keyFields: ["id"]),
      Object(typename: "Maker", keyFields: ["id"]),
    ]))

  private static func things(_ count: Int, makers: Int) -> JSONValue {
    .array(
      (0..<count).map { number in
        let maker = JSONValue.string("\(number % makers)")
        let seller = JSONValue.string("\((number + 1) % makers)")
        return [
          "__typename": "Thing", "id": .string("\(number)"),
          "maker": ["__typename": "Maker", "id": maker, "name": maker],
          "seller": ["__typename": "Maker", "id": seller],
        ]
      })
  }

  @Test(arguments: [(1, 1), (7, 3), (1_000, 1), (1_000, 37), (1_000, 1_000)])
  func failuresAreReadAsTheyWereWritten(count: Int, makers: Int) async throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("shared-\(UUID().uuidString).sqlite")
    defer {
      for suffix in ["", "-wal", "-shm"] {
        // A test's own file; two of them may be gone already.
        try? FileManager.default.removeItem(atPath: file.path + suffix)
      }
    }
    let things = Self.things(count, makers: makers)
    let body = Data(JSONValue.object(["data": ["things": things]]).description.utf8)
    let caches: [any NormalizedCache] = [
      InMemoryNormalizedCache(), DictionaryCache([:]), try SQLiteNormalizedCache(fileURL: file),
    ]
    for cache in caches {
      let store = ApolloStore(cache: cache)
      try await Self.definition.use { query in
        try await store.publish(body: body, of: query.init())
        for _ in 1...2 {
          let reading = try await store.load(query.init())
          #expect(reading.misses == [])
          #expect(reading.data?.jsonValue["things"] == things)
        }
      }
    }
  }
}
