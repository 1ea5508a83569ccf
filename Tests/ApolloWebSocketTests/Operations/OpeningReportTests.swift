import ApolloAPI
import ApolloTransport
import ScriptedSocket
import Testing

@testable import ApolloWebSocket

/// The report that the server has acknowledged the session of a subscription.
@Suite(.timeLimit(.minutes(10)))
struct OpeningReportTests {
  /// The first event could overtake a later report, and would be taken for a refusal of the route.
  @Test func comesBeforeTheSubscriptionIsSent() async throws {
    let server = ScriptedServer()
    let transport = try server.transport()
    let reported = Lock<ScriptedConnection?>(nil)
    var request = heroChanges
    request.facts.openingHandler = { _ in reported.get()?.close(code: .normal, reason: "opened") }
    let results = try transport.results(of: request)
    let connection = try await server.connector.nextAttempt()
      .accept(WebSocketSubprotocol.graphqlTransportWS.rawValue)
    #expect(try await connection.nextEnvelope() == "connection_init")
    _ = reported.exchange(connection)
    connection.deliver(#"{"type":"connection_ack"}"#)
    #expect(try await connection.nextText() == "close 1000 opened")
    withExtendedLifetime(results) {}
  }
}
