import ApolloAPI
import Foundation
import LoopbackServer
import TestOperations
import Testing

import ApolloTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10)))
struct ResendTests {
  /// Sends an operation and waits for its response. A busy machine may let the end of a connection
  /// wait for so long that the server would be taken to have had the request.
  private func send(
    _ operation: some GraphQLOperation, over transport: HTTPNetworkTransport
  ) async throws {
    try await NetworkError.$keptConnectionTime.withValue(.seconds(600)) {
      _ = try await transport.send(OperationRequest(operation))
    }
  }

  @Test func aRequestIsNotSentAgainOnAnotherConnection() async throws {
    let server = try LoopbackServer { request, reply in
      if request.path == "/warm" {
        reply.json("{}")
      } else {
        reply.close()
      }
    }
    defer { server.stop() }
    let client = DefaultHTTPClient.patient()
    _ = try await client.response(to: URLRequest(url: server.url("/warm"))).body()
    let request = post(to: server.url("/mutation"))
    let error = await #expect(throws: NetworkError.self) {
      try await client.response(to: request)
    }
    #expect(error?.code == .connectionLost)
    #expect(server.requests.map(\.path) == ["/warm", "/mutation"])
  }

  @Test func aQueryWhoseKeptConnectionWasLostIsSentOnceMore() async throws {
    let lost = Lock(0)
    let server = try LoopbackServer { _, reply in
      let isLost = lost.withLock { count in
        defer { count -= 1 }
        return count > 0
      }
      if isLost { reply.close() } else { reply.json("{}") }
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    try await send(HeroAPI.HeroQuery(), over: transport)
    #expect(server.requests.count == 1)
    lost.withLock { $0 = 1 }
    try await send(HeroAPI.HeroQuery(), over: transport)
    #expect(server.requests.count == 3)
    lost.withLock { $0 = 2 }
    await #expect(throws: NetworkError.self) {
      try await send(HeroAPI.HeroQuery(), over: transport)
    }
    #expect(server.requests.count == 5)
  }

  #if CURL
    /// A proxy that is reloaded closes all its kept connections at once.
    @Test func theRepetitionUsesNoOtherKeptConnection() async throws {
      let count = 6
      let all = Rendezvous(count: count)
      // They are kept, so that no later one has the identifier of an earlier one.
      let connections = Lock<[ObjectIdentifier: Reply]>([:])
      let server = try LoopbackServer { request, reply in
        let isNew = connections.withLock {
          $0.updateValue(reply, forKey: ObjectIdentifier(reply)) == nil
        }
        guard isNew else { return reply.close() }
        if request.bodyText.contains("mutation") { all.block() }
        reply.json("{}")
      }
      defer { server.stop() }
      let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<count {
          group.addTask {
            try await send(HeroAPI.RenameMutation(id: "1", name: "x"), over: transport)
          }
        }
        try await group.waitForAll()
      }
      try await send(HeroAPI.HeroQuery(), over: transport)
      #expect(server.requests.count == count + 2)
    }
  #endif

  @Test func aQueryInPartsWhoseKeptConnectionWasLostIsSentOnceMore() async throws {
    let isLost = Lock(false)
    let server = try LoopbackServer { _, reply in
      if isLost.exchange(false) { reply.close() } else { reply.json(#"{"data":{"hero":null}}"#) }
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    let request = OperationRequest(HeroAPI.DeferredHeroQuery())
    try await NetworkError.$keptConnectionTime.withValue(.seconds(600)) {
      _ = try await transport.responses(to: request).last()
      _ = isLost.exchange(true)
      _ = try await transport.responses(to: request).last()
    }
    #expect(server.requests.count == 3)
  }

  /// The server has had the request. Whether to repeat it is for interceptors to decide.
  @Test func aQueryWhoseNewConnectionWasLostIsNotSentAgain() async throws {
    let server = try LoopbackServer { _, reply in reply.close() }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    let error = await #expect(throws: NetworkError.self) {
      try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    }
    #expect(error?.code == .connectionLost)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [false, true])
  func aMutationIsNeverSentAgain(_ isWarm: Bool) async throws {
    let server = try LoopbackServer { request, reply in
      if request.bodyText.contains("mutation") { reply.close() } else { reply.json("{}") }
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    if isWarm { _ = try await transport.send(OperationRequest(HeroAPI.HeroQuery())) }
    let error = await #expect(throws: NetworkError.self) {
      try await transport.send(OperationRequest(HeroAPI.RenameMutation(id: "1", name: "x")))
    }
    #expect(error?.code == .connectionLost)
    #expect(server.requests.count { $0.bodyText.contains("mutation") } == 1)
  }

  private func post(to url: URL) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data("body".utf8)
    return request
  }
}
