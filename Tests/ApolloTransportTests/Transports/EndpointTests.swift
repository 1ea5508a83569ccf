import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// Spellings of an endpoint's URL, in queries by POST and by GET.
@Suite(.timeLimit(.minutes(10)))
struct EndpointTests {
  @Test(
    arguments: [
      ("HTTP://127.0.0.1", false), ("Http://LOCALHOST", false), ("http://[::1]", true),
      ("HTTP://[0:0:0:0:0:0:0:1]", true),
    ], [false, true])
  func reachesTheServer(_ endpoint: (prefix: String, isIPv6: Bool), _ isGET: Bool) async throws {
    let server = try LoopbackServer(isIPv6: endpoint.isIPv6) { _, reply in
      reply.json(#"{"data":{}}"#)
    }
    defer { server.stop() }
    let url = try #require(URL(string: "\(endpoint.prefix):\(server.port)/graphql?key=1#here"))
    let transport = HTTPNetworkTransport(url: url, client: .patient(), useGETForQueries: isGET)
    _ = try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    let request = try #require(server.requests.first)
    #expect(request.method == (isGET ? "GET" : "POST"))
    #expect(request.path == "/graphql")
    #expect(request.target.hasPrefix("/graphql?key=1"))
    #expect(!request.target.contains("here"))
  }

  @Test(arguments: ["HTTP://127.0.0.1", "http://[::1]"])
  func itsErrorsNameTheURL(_ prefix: String) async throws {
    let isIPv6 = prefix.contains("[")
    let server = try LoopbackServer(isIPv6: isIPv6) { _, reply in reply.respond(404) }
    defer { server.stop() }
    let url = try #require(URL(string: "\(prefix):\(server.port)/graphql?key=SECRET"))
    let transport = HTTPNetworkTransport(url: url, client: .patient())
    let error = await #expect(throws: GraphQLHTTPResponseError.self) {
      try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    }
    #expect(error?.url.lowercased() == "\(prefix.lowercased()):\(server.port)/graphql")
  }
}
