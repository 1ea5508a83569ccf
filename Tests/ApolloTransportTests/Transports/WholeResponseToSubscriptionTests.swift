import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Responses to a subscription that are not in parts, such as the page of a proxy. The client
/// cannot limit them: a subscription has no end of its own.
@Suite(.timeLimit(.minutes(10)))
struct WholeResponseToSubscriptionTests {
  struct Head: Sendable {
    let status: Int
    let type: String
  }
  static let heads = [
    Head(status: 200, type: "application/json"), Head(status: 404, type: "text/html"),
  ]

  private func error(
    _ limits: TransferLimits, _ head: Head, _ chunk: String, isEndless: Bool
  ) async throws -> NetworkError? {
    let isOver = Signal()
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(head.status, type: head.type)
      for _ in 0..<3 { reply.chunk(chunk) }
      if isEndless { isOver.block() }
      reply.endChunks()
    }
    defer { server.stop() }
    defer { isOver.fire() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: DefaultHTTPClient(limits: limits))
    return await #expect(throws: NetworkError.self) {
      let request = OperationRequest(HeroAPI.HeroChangedSubscription())
      for try await _ in transport.responses(to: request) {}
    }
  }

  @Test(arguments: heads)
  func theirSizeIsLimited(_ head: Head) async throws {
    let limits = TransferLimits(maximumResponseByteCount: 100_000)
    let chunk = String(repeating: " ", count: 50_000)
    let error = try await error(limits, head, chunk, isEndless: false)
    #expect(error?.code == .responseTooLarge)
  }

  /// The interceptor looks for the code of an error before the transport reads the body.
  @Test(arguments: heads)
  func theirSizeIsLimitedForAnInterceptor(_ head: Head) async throws {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(head.status, type: head.type)
      for _ in 0..<3 { reply.chunk(String(repeating: " ", count: 50_000)) }
      reply.endChunks()
    }
    defer { server.stop() }
    let limits = TransferLimits(maximumResponseByteCount: 100_000)
    let sender = HTTPSender(
      client: DefaultHTTPClient(limits: limits),
      interceptors: [AuthenticationInterceptor(token: "valid") { "new" }])
    let error = await #expect(throws: NetworkError.self) {
      try await sender.send(
        _OutgoingRequest(URLRequest(url: server.url())), reading: .parts(.events))
    }
    #expect(error?.code == .responseTooLarge)
  }

  @Test(arguments: heads)
  func theirTimeIsLimited(_ head: Head) async throws {
    let limits = TransferLimits(deadline: .seconds(1))
    let error = try await error(limits, head, " ", isEndless: true)
    #expect(error?.code == .deadlineExceeded)
  }
}
