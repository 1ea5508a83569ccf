import Apollo
import Foundation
import LoopbackServer
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The initializers of `WebSocketTransport` in each generation of Apollo iOS.
@Suite(.timeLimit(.minutes(10)))
struct WebSocketGenerationsTests {
  @Test func connectsAsInEachGeneration() async throws {
    let server = try LoopbackServer { _, reply in
      reply.respond(403)
      reply.close()
    }
    defer { server.stop() }
    let (url, store) = (server.url(), ApolloStore())
    var request = URLRequest(url: url)
    request.setValue("value", forHTTPHeaderField: "X-Header")
    let transports = [
      WebSocketTransport(
        request: request, clientName: "program", clientVersion: "1", reconnect: true,
        reconnectionInterval: 0.5, connectingPayload: ["token": "secret"]),
      WebSocketTransport(
        websocket: WebSocket(request: request, protocol: .graphql_transport_ws), store: store,
        config: .init(reconnect: false, connectingPayload: ["token": "secret"])),
      WebSocketTransport(
        urlSession: URLSession.shared, store: store, endpointURL: url,
        configuration: .init(
          reconnectionInterval: 5, connectingPayload: ["token": "secret"],
          operationMessageIdCreator: ApolloSequencedOperationMessageIdCreator(startAt: 1),
          pingInterval: 20)),
    ]
    for transport in transports {
      let client = ApolloClient(networkTransport: transport, store: store)
      let error = await #expect(throws: WebSocketError.self) {
        try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
      }
      #expect(error?.statusCode == 403, "\(String(describing: error))")
    }
    #expect(server.requests.map { $0.headers["x-header"] } == ["value", "value", nil])
    #expect(server.requests.first?.headers["apollographql-client-name"] == "program")
  }
}
