#if CURL
  import Apollo
  import ApolloAPI
  import ApolloTransport
  import CMemoryUse
  import Foundation
  import LoopbackServer
  import TestOperations
  import Testing

  /// Many subscriptions over HTTP. The name ends like those of the other tests that run alone.
  @Suite(.timeLimit(.minutes(10)), .serialized)
  struct SubscriptionStressTests {
    /// Subscriptions are dropped after their first event, or cancelled while they wait for the
    /// second one. The memory after the last of them is that after the first thousand, but for less
    /// than a hundred bytes each.
    @Test(arguments: [HTTPSubscriptionFormat.serverSentEvents, .multipart])
    func tenThousandSubscriptionsLeaveNothing(_ format: HTTPSubscriptionFormat) async throws {
      let event = #"{"data":{"heroChanged":{"__typename":"Hero","id":"1","name":"Luke"}}}"#
      let server = try LoopbackServer(keepsRequests: false) { _, reply in
        switch format {
        case .serverSentEvents:
          reply.beginChunks(type: "text/event-stream")
          reply.chunk("event: next\ndata: \(event)\n\n")
        case .multipart:
          reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
          reply.chunk(
            "\r\n---\r\nContent-Type: application/json\r\n\r\n{\"payload\":\(event)}\r\n---")
        }
        reply.waitForClientToClose()
      }
      defer { server.stop() }
      let transport = HTTPNetworkTransport(url: server.url(), client: .patient)
      transport.subscriptionFormat = format
      let client = ApolloClient(networkTransport: transport)

      @Sendable func subscribe(isCancelled: Bool) async throws {
        let (hasEvent, continuation) = AsyncStream.makeStream(of: Void.self)
        let call = Task {
          var events = client.subscribe(
            subscription: HeroAPI.HeroChangedSubscription(), cachePolicy: .networkOnly
          )
          .makeAsyncIterator()
          #expect(try await events.next()?.data?.heroChanged?.name == "Luke")
          continuation.yield()
          if isCancelled { _ = try await events.next() }
        }
        guard isCancelled else { return try await call.value }
        for await _ in hasEvent { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
      }
      func subscribe(count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for first in 0..<8 {
            group.addTask {
              for number in stride(from: first, to: count, by: 8) {
                try await subscribe(isCancelled: number % 4 == 0)
              }
            }
          }
          try await group.waitForAll()
        }
        await server.wait { $0.openConnectionCount == 0 }
      }

      try await subscribe(count: 1_000)
      let before = (memory: allocated_byte_count(), descriptors: try Self.descriptorCount())
      try await subscribe(count: 9_000)
      #expect(allocated_byte_count() < before.memory + 900_000)
      #expect(try Self.descriptorCount() <= before.descriptors + 8)
      // The transport still works.
      try await subscribe(count: 8)
    }

    private static func descriptorCount() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
  }
#endif
