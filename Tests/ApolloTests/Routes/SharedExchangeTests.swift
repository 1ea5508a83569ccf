import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// HTTP requests under way that are shared, or not, behind an interceptor.
@Suite(.timeLimit(.minutes(10)))
struct SharedExchangeTests {
  private struct Provider: InterceptorProvider {
    let interceptor: any HTTPInterceptor

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      [interceptor]
    }
  }

  private let events = EventRingBuffer()

  private func client(
    _ http: any HTTPClient, _ interceptor: any HTTPInterceptor, _ url: URL
  ) -> ApolloClient {
    let base = RequestChainNetworkTransport(
      client: http, interceptorProvider: Provider(interceptor: interceptor), endpointURL: url)
    return ApolloClient(
      networkTransport: DeduplicatingNetworkTransport(base), store: ApolloStore(),
      observers: [events])
  }

  private func fetch(
    _ client: ApolloClient, _ query: HeroAPI.HeroQuery = HeroAPI.HeroQuery()
  ) -> Task<String?, any Error> {
    Task { try await client.fetch(query: query, cachePolicy: .networkOnly).data?.hero?.name }
  }

  /// Sends bodies as streams, as an interceptor may that compresses them.
  private struct Streaming: HTTPInterceptor {
    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      var request = request
      if let body = request.httpBody { request.httpBodyStream = InputStream(data: body) }
      return try await next(request)
    }
  }

  /// Their requests differ in their bodies alone.
  @Test func differentQueriesWhoseBodiesAreStreamsAreNotShared() async throws {
    let mayRespond = Signal()
    let server = try LoopbackServer { request, reply in
      mayRespond.block()
      let body = try? JSONValue(jsonBytes: request.body)
      let name = body?["variables"]?["name"]?.stringValue ?? "none"
      let fields = #""id":"\#(name)","name":"\#(name)","friends":null"#
      reply.json(#"{"data":{"hero":{"__typename":"Hero",\#(fields)}}}"#)
    }
    defer { server.stop() }
    defer { mayRespond.fire() }
    let client = client(DefaultHTTPClient.patient, Streaming(), server.url())
    let names = ["Luke", "Leia"]
    let calls = names.map { fetch(client, HeroAPI.HeroQuery(name: .some($0))) }
    await until { server.requests.count == 2 || events.names.contains("joined") }
    mayRespond.fire()
    for (call, name) in zip(calls, names) { #expect(try await call.value == name) }
  }

  private static func noHero(to request: URLRequest) -> HTTPResponse {
    let head = HTTPURLResponse(
      url: request.url!, statusCode: 200, httpVersion: nil,
      headerFields: ["Content-Type": "application/json"])!
    return HTTPResponse(
      response: head,
      chunks: AsyncThrowingStream {
        $0.yield(Data(#"{"data":{"hero":null}}"#.utf8))
        $0.finish()
      })
  }

  /// A client that notes whether requests of its own would belong to the query that is sent.
  private final class Noting: HTTPClient {
    let areOfQuery = Lock<[Bool]>([])
    let limits = TransferLimits(deadline: nil)

    func response(to request: URLRequest) async throws -> HTTPResponse {
      let isOfQuery = ExchangeSharing.current != nil
      areOfQuery.withLock { $0.append(isOfQuery) }
      return SharedExchangeTests.noHero(to: request)
    }

    func invalidate() {}
  }

  /// A request whose body is a stream is not compared with others.
  @Test(arguments: [false, true])
  func aQueryHidesItselfFromItsClient(isStreamed: Bool) async throws {
    let http = Noting()
    let interceptor: any HTTPInterceptor = isStreamed ? Streaming() : Holding()
    let url = try #require(URL(string: "http://localhost/graphql"))
    #expect(try await fetch(client(http, interceptor, url)).value == nil)
    #expect(http.areOfQuery.get() == [false])
  }

  /// A client whose first two requests are sent on connections that have ended.
  private final class ReloadedProxy: HTTPClient {
    let count = Lock(0)
    /// Lets the second connection end.
    let mayEnd = Signal()
    let limits = TransferLimits(deadline: nil)

    func response(to request: URLRequest) async throws -> HTTPResponse {
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 2 { await mayEnd.wait() }
      guard number > 2 else {
        throw NetworkError(.connectionLost, url: request.url, endedKeptConnection: true)
      }
      return SharedExchangeTests.noHero(to: request)
    }

    func invalidate() {}
  }

  /// Holds the second request back.
  private final class Holding: HTTPInterceptor {
    let count = Lock(0)
    let mayProceed = Signal()

    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 2 { await mayProceed.wait() }
      return try await next(request)
    }
  }

  /// The connection of an equal one, which began in the meantime, has ended as well.
  @Test func aQueryThatIsRepeatedOnANewConnectionJoinsNoneOnAnOldOne() async throws {
    let (proxy, holding) = (ReloadedProxy(), Holding())
    let url = try #require(URL(string: "http://localhost/graphql"))
    let client = client(proxy, holding, url)
    let first = fetch(client)
    await until { holding.count.get() == 2 }
    let second = fetch(client)
    await until { proxy.count.get() == 2 }
    holding.mayProceed.fire()
    await until { proxy.count.get() == 3 || events.names.contains("joined") }
    proxy.mayEnd.fire()
    for call in [first, second] { #expect(try await call.value == nil) }
  }
}
