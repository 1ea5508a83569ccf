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
      let descriptorCount = try Self.descriptorCount(of: server)
      // Other tests run at the same time and take memory of their own, but not each time.
      var growths: [Int] = []
      repeat {
        let before = allocated_byte_count()
        try await subscribe(count: 3_000)
        growths.append(allocated_byte_count() - before)
      } while growths.count < 3 || growths.count < 9 && growths.min() ?? 0 >= 300_000
      #expect(growths.min() ?? 0 < 300_000)
      #expect(try Self.descriptorCount(of: server) <= descriptorCount + 8)
      // The transport still works.
      try await subscribe(count: 8)
    }

    /// The number of sockets of this process, which other tests share, whose connection has the
    /// port of a server on one of its sides.
    private static func descriptorCount(of server: LoopbackServer) throws -> Int {
      let port = server.url().port
      let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      return names.compactMap { Int32($0) }.filter { descriptor in
        [getsockname, getpeername].contains { name in
          var address = sockaddr_in()
          var length = socklen_t(MemoryLayout<sockaddr_in>.size)
          let isKnown = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
              name(descriptor, $0, &length) == 0
            }
          }
          return isKnown && address.sin_family == sa_family_t(AF_INET)
            && Int(UInt16(bigEndian: address.sin_port)) == port
        }
      }.count
    }
  }
#endif
