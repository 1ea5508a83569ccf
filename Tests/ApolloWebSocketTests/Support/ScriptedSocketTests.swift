import ApolloWebSocket
import Foundation
import ScriptedSocket
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10))) struct ScriptedSocketTests {
  private let request: URLRequest

  init() throws { request = URLRequest(url: try #require(URL(string: "ws://localhost/graphql"))) }

  @Test func playsAConversation() async throws {
    let connector = ScriptedConnector()
    async let opened = connector.connect(to: request, subprotocols: ["a", "b"])
    let attempt = try await connector.nextAttempt()
    #expect(attempt.subprotocols == ["a", "b"])
    let server = attempt.accept("b")
    let socket = try await opened
    #expect(socket.subprotocol == "b")

    socket.enqueue(.text("hello"))
    #expect(try await server.nextSent() == .message(.text("hello")))
    server.deliver("good day")
    #expect(try await socket.receive() == .message(.text("good day")))
    async let ponged: Void = socket.ping()
    #expect(try await server.nextSent() == .ping)
    server.pong()
    try await ponged

    socket.close(code: .normal, reason: "bye")
    #expect(try await server.nextSent() == .close(.normal, "bye"))
    server.end(.normal, "bye", origin: .local)
    let end = WebSocketEnd(code: .normal, reason: "bye", origin: .local)
    #expect(try await socket.receive() == .end(end))
    #expect(try await socket.receive() == .end(end))
    #expect(!socket.enqueue(.text("late")))
  }

  @Test func cancelsAnAttemptAndAWait() async throws {
    let connector = ScriptedConnector()
    let attempt = Task { [request] in try await connector.connect(to: request, subprotocols: []) }
    _ = try await connector.nextAttempt()
    attempt.cancel()
    await #expect(throws: CancellationError.self) { try await attempt.value }

    let socket = ScriptedConnection(subprotocol: nil)
    let reader = Task { try await socket.receive() }
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    socket.deliver("kept")
    #expect(try await socket.receive() == .message(.text("kept")))
  }
}
