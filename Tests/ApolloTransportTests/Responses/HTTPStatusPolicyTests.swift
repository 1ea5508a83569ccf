import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// Statuses of failures on responses that have data.
@Suite(.timeLimit(.minutes(10)))
struct HTTPStatusPolicyTests {
  private static let bodies = [
    #"{"data":{"hero":null}}"#,
    #"{"data":null,"errors":[{"message":"no"}]}"#,
    #"{"data":{"hero":null},"errors":[{"message":"no"}]}"#,
    #"{"errors":[{"message":"no"}]}"#,
  ]

  @Test(arguments: bodies, [400, 500])
  func decidesAboutABodyWithDataOrErrors(_ body: String, _ status: Int) async throws {
    let server = try LoopbackServer { _, reply in reply.json(body, status: status) }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    let request = OperationRequest(HeroAPI.HeroQuery())
    #expect(transport.httpStatusPolicy == .strict)
    let error = await #expect(throws: GraphQLHTTPResponseError.self) {
      try await transport.send(request)
    }
    #expect(error?.body == Data(body.utf8))
    transport.httpStatusPolicy = .bodyDecides
    #expect(try await transport.send(request).body == Data(body.utf8))
    // A response to an operation that may be in parts is read in another way.
    let deferred = OperationRequest(HeroAPI.DeferredHeroQuery())
    #expect(try await transport.responses(to: deferred).last()?.body == Data(body.utf8))
  }

  @Test(arguments: ["{}", "[]", "<html>", #"{"error":"no"}"#, #"{"data":null}"#])
  func failsWithoutDataAndErrors(_ body: String) async throws {
    let server = try LoopbackServer { _, reply in reply.json(body, status: 500) }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    transport.httpStatusPolicy = .bodyDecides
    await #expect(throws: GraphQLHTTPResponseError.self) {
      try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    }
  }
}
