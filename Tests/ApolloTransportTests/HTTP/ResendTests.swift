import Foundation
import LoopbackServer
import Testing

import ApolloTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct ResendTests {
  @Test func aRequestIsNotSentAgainOnAnotherConnection() async throws {
    let server = try LoopbackServer { request, reply in
      if request.path == "/warm" {
        reply.json("{}")
      } else {
        reply.close()
      }
    }
    defer { server.stop() }
    let client = URLSessionClient()
    _ = try await client.response(to: URLRequest(url: server.url("/warm"))).body()
    let request = post(to: server.url("/mutation"))
    let error = await #expect(throws: NetworkError.self) {
      try await client.response(to: request)
    }
    #expect(error?.code == .connectionLost)
    #expect(server.requests.map(\.path) == ["/warm", "/mutation"])
  }

  private func post(to url: URL) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data("body".utf8)
    return request
  }
}
