import ApolloAPI
import ApolloTransport
import ScriptedSocket
import Testing

@testable import ApolloWebSocket

/// Mutations whose connection ends because of a message. A message that would end the next one as
/// well makes a mutation unreadable, if it is surely that of the mutation.
@Suite(.timeLimit(.minutes(10)))
struct UnreadableMutationTests {
  private let server = ScriptedServer()

  /// Performs a mutation whose connection `end` ends, and returns its error.
  private func errorOfMutation(
    _ end: (ScriptedConnection) -> Void
  ) async throws -> WebSocketError? {
    let transport = try server.transport()
    let call = Task { try await transport.send(renaming) }
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    end(connection)
    return await #expect(throws: WebSocketError.self) { try await call.value }
  }

  /// A subscription is on the connection, too. It would end each time that the mutation is sent.
  @Test(arguments: [WebSocketEnd.Origin.violation, .peer])
  func isOneThatAMessageThatIsTooLargeEnds(origin: WebSocketEnd.Origin) async throws {
    let transport = try server.transport()
    let results = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    let call = Task { try await transport.send(renaming) }
    #expect(try await connection.nextEnvelope() == "subscribe 2")
    connection.end(.messageTooLarge, origin: origin)
    let error = await #expect(throws: WebSocketError.self) { try await call.value }
    #expect(error?.code == .refused)
    #expect(error?.isUnreadable == true)
    withExtendedLifetime(results) {}
  }

  /// Some servers write `NaN`.
  @Test func isOneWhoseResponseIsNoJSON() async throws {
    let error = try await errorOfMutation {
      $0.deliver(#"{"id":"1","type":"next","payload":{"data":{"rename":NaN}}}"#)
    }
    #expect(error?.code == .connectionLost)
    #expect(error?.isUnreadable == true)
  }

  /// The message may be that of either.
  @Test func isNoneOfTwoOnOneConnection() async throws {
    let transport = try server.transport()
    let first = Task { try await transport.send(renaming) }
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    let second = Task { try await transport.send(renaming) }
    #expect(try await connection.nextEnvelope() == "subscribe 2")
    connection.end(.messageTooLarge, origin: .violation)
    for call in [first, second] {
      let error = await #expect(throws: WebSocketError.self) { try await call.value }
      #expect(error?.isUnreadable == false)
    }
  }

  @Test(
    arguments: [(1006, .network), (1011, .peer), (1002, .violation)]
      as [(WebSocketCloseCode, WebSocketEnd.Origin)])
  func isNoneWhoseConnectionEndsForAnotherReason(
    _ code: WebSocketCloseCode, _ origin: WebSocketEnd.Origin
  ) async throws {
    let error = try await errorOfMutation { $0.end(code, origin: origin) }
    #expect(error?.isUnreadable == false)
  }

  /// A server that closes the connection may cut the reason inside of a character. That is no
  /// message.
  @Test(arguments: [
    (ProtocolViolation.closeReasonNotUTF8, false), (.textNotUTF8, true), (.notDeflated, true),
  ])
  func isOneWhoseMessageViolatesTheProtocol(
    _ violation: ProtocolViolation, _ isOfMessage: Bool
  ) async throws {
    let error = try await errorOfMutation {
      $0.end(violation.closeCode, violation.clause, origin: .violation)
    }
    #expect(error?.code == .connectionLost)
    #expect(error?.isUnreadable == isOfMessage)
  }
}
