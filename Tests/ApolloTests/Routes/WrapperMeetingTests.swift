import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

@testable import Apollo

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The promises of a transport, behind those that wrap it.
@Suite(.timeLimit(.minutes(10)))
struct WrapperMeetingTests {
  private struct Provider: InterceptorProvider {
    let authentication: AuthenticationInterceptor

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      [authentication]
    }
  }

  enum Way: CaseIterable, Sendable { case alone, split, deduplicating }

  private func transport(_ base: RequestChainNetworkTransport, _ way: Way) -> any NetworkTransport {
    switch way {
    case .alone: base
    case .split: SplitNetworkTransport(queryTransport: base, mutationTransport: base)
    case .deduplicating: DeduplicatingNetworkTransport(base)
    }
  }

  /// The client ends the session, whatever is between it and the token.
  @Test(arguments: Way.allCases)
  func theTokenOfAFormerUserIsNotSentForTheNextOne(_ way: Way) async throws {
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":{"hero":null}}"#) }
    defer { server.stop() }
    let authentication = AuthenticationInterceptor(token: "former") { "next" }
    let base = RequestChainNetworkTransport(
      client: DefaultHTTPClient.patient,
      interceptorProvider: Provider(authentication: authentication), endpointURL: server.url())
    let client = ApolloClient(networkTransport: transport(base, way), store: ApolloStore())
    for _ in 1...2 {
      _ = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
      try await client.endSession()
    }
    #expect(
      server.requests.map { $0.headers["authorization"] } == ["Bearer former", "Bearer next"])
  }

  /// A client that counts its requests.
  private final class CountingClient: HTTPClient {
    let count = Lock(0)
    private let base = DefaultHTTPClient.patient
    var limits: TransferLimits { base.limits }

    func response(to request: URLRequest) async throws -> HTTPResponse {
      count.withLock { $0 += 1 }
      return try await base.response(to: request)
    }

    func invalidate() { base.invalidate() }
  }

  /// It may have a proxy, or certificates of its own.
  @Test(arguments: Way.allCases)
  func theClientOfTheFetchingStepSendsTheRequests(_ way: Way) async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(#"{"data":{"hero":null,"rename":null}}"#)
    }
    defer { server.stop() }
    let counting = CountingClient()
    let base = RequestChainNetworkTransport(
      client: DefaultHTTPClient.patient,
      interceptorProvider: StepProvider {
        [NetworkFetchInterceptor(client: counting), JSONResponseParsingInterceptor()]
      }, endpointURL: server.url())
    let client = ApolloClient(networkTransport: transport(base, way), store: ApolloStore())
    _ = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
    _ = try await client.fetch(query: HeroAPI.DeferredHeroQuery(), cachePolicy: .networkOnly)
    _ = try await client.perform(mutation: HeroAPI.RenameMutation(id: "1", name: ""))
    #expect(counting.count.get() == 3)
  }

  /// The server responds when both queries have arrived.
  @Test func equalQueriesOfTwoClientsAreNotShared() async throws {
    let requestCount = Lock(0)
    let haveArrived = Signal()
    let server = try LoopbackServer { _, reply in
      let number = requestCount.withLock { count in
        count += 1
        return count
      }
      if number == 2 { haveArrived.fire() }
      haveArrived.block()
      reply.json(#"{"data":{"hero":null}}"#)
    }
    defer { server.stop() }
    let counting = [CountingClient(), CountingClient()]
    let unused = Lock(counting)
    let base = RequestChainNetworkTransport(
      client: DefaultHTTPClient.patient,
      interceptorProvider: StepProvider {
        let own = unused.withLock { $0.popLast() }
        return [NetworkFetchInterceptor(client: own), JSONResponseParsingInterceptor()]
      }, endpointURL: server.url())
    let client = ApolloClient(
      networkTransport: DeduplicatingNetworkTransport(base), store: ApolloStore())
    @Sendable func fetch() async throws {
      _ = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
    }
    async let first: Void = fetch()
    async let second: Void = fetch()
    _ = try await (first, second)
    #expect(counting.map { $0.count.get() } == [1, 1])
  }

  private func cachedFriends(after parts: [String]) async throws -> [String]? {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
      for part in parts {
        reply.chunk("\r\n---\r\ncontent-type: application/json\r\n\r\n\(part)")
      }
      reply.chunk("\r\n-----\r\n")
      reply.endChunks()
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: DefaultHTTPClient.patient)
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    do {
      let responses = client.fetch(query: StreamHeroQuery(), fetchBehavior: .networkOnly)
      for try await _ in responses {}
    } catch is ResponseStreamError {}
    let cached = try await client.fetch(query: StreamHeroQuery(), cachePolicy: .cacheOnly)
    return cached?.data?.hero?.friends?.map(\.name)
  }

  private static let first =
    #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":[{"__typename":"Hero","id":"2","name":"Han"}]}},"hasNext":true}"#

  /// The heartbeat is the last part that arrives, so the list is cut off.
  @Test func aListThatEndsWithAHeartbeatIsNotCached() async throws {
    #expect(try await cachedFriends(after: [Self.first, "{}"]) == nil)
    #expect(try await cachedFriends(after: [Self.first, #"{"hasNext":false}"#]) == ["Han"])
  }

  /// The list has all its elements.
  @Test func aListThatIsCompletedWithAnEmptyListOfErrorsIsCached() async throws {
    let first = Self.first.replacingOccurrences(
      of: #""hasNext""#, with: #""pending":[{"id":"0","path":["hero","friends"]}],"hasNext""#)
    let last = #"{"completed":[{"id":"0","errors":[]}],"hasNext":false}"#
    #expect(try await cachedFriends(after: [first, last]) == ["Han"])
  }
}
