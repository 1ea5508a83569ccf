#if CURL
  import ApolloAPI
  import ApolloTransport
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import TestProcesses
  import Testing

  /// HTTP/2, agreed on during the handshake of TLS.
  @Suite(.needsNginx, .timeLimit(.minutes(10)))
  struct HTTP2Tests {
    @Test(
      arguments: [
        (.tls, .automatic, "HTTP/2.0"), (.tls, .http1, "HTTP/1.1"),
        (.plain, .automatic, "HTTP/1.1"),
      ] as [(Nginx.Service, CurlClient.Version, String)])
    func isUsedWhereBothSidesSpeakIt(
      _ service: Nginx.Service, _ version: CurlClient.Version, _ expected: String
    ) async throws {
      let nginx = try await Nginx.shared()
      let client = try nginx.client { $0.version = version }
      #expect(try await client.who(nginx.url(service, "/who")).http == expected)
    }

    /// A server that responds to no request before `count` requests have arrived.
    private func gatheringServer(_ count: Int) throws -> LoopbackServer {
      let all = Signal()
      let arrived = Lock(0)
      return try LoopbackServer { request, reply in
        let isLast = arrived.withLock { arrived in
          arrived += 1
          return arrived == count
        }
        if isLast { all.fire() }
        all.block()
        reply.respond(body: request.body)
      }
    }

    /// Sends `count` requests at once, and returns nginx's numbers of the connections they came on.
    private func connections(
      of count: Int, _ client: CurlClient, _ nginx: Nginx, to server: LoopbackServer
    ) async throws -> Set<String> {
      try await withThrowingTaskGroup(of: String?.self) { group in
        for index in 0..<count {
          group.addTask {
            var request = URLRequest(url: nginx.url(.tls, "/to/\(server.port)/\(index)"))
            request.httpMethod = "POST"
            request.httpBody = Data("request \(index)".utf8)
            let response = try await client.response(to: request)
            #expect(try await response.body() == Data("request \(index)".utf8))
            return response.response.value(forHTTPHeaderField: "X-Connection")
          }
        }
        return try await group.reduce(into: []) { if let number = $1 { $0.insert(number) } }
      }
    }

    /// The limit of connections does not limit the requests that share one.
    @Test func manyRequestsShareOneConnection() async throws {
      let nginx = try await Nginx.shared()
      let server = try gatheringServer(100)
      defer { server.stop() }
      let client = try nginx.client { $0.maximumConnectionCountPerHost = 1 }
      #expect(try await connections(of: 100, client, nginx, to: server).count == 1)
    }

    @Test func whatIsMoreThanTheStreamsOfAConnectionOpensAnother() async throws {
      let nginx = try await Nginx.shared()
      let server = try gatheringServer(40)
      defer { server.stop() }
      let client = try nginx.client {
        $0.maximumStreamCountPerConnection = 10
        $0.maximumConnectionCountPerHost = 4
      }
      #expect(try await connections(of: 40, client, nginx, to: server).count == 4)
    }

    @Test func requestsWaitWhereNeitherAStreamNorAConnectionIsFree() async throws {
      let nginx = try await Nginx.shared()
      let server = try LoopbackServer { request, reply in reply.respond(body: request.body) }
      defer { server.stop() }
      let client = try nginx.client {
        $0.maximumStreamCountPerConnection = 2
        $0.maximumConnectionCountPerHost = 1
      }
      #expect(try await connections(of: 50, client, nginx, to: server).count == 1)
    }

    @Test func cancellingOneStreamLeavesTheOthersAlone() async throws {
      let nginx = try await Nginx.shared()
      let (isBeingCancelled, isCancelled) = (Signal(), Signal())
      let server = try LoopbackServer { request, reply in
        reply.beginChunks()
        reply.chunk("begin ")
        if request.path == "/cancelled" {
          // nginx notices that a stream was reset when it has something to write to it.
          isBeingCancelled.block()
          while reply.chunk("more") {}
          reply.close()
        } else {
          isCancelled.block()
          reply.chunk(request.path)
          reply.endChunks()
        }
      }
      defer { server.stop() }
      let client = try nginx.client { $0.maximumConnectionCountPerHost = 1 }
      let responses = try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
        for index in 0..<10 {
          group.addTask {
            try await client.response(
              to: URLRequest(url: nginx.url(.tls, "/to/\(server.port)/\(index)")))
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let cancelled = Task {
        try await client.response(
          to: URLRequest(url: nginx.url(.tls, "/to/\(server.port)/cancelled"))
        ).body()
      }
      await server.wait { $0.requests.count == 11 }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      isBeingCancelled.fire()
      await server.wait { $0.openConnectionCount == 10 }
      isCancelled.fire()
      for response in responses {
        let text = try await String(decoding: response.body(), as: UTF8.self)
        #expect(text.hasPrefix("begin /"))
      }
      #expect(try await client.who(nginx.url(.tls, "/who")).http == "HTTP/2.0")
    }

    @Test func aBodyThatIsCutIsALostConnection() async throws {
      let nginx = try await Nginx.shared()
      let server = try LoopbackServer { _, reply in
        reply.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"data\":")
        reply.close()
      }
      defer { server.stop() }
      let error = await #expect(throws: NetworkError.self) {
        try await nginx.client().response(
          to: URLRequest(url: nginx.url(.tls, "/to/\(server.port)/"))
        ).body()
      }
      #expect(error?.code == .connectionLost)
    }

    @Test func aLargeBodyArrivesWholeInBothDirections() async throws {
      let nginx = try await Nginx.shared()
      let server = try LoopbackServer { request, reply in reply.respond(body: request.body) }
      defer { server.stop() }
      let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
      var request = URLRequest(url: nginx.url(.tls, "/to/\(server.port)/"))
      request.httpMethod = "POST"
      request.httpBody = body
      #expect(try await nginx.client().response(to: request).body() == body)
    }
  }
#endif
