import ApolloAPI
import Apollo
import Dispatch
import TestOperations
import Testing

/// Two watches that evict each other's data: each response names another hero, and the cache has
/// only those fields of it that one of the two queries selects.
@Suite(.timeLimit(.minutes(10)))
struct ConsecutiveRefetchesTests {
  /// query HeroHeight { hero { __typename id height } }
  struct HeightQuery: GraphQLQuery {
    static let operationName = "HeroHeight"
    static let operationDocument = OperationDocument(
      definition: .init("query HeroHeight { hero { __typename id height } }"))
    static let __selections = Selections(
      "Query {hero Hero {__typename String! id ID! height Float}}")

    struct Data: HeroAPI.SelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = HeightQuery.__selections[0]
    }
  }

  private struct Endless: Error {}

  private static func response(_ request: OperationRequest, hero: Int) -> String {
    let fields =
      request.operation is HeightQuery ? #""height":1.7"# : #""name":"H\#(hero)","friends":null"#
    return #"{"data":{"hero":{"__typename":"Hero","id":"\#(hero)",\#(fields)}}}"#
  }

  @Test(arguments: CacheKind.allCases)
  func watchesStopRefetchingAndReportTheMissingData(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let isCalm = Lock(false)
    let transport = ScriptedTransport { request, number in
      guard number < 1_000 else { throw Endless() }
      return Self.response(request, hero: isCalm.get() ? -1 : number)
    }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    let (names, continuation) = AsyncStream<Result<String?, any Error>>.makeStream()
    let (gone, goneContinuation) = AsyncStream<any Error>.makeStream()
    let queue = DispatchQueue(label: "tests")
    let first = client.watch(query: HeroAPI.HeroQuery(), callbackQueue: queue) { result in
      continuation.yield(result.map { $0.data?.hero?.name })
      if case .failure(let error) = result { goneContinuation.yield(error) }
    }
    let second = client.watch(query: HeightQuery(), callbackQueue: queue) { result in
      if case .failure(let error) = result { goneContinuation.yield(error) }
    }

    var errors = gone.makeAsyncIterator()
    let error = await errors.next()
    let miss = try #require(error as? CacheMissError)
    #expect(miss.misses.first?.code == .noField)
    #expect(transport.requestCount < 1_000)  // where the transport gives up

    // A change by the program is fetched as usual.
    isCalm.withLock { $0 = true }
    try await client.clearCache()
    for await name in names where (try? name.get()) == "H-1" { break }
    withExtendedLifetime((first, second, owner)) {}
  }
}
