import ApolloTransport
import Foundation
import ScriptedSocket
import Testing

@testable import ApolloWebSocket

/// Handshakes that cannot be sent now, and can never be.
@Suite(.timeLimit(.minutes(10)))
struct UnsendableHandshakeTests {
  private let server = ScriptedServer()

  @Test func anInvalidHeaderEndsASubscription() async throws {
    let transport = try server.transport()
    let results = try transport.results(of: heroChanges)
    let attempt = try await server.connector.nextAttempt()
    attempt.fail(GraphQLHTTPRequestError.invalidHeader(name: "Authorization"))
    let error = await #expect(throws: WebSocketError.self) { try await results.nextText() }
    #expect(error?.description.contains("its handshake cannot be sent") == true)
  }

  /// The scheme or the host was forgotten.
  @Test(arguments: ["localhost/graphql", "ftp://localhost/graphql", "ws:///graphql"])
  func aURLThatIsNoneOfAWebSocketEndsASubscription(_ text: String) async throws {
    let transport = WebSocketTransport(endpointURL: try #require(URL(string: text)))
    let results = try transport.results(of: heroChanges)
    let error = await #expect(throws: WebSocketError.self) { try await results.nextText() }
    #expect(error?.code == .refused)
    let cause = error?.underlyingError as? GraphQLHTTPRequestError
    #expect(cause?.code == .unsupportedURL)
    #expect(error?.description.contains("cannot be that of a WebSocket") == true)
  }
}
