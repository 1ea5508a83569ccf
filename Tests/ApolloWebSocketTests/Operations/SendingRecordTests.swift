import ApolloAPI
import ApolloTransport
import Foundation
import ScriptedSocket
import TestOperations
import Testing

@testable import ApolloWebSocket

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The facts about a mutation over a WebSocket, for a caller that must not repeat what the server
/// may have carried out.
@Suite(.timeLimit(.minutes(10)))
struct SendingRecordTests {
  private let server = ScriptedServer()
  private let record = SendingRecord()

  /// The request of a call with the record, as the client gives it to the transport.
  private func request(_ record: SendingRecord? = nil) throws -> OperationRequest {
    let record = record ?? self.record
    var request = renaming
    request.facts.session = CallSessions().current
    request.facts.session?.record = record
    try record.handOver()
    return request
  }

  /// Starts the call on a transport, which keeps it until its end.
  private func start(
    _ configuration: WebSocketTransport.Configuration = .init()
  ) throws -> (WebSocketTransport, Task<NetworkResponse, any Error>) {
    let (transport, request) = (try server.transport(configuration), try request())
    return (transport, Task { try await transport.send(request) })
  }

  /// A message has no headers, so the server would not recognize the request if it is repeated.
  @Test func aRequestThatNeedsItsHeadersIsNotSent() async throws {
    let record = SendingRecord(needsHeaders: true)
    let (transport, request) = (try server.transport(), try request(record))
    await #expect(throws: GraphQLHTTPRequestError(.noPlaceForHeader)) {
      try await transport.send(request)
    }
    #expect(server.connector.attemptCount == 0)
    #expect(!record.close().mayHaveArrived)
  }

  @Test func nothingHasLeftWithoutAConnection() async throws {
    let (_, call) = try start()
    try await server.connector.nextAttempt().fail(URLError(.cannotConnectToHost))
    await #expect(throws: WebSocketError.self) { try await call.value }
    let facts = record.close()
    #expect(!facts.mayHaveArrived)
    #expect(!facts.isEmpty)
  }

  @Test func nothingHasLeftBeforeTheAcknowledgement() async throws {
    let (_, call) = try start()
    let connection = try await server.connector.nextAttempt().accept("graphql-transport-ws")
    #expect(try await connection.nextEnvelope() == "connection_init")
    connection.end(1011, "restart")
    await #expect(throws: WebSocketError.self) { try await call.value }
    #expect(!record.close().mayHaveArrived)
  }

  @Test func anOperationOnALostConnectionMayHaveArrived() async throws {
    let (_, call) = try start()
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    connection.end(1006, origin: .network)
    await #expect(throws: WebSocketError.self) { try await call.value }
    #expect(record.close().mayHaveArrived)
  }

  @Test func aCancelledOperationMayHaveArrived() async throws {
    let (_, call) = try start()
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(record.close().mayHaveArrived)
  }

  @Test func aResponseExplainsItsOwnAttempt() async throws {
    let (_, call) = try start()
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    connection.deliver(#"{"id":"1","type":"next","payload":{"data":{"rename":null}}}"#)
    connection.deliver(#"{"id":"1","type":"complete"}"#)
    _ = try await call.value
    let facts = record.close()
    #expect(facts.mayHaveArrived)
    #expect(!facts.mayHaveArrivedBeforeResponse)
  }

  @Test func aRejectionExplainsItsOwnAttempt() async throws {
    let (_, call) = try start()
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    connection.deliver(#"{"id":"1","type":"error","payload":[{"message":"No."}]}"#)
    await #expect(throws: WebSocketError.self) { try await call.value }
    #expect(!record.close().mayHaveArrivedBeforeResponse)
  }

  /// The server has begun to carry the operation out, whatever the error says.
  @Test func anErrorAfterAPartOfTheResponseIsNoRefusal() async throws {
    let (_, call) = try start()
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    connection.deliver(
      #"{"id":"1","type":"next","payload":{"data":{"rename":{"id":"1"}},"hasNext":true}}"#)
    let error = #"{"message":"No.","extensions":{"code":"UNAUTHENTICATED"}}"#
    connection.deliver(#"{"id":"1","type":"error","payload":[\#(error)]}"#)
    let failure = await #expect(throws: WebSocketError.self) { try await call.value }
    #expect(failure?.code == .rejected)
    #expect(failure?.graphQLErrors.count == 1)
    #expect(failure?.refusal == nil)
    #expect(record.close().mayHaveArrived)
  }

  @Test func aConnectionThatComesAfterTheEndOfTheCallSendsNothing() async throws {
    let (transport, call) = try start()
    let attempt = try await server.connector.nextAttempt()
    #expect(!record.close().mayHaveArrived, "The caller decides now that nothing was sent.")
    let connection = attempt.accept("graphql-transport-ws")
    #expect(try await connection.nextEnvelope() == "connection_init")
    connection.deliver(#"{"type":"connection_ack"}"#)
    // Another operation shows what was sent before it.
    let other = Task { try await transport.send(heroQuery) }
    #expect(try await connection.nextEnvelope() == "subscribe 2")
    call.cancel()
    other.cancel()
    _ = await (call.result, other.result)
  }

  @Test func anOperationThatWaitsForRoomIsNotSentAfterTheEndOfTheCall() async throws {
    let transport = try server.transport()
    let first = Task { try await transport.send(heroQuery) }
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    connection.setFull(true)
    var request = try request()
    record.beginNoting()
    let attempt = try record.beginAttempt()
    attempt.prepare()
    request.facts.session?.attempt = attempt
    let results = try transport.results(of: request)
    #expect(!record.close().mayHaveArrived)
    connection.setFull(false)
    let other = Task { try await transport.send(heroQuery) }
    #expect(try await connection.nextEnvelope() == "subscribe 3")
    withExtendedLifetime(results) {}
    for task in [first, other] {
      task.cancel()
      _ = await task.result
    }
  }
}
