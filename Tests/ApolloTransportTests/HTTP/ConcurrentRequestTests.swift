import Foundation
import LoopbackServer
import Testing

import ApolloTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if CURL
  @Suite(.timeLimit(.minutes(10)))
  struct ConcurrentRequestTests {
    @Test func requestsOfANewClientDoNotWaitForEachOther() async throws {
      let allHaveArrived = Signal()
      let server = try LoopbackServer { _, reply in
        allHaveArrived.block()
        reply.json("{}")
      }
      defer { server.stop() }
      let client = ClientKind.platform.patient()
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<20 {
          group.addTask {
            try await client.response(to: URLRequest(url: server.url())).response.statusCode
          }
        }
        await server.wait { $0.requests.count == 20 }
        allHaveArrived.fire()
        for try await status in group { #expect(status == 200) }
      }
    }
  }
#endif
