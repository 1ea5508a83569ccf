import ApolloTransport
import Foundation
import LoopbackServer
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if CURL
  /// More requests than there are connections.
  @Suite(.timeLimit(.minutes(10)))
  struct ConnectionLimitTests {
    private func client(_ count: Int) -> CurlClient {
      var configuration = CurlClient.Configuration()
      configuration.idleTimeout = .seconds(600)
      configuration.maximumConnectionCountPerHost = count
      return CurlClient(configuration: configuration, limits: TransferLimits(deadline: nil))
    }

    @Test func aThousandRequestsShareTenConnections() async throws {
      let server = try LoopbackServer { request, reply in
        reply.respond(body: [UInt8](request.target.utf8))
      }
      defer { server.stop() }
      let client = client(10)
      let bodies = try await withThrowingTaskGroup(of: String.self) { group in
        for index in 0..<1_000 {
          group.addTask {
            let response = try await client.response(to: URLRequest(url: server.url("/\(index)")))
            return try await String(decoding: response.body(), as: UTF8.self)
          }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(bodies.count == 1_000)
      #expect(server.observation.acceptedCount <= 10)
    }

    @Test func manyRequestsUseTheConnectionsOfThoseBefore() async throws {
      let count = 32
      // No request of a round has a response before all have arrived.
      let rounds = [Rendezvous(count: count), Rendezvous(count: count)]
      let server = try LoopbackServer { request, reply in
        if let round = Int(request.target.dropFirst()) { rounds[round].block() }
        reply.json("{}")
      }
      defer { server.stop() }
      let client = client(count)
      for round in rounds.indices {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<count {
            group.addTask {
              _ = try await client.response(to: URLRequest(url: server.url("/\(round)"))).body()
            }
          }
          try await group.waitForAll()
        }
        for _ in 0..<8 {
          _ = try await client.response(to: URLRequest(url: server.url("/single"))).body()
        }
      }
      #expect(server.observation.acceptedCount == count)
    }

    #if compiler(>=6.2)
      @Test func requestsThatWaitAreSentInTheirOrder() async throws {
        let mayGoOn = Signal()
        let server = try LoopbackServer { _, reply in
          mayGoOn.block()
          reply.json("{}")
        }
        defer { server.stop() }
        let client = client(1)
        // Each of them is waiting for the connection when the next one begins.
        let tasks = (0..<20).map { index in
          Task.immediate {
            _ = try await client.response(to: URLRequest(url: server.url("/\(index)"))).body()
          }
        }
        mayGoOn.fire()
        for task in tasks { try await task.value }
        #expect(server.requests.map(\.path) == (0..<20).map { "/\($0)" })
      }
    #endif
  }
#endif
