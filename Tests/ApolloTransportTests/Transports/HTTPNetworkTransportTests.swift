import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HTTPNetworkTransportTests {
  private let request = OperationRequest(HeroAPI.HeroQuery())
  private let answer = #"{"data":{"hero":null}}"#

  @Test func returnsWhatTheServerAnswered() async throws {
    let server = try LoopbackServer { [answer] _, reply in
      reply.json(answer, headers: [("X-Trace", "7")])
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), additionalHeaders: ["Authorization": "Bearer x"])
    transport.clientName = "tests"
    transport.sendsLibraryVersion = false
    let response = try await transport.send(request)
    #expect(String(decoding: response.body, as: UTF8.self) == answer)
    #expect(response.http?.statusCode == 200)
    #expect(response.http?.headers["x-trace"] == "7")
    let sent = try #require(server.requests.first)
    #expect(sent.method == "POST")
    #expect(sent.headers["authorization"] == "Bearer x")
    #expect(sent.headers["apollographql-client-name"] == "tests")
    #expect(try sent.body == OperationMessage(request.operation).json)
  }

  @Test func refusesToWaitLongerThanTheDeadline() async throws {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks()
      reply.chunk(" ")
      reply.waitForClientToClose()
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    let request = OperationRequest(request.operation, timeout: .milliseconds(50))
    let error = await #expect(throws: NetworkError.self) {
      try await transport.send(request)
    }
    #expect(
      error?.description
        == "The call to \(server.url()) did not end within 0.05 seconds. Check the server and what surrounds the call, or raise the deadline."
    )
    await server.wait { $0.openConnectionCount == 0 }
  }

  @Test func isReleasedWithItsClientAndConnections() async throws {
    let server = try LoopbackServer { [answer] _, reply in reply.json(answer) }
    defer { server.stop() }
    weak var released: HTTPNetworkTransport?
    do {
      let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
      released = transport
      _ = try await transport.send(request)
    }
    #expect(released == nil)
    await server.wait { $0.acceptedCount == 1 && $0.openConnectionCount == 0 }
  }
}
