import Apollo
import ApolloAPI
import ApolloSQLite
import Foundation
import TestOperations
import Testing

/// Commits by other connections to the same file, such as those of other processes.
@Suite(.timeLimit(.minutes(10)))
struct ForeignCommitTests {
  private static let makers: [@Sendable (URL) throws -> any NormalizedCache] = [
    { try SQLiteNormalizedCache(fileURL: $0) },
    { ChainedNormalizedCache(try SQLiteNormalizedCache(fileURL: $0)) },
    { ChainedNormalizedCache(try SQLiteNormalizedCache(fileURL: $0), memoryLimit: 100) },
  ]

  @Test(arguments: makers.indices)
  func areVisibleBelowLayersAsAWhole(_ maker: Int) async throws {
    let file = try TemporaryFile()
    let store = ApolloStore(cache: try Self.makers[maker](file.url))
    let other = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file.url))
    try await store.publish(["A": ["n": 1, "m": 0], "B": ["n": 1]])
    let layer = store.layers.reserve()
    try await store.showLayer(layer) { try $0.merge(["A": ["m": 1]]) }
    for number in 2...5 as ClosedRange<Int64> {
      try await other.publish(["A": ["n": .int(number)], "B": ["n": .int(number)]])
      let (a, b) = try await store.withinReadTransaction {
        (try $0.record(for: "A")?.fields, try $0.record(for: "B")?.fields)
      }
      #expect(a?["n"] == .int(number))
      #expect(a?["m"] == 1)
      #expect(b?["n"] == .int(number))
    }
    await store.removeLayer(layer)
  }

  /// Each occurrence has fields of its own, whose ages are in the file.
  @Test func theAgesOfARecordThatOccursTwiceAreKept() async throws {
    let file = try TemporaryFile()
    func open() throws -> ApolloStore {
      var configuration = ApolloStore.Configuration()
      configuration.freshness.maxAges = ["Hero": .seconds(60)]
      configuration.freshness.now = { Date(timeIntervalSince1970: 1_000) }
      return ApolloStore(
        cache: try SQLiteNormalizedCache(fileURL: file.url), configuration: configuration)
    }
    let body = """
      {"data":{"one":{"__typename":"Hero","id":"1","name":"Luke"},\
      "two":{"__typename":"Hero","id":"1","height":2}}}
      """
    try await open().publish(body: Data(body.utf8), of: TwoHeroesQuery())
    let reading = try await open().load(TwoHeroesQuery())
    #expect(reading.misses.isEmpty)
    #expect(reading.freshness?.age == .zero)
  }
}

/// `{ one: hero { __typename id name } two: hero { __typename id height } }`
private struct TwoHeroesQuery: GraphQLQuery {
  static let operationName: String = "TwoHeroes"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init(
      "query TwoHeroes { one: hero { __typename id name } two: hero { __typename id height } }"))
  static let __selections = Selections(
    """
    Query {one:hero Hero {__typename String! id ID! name String!} \
    two:hero Hero {__typename String! id ID! height Int}}
    """)

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = TwoHeroesQuery.__selections[0]
  }
}

/// A file in a folder of its own, which is removed with the last reference.
private final class TemporaryFile {
  let url: URL
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    url = folder.appendingPathComponent("cache.sqlite")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
