import ApolloAPI
import Apollo
import Dispatch
import TestOperations
import Testing

/// Two watches whose fetches take away from each other what they need: each answer of the server names another hero, of whom the
/// cache knows what one of them shows.
@Suite(.timeLimit(.minutes(10)))
struct RefetchingInTurnsTests {
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

  private static func answer(_ request: OperationRequest, hero: Int) -> String {
    let fields =
      request.operation is HeightQuery ? #""height":1.7"# : #""name":"H\#(hero)","friends":null"#
    return #"{"data":{"hero":{"__typename":"Hero","id":"\#(hero)",\#(fields)}}}"#
  }

  @Test(arguments: CacheKind.allCases)
  func watchesComeToRestAndSayWhatIsMissing(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let isCalm = Lock(false)
    let transport = ScriptedTransport { request, number in
      guard number < 1_000 else { throw Endless() }
      return Self.answer(request, hero: isCalm.get() ? -1 : number)
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

    var problems = gone.makeAsyncIterator()
    let problem = await problems.next()
    let miss = try #require(problem as? CacheMissError)
    #expect(miss.misses.first?.reason == .noField)
    #expect(transport.requestCount < 1_000)  // where the transport gives up

    // What others change is fetched as ever.
    isCalm.withLock { $0 = true }
    try await client.clearCache()
    for await name in names where (try? name.get()) == "H-1" { break }
    withExtendedLifetime((first, second, owner)) {}
  }
}
