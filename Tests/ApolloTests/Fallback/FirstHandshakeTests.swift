import Apollo
import ApolloTransport
import ApolloWebSocket
import Foundation
import ScriptedSocket
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The handshake that a transport over several routes sends before the first subscription.
@Suite(.timeLimit(.minutes(10)))
struct FirstHandshakeTests {
  @Test func hasTheHeaders() async throws {
    let connector = ScriptedConnector()
    let transport = FallbackNetworkTransport(
      endpointURL: try #require(URL(string: "http://localhost/graphql")), connector: connector,
      additionalHeaders: ["Authorization": "Bearer token"],
      configuration: WebSocketTransport.Configuration(connectOnInit: true))
    let request = try await connector.nextAttempt().request
    #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer token")
    withExtendedLifetime(transport) {}
  }
}
