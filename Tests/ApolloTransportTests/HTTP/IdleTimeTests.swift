#if CURL
  import ApolloAPI
  import ApolloTransport
  import CurlShim
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import TestOperations
  import Testing

  /// Silence that follows an upload.
  @Suite(.timeLimit(.minutes(10)))
  struct IdleTimeTests {
    /// The idle time of a POST begins with its last byte. Twice as long, it would meet the
    /// deadline.
    @Test func aPostIsNotWaitedForTwice() async throws {
      let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
      defer { server.stop() }
      var configuration = CurlClient.Configuration()
      configuration.idleTimeout = .seconds(30)
      let client = CurlClient(
        configuration: configuration, limits: TransferLimits(deadline: .seconds(59)))
      let transport = HTTPNetworkTransport(url: server.url(), client: client)
      let error = await #expect(throws: NetworkError.self) {
        try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
      }
      #expect(error?.code == .timedOut)
      #expect(error?.description.contains("idle timeout of 30 seconds") == true)
      #expect(error?.description.contains("`idleTimeout`") == true)
    }
  }
#endif
