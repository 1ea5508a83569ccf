import Apollo
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// The page "Fetching Data" of Apollo iOS 1.x: its code compiles in the Swift 5 language mode, and
/// does what its text says.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FetchingDataTests {
  private static let hero =
    #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":null}}}"#

  private func fetch(
    _ apollo: ApolloClient, _ cachePolicy: CachePolicy
  ) async -> Result<GraphQLResult<HeroAPI.HeroQuery.Data>, Error> {
    await withCheckedContinuation { continuation in
      apollo.fetch(
        query: HeroAPI.HeroQuery(), cachePolicy: cachePolicy,
        queue: DispatchQueue.global(qos: .background)
      ) { result in
        continuation.resume(returning: result)
      }
    }
  }

  @Test func oldDataTakesThePlaceOfAFailure() async throws {
    let server = try LoopbackServer { request, reply in
      reply.json(Self.hero, status: request.number == 0 ? 200 : 500)
    }
    defer { server.stop() }
    let store = ApolloStore()
    let provider = CacheDependentProvider(store: store)
    let apollo = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: provider, endpointURL: server.url()), store: store)
    #expect(try await fetch(apollo, .fetchIgnoringCacheData).get().source == .server)
    let result = try await fetch(apollo, .fetchIgnoringCacheData).get()
    #expect(result.source == .cache)
    #expect(result.data?.hero?.name == "Luke")
    #expect(provider.errorInterceptor.handledError is ResponseCodeInterceptor.ResponseCodeError)
  }

  @Test func aFailureWithoutOldDataIsAMiss() async throws {
    let server = try LoopbackServer { _, reply in reply.json("{}", status: 500) }
    defer { server.stop() }
    let store = ApolloStore()
    let apollo = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: CacheDependentProvider(store: store), endpointURL: server.url()),
      store: store)
    let result = await fetch(apollo, .fetchIgnoringCacheData)
    #expect(throws: CacheMissError.self) { try result.get() }
    #expect(server.requests.count == 1)
  }

  @Test func aSubclassOfTheDefaultProviderAddsAToken() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.hero) }
    defer { server.stop() }
    let store = ApolloStore()
    let provider = NetworkInterceptorProvider(client: DefaultHTTPClient(), store: store)
    let apollo = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: provider, endpointURL: server.url()), store: store)
    _ = try await fetch(apollo, .returnCacheDataElseFetch).get()
    #expect(server.requests.first?.headers["authorization"] == "Bearer token")
  }

  @Test func queriesUseGETIfTheTransportSaysSo() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.hero) }
    defer { server.stop() }
    let store = ApolloStore()
    let apollo = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: NetworkInterceptorProvider(store: store),
        endpointURL: server.url(), useGETForQueries: true), store: store)
    _ = try await fetch(apollo, .returnCacheDataElseFetch).get()
    #expect(server.requests.first?.method == "GET")
  }

  // MARK: - Typed results

  private static let luke =
    #"{"data":{"hero":{"__typename":"Human","id":"1","name":"Luke Skywalker"}}}"#

  @Test func aQueryWithoutVariablesIsReadOnTheMainQueue() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.luke) }
    defer { server.stop() }
    Fetches(apollo: ApolloClient(url: server.url())).fetchName()
    #expect(
      await PrintedLine.next() == PrintedLine(text: "Luke Skywalker", isOnMainQueue: true))
  }

  @Test(arguments: [
    (luke, "Luke Skywalker"),
    (#"{"data":null,"errors":[{"message":"No hero."}]}"#, "No hero."),
    ("this is no JSON", "JSON"),
  ])
  func aHandlerSeesTheNameTheErrorsOrTheFailure(response: String, expected: String) async throws {
    let server = try LoopbackServer { _, reply in reply.json(response) }
    defer { server.stop() }
    Fetches(apollo: ApolloClient(url: server.url())).fetchNameWithErrors()
    let line = try #require(await PrintedLine.next())
    #expect(line.text.contains(expected), "\(line.text)")
  }

  @Test func aHandlerIsCalledOnABackgroundQueue() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.luke) }
    defer { server.stop() }
    Fetches(apollo: ApolloClient(url: server.url())).fetchInTheBackground()
    #expect(
      await PrintedLine.next() == PrintedLine(text: "Luke Skywalker", isOnMainQueue: false))
  }

  @Test func aModelHasTheStructureOfItsOperation() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(
        #"{"data":{"hero":{"__typename":"Human","id":"1","name":"Luke","friends":"#
          + #"[{"__typename":"Droid","id":"2","name":"R2-D2"}]}}}"#)
    }
    defer { server.stop() }
    Fetches(apollo: ApolloClient(url: server.url())).fetchNamesOfFriends()
    #expect(await PrintedLine.next()?.text == #"1 Luke ["2R2-D2"]"#)
  }
}
