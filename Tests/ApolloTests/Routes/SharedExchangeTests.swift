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
}
