import ApolloAPI
import ApolloCache
import Foundation
import Testing

/// The maximum ages of a schema make a store track ages, also before the first response.
@Suite(.timeLimit(.minutes(10)))
struct SchemaMaxAgeTests {
  private let query = MottoQuery()
  private let field = FieldAddress(record: .queryRoot, field: "motto")
  private let time = Lock(1_000.0)

  private func store(isTracked: Bool? = nil) -> ApolloStore {
    var configuration = ApolloStore.Configuration()
    configuration.freshness.isTracked = isTracked
    configuration.freshness.now = { [time] in Date(timeIntervalSince1970: time.get()) }
    return ApolloStore(configuration: configuration)
  }

  @Test func whatTheProgramWritesBeforeAnyResponseHasTheAgeOfItsWrite() async throws {
    let store = store()
    try await store.withinReadWriteTransaction { transaction in
      try transaction.write(data: MottoQuery.Data(motto: "Go"), for: query)
    }
    #expect(store.provenance(of: field)?.date == Date(timeIntervalSince1970: 1_000))
    #expect(try await store.load(query).misses.isEmpty)
    time.withLock { $0 += 61 }
    #expect(try await store.load(query).misses.map(\.code) == [.expired])
  }

  /// The change names no schema. The reading before it does.
  @Test func aChangeOfRecordsAfterAReadingHasTheAgeOfItsWrite() async throws {
    let store = store()
    #expect(try await store.load(query).data == nil)
    try await store.publish([.queryRoot: ["motto": "Go"]])
    #expect(store.provenance(of: field)?.date == Date(timeIntervalSince1970: 1_000))
    #expect(try await store.load(query).misses.isEmpty)
  }

  @Test func aStoreThatIsNotToTrackAgesTracksNone() async throws {
    let store = store(isTracked: false)
    try await store.withinReadWriteTransaction { transaction in
      try transaction.write(data: MottoQuery.Data(motto: "Go"), for: query)
    }
    #expect(store.provenance(of: field) == nil)
  }
}

private enum AgingAPI: SchemaMetadata {
  static let configuration: any SchemaConfiguration.Type = KeyFieldsDecide.self
  static let types = SchemaTypes(objects: [Object(typename: "Query")])
  static let maxAges = MaxAges(["Query.motto": .seconds(60)])
}

/// `query Motto { motto }`
private struct MottoQuery: GraphQLQuery {
  static let operationName: String = "Motto"
  static let operationDocument: OperationDocument = .init(
    definition: .init("query Motto { motto }"))
  static let __selections = Selections("Query {motto String}")

  struct Data: MutableRootSelectionSet, RootModelValue {
    typealias Schema = AgingAPI
    var __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }
    static let __layout = MottoQuery.__selections[0]

    init(motto: String?) { self.init(__values: ["motto": motto]) }
  }
}
