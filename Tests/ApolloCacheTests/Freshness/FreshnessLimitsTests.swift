import ApolloAPI
import ApolloCache
import Foundation
import Testing

/// The strictest of all limits that lead to an object counts.
@Suite(.timeLimit(.minutes(10)))
struct FreshnessLimitsTests {
  private static let named = Interface(name: "Named", implementingObjects: ["Alpha"])
  private static let thing = Interface(name: "Thing", implementingObjects: ["X", "Y"])
  /// `fragment Friend on Thing { friend { __typename id name } }`, and
  /// `{ x { __typename id ...Friend } y { __typename id ...Friend } }`.
  private static let definition = DynamicDefinition(
    Selections(
      """
      Query {x X {__typename String! id ID! ...#0} y Y {__typename String! id ID! ...#0}}
      """, fragments: [DynamicFragment<FirstFragment>.self]),
    fragments: [
      Selections("Thing {friend Named {__typename String! id ID! name String!}}")
    ],
    types: SchemaTypes(
      objects: [
        Object(typename: "Query"),
        Object(typename: "X", implementedInterfaces: [thing], keyFields: ["id"]),
        Object(typename: "Y", implementedInterfaces: [thing], keyFields: ["id"]),
        Object(typename: "Alpha", implementedInterfaces: [named], keyFields: ["id"]),
      ], interfaces: [named, thing]))
  private static let body = Data(
    """
    {"data":{"x":{"__typename":"X","id":"1","friend":{"__typename":"Alpha","id":"1","name":"a"}},\
    "y":{"__typename":"Y","id":"2","friend":{"__typename":"Alpha","id":"2","name":"b"}}}}
    """.utf8)

  /// The friend of the other object has no rule but that of its type. Both have one selection.
  ///
  /// Several stores, because the order of visits is that of a dictionary.
  @Test(arguments: ["X.friend", "Y.friend"], 1...20)
  func aFragmentAtTwoPlaces(_ field: String, _ round: Int) async throws {
    var configuration = ApolloStore.Configuration()
    configuration.freshness.maxAges = [field: .seconds(100), "Alpha": .seconds(5)]
    configuration.freshness.now = { Date(timeIntervalSince1970: 1_000) }
    let store = ApolloStore(configuration: configuration)
    try await Self.definition.use { query in
      try await store.publish(body: Self.body, of: query.init())
      let reading = try await store.load(query.init(), ttlEnforcement: .permissive)
      #expect(reading.freshness?.earliestExpiry == Date(timeIntervalSince1970: 1_005))
    }
  }
}
