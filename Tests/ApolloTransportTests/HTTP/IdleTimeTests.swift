#if CURL
  import ApolloAPI
  import ApolloTransport
  import CurlShim
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import TestOperations
  import Testing

  /// Silence that follows an upload, and subscriptions that wait for a connection.
  @Suite(.timeLimit(.minutes(10)))
  struct IdleTimeTests {
    /// The idle time of a POST begins with its last byte. Twice as long, it would meet the
    /// deadline.
    @Test func aPostIsNotWaitedForTwice() async throws {
      let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
      defer { server.stop() }
      var configuration = CurlClient.Configuration()
      configuration.idleTimeout = .seconds(10)
      let client = CurlClient(
        configuration: configuration, limits: TransferLimits(deadline: .seconds(19)))
      let transport = HTTPNetworkTransport(url: server.url(), client: client)
      let error = await #expect(throws: NetworkError.self) {
        try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
      }
      #expect(error?.code == .timedOut)
      #expect(error?.description.contains("idle timeout of 10 seconds") == true)
      #expect(error?.description.contains("`idleTimeout`") == true)
    }

    @Test func aSubscriptionThatWaitsForAConnectionIsReported() async throws {
      let isFirstOver = Signal()
      let server = try LoopbackServer { request, reply in
        reply.beginChunks(type: "text/event-stream")
        if request.number == 0 { isFirstOver.block() }
        reply.chunk("event: complete\ndata:\n\n")
        reply.endChunks()
      }
      defer { server.stop() }
      var configuration = CurlClient.Configuration()
      configuration.maximumConnectionCountPerHost = 1
      let client = CurlClient(configuration: configuration)
      let transport = HTTPNetworkTransport(url: server.url(), client: client)
      transport.subscriptionFormat = .serverSentEvents
      let (states, report) = AsyncStream.makeStream(of: SubscriptionState.self)
      @Sendable func subscribe() async throws {
        var request = OperationRequest(HeroAPI.HeroChangedSubscription())
        request.stateHandler = { report.yield($0) }
        for try await _ in transport.responses(to: request) {}
      }
      async let first: Void = subscribe()
      await server.wait { $0.requests.count == 1 }
      async let second: Void = subscribe()
      var iterator = states.makeAsyncIterator()
      guard case .interrupted(let error as NetworkError) = await iterator.next() else {
        Issue.record("the wait was not reported")
        return
      }
      #expect(error.code == .connectionLimit)
      #expect(error.description.contains("all 1 connections are in use"))
      isFirstOver.fire()
      guard case .resumed = await iterator.next() else {
        Issue.record("the end of the wait was not reported")
        return
      }
      _ = try await (first, second)
    }
  }
#endif
