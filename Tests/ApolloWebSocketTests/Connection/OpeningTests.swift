#if CURL
  import ApolloTransport
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import TestProcesses
  import Testing

  @testable import ApolloWebSocket

  /// The opening handshake over real connections.
  @Suite(.timeLimit(.minutes(10))) struct OpeningTests {
    private static let patient: CurlClient.Configuration = {
      var configuration = CurlClient.Configuration()
      configuration.connectTimeout = .seconds(300)
      return configuration
    }()

    private let connector = CurlWebSocketConnector(configuration: patient)

    private func failure(
      _ connector: CurlWebSocketConnector, _ request: URLRequest
    ) async -> (any Error)? {
      do {
        _ = try await connector.connect(to: request, subprotocols: ["test"])
        return nil
      } catch {
        return error
      }
    }

    // MARK: Refusals

    @Test(arguments: [200, 204, 400, 401, 403, 404, 426, 429, 500, 502, 503])
    func reportsEveryStatusWithItsBody(_ status: Int) async throws {
      let server = try SocketServer { peer in
        peer.reply.respond(status, headers: [("Retry-After", "7")], body: Array("why".utf8))
      }
      defer { server.stop() }
      let error = try #require(
        await failure(connector, server.request) as? WebSocketHandshakeError)
      #expect(error.code == .refused)
      #expect(error.statusCode == status)
      #expect(String(decoding: error.body, as: UTF8.self) == (status == 204 ? "" : "why"))
      #expect(error.retryAfter == .seconds(7))
      #expect(server.http.requests.count == 1)
    }

    @Test func keepsTheBeginningOfALargeBody() async throws {
      var connector = connector
      connector.limits.maximumErrorBodyByteCount = 1_000
      let server = try SocketServer { peer in
        peer.reply.respond(500, body: [UInt8](repeating: 0x78, count: 100_000))
      }
      defer { server.stop() }
      let error = await failure(connector, server.request) as? WebSocketHandshakeError
      #expect(error?.body.count == 1_000)
    }

    /// A body without a length, on a connection that stays open.
    @Test func reportsAStatusWhoseBodyDoesNotEnd() async throws {
      let server = try SocketServer { peer in
        peer.reply.send("HTTP/1.1 403 No\r\n\r\nsome")
        peer.reply.waitForClientToClose()
      }
      defer { server.stop() }
      let error = await failure(connector, server.request) as? WebSocketHandshakeError
      #expect(error?.statusCode == 403)
      #expect(error.map { String(decoding: $0.body, as: UTF8.self) } == "some")
    }

    @Test func followsARedirectToTheSameOriginOnly() async throws {
      let server = try SocketServer { peer in
        switch peer.request.path {
        case "/graphql": peer.reply.respond(307, headers: [("Location", "/moved?a=b")])
        case "/moved":
          peer.accept()
          peer.echo()
        case "/circle": peer.reply.respond(302, headers: [("Location", "/circle")])
        default: peer.reply.respond(302, headers: [("Location", "http://127.0.0.2/")])
        }
      }
      defer { server.stop() }
      var request = server.request
      request.setValue("Bearer token", forHTTPHeaderField: "Authorization")
      let socket = try await connector.connect(to: request, subprotocols: ["test"])
      #expect(socket.subprotocol == "test")
      let requests = server.http.requests
      try #require(requests.map(\.target) == ["/graphql", "/moved?a=b"])
      #expect(requests.map { $0.headers["authorization"] } == ["Bearer token", "Bearer token"])
      #expect(requests[0].headers["sec-websocket-key"] != requests[1].headers["sec-websocket-key"])
      for path in ["/circle", "/away"] {
        let error = await failure(connector, URLRequest(url: server.http.url(path)))
        #expect((error as? WebSocketHandshakeError)?.code == .redirectRefused)
      }
      #expect(server.http.requests.count == 2 + 6 + 1)
    }

    // MARK: Broken responses

    @Test(arguments: [
      ("", NetworkError.Code.connectionLost), ("HTTP/1.1 101 Sw", .connectionLost),
      ("HTTP/1.1 101 S\r\nUpgrade: websocket\r\n", .connectionLost),
      ("SSH-2.0-OpenSSH\r\n", .notHTTP),
      ("HTTP/1.1 101 S\r\nno colon\r\n\r\n", .malformedResponse),
      ("HTTP/1.1 101 S\r\nA: \u{1}\r\n\r\n", .malformedResponse),
      ("HTTP/1.1 101 " + String(repeating: "x", count: 100_000), .malformedResponse),
    ])
    func reportsWhatIsNoResponse(_ text: String, _ code: NetworkError.Code) async throws {
      let server = try SocketServer { peer in peer.reply.send(text) }
      defer { server.stop() }
      let error = await failure(connector, server.request) as? NetworkError
      #expect(error?.code == code)
    }

    @Test func reportsWhereNobodyListens() async throws {
      let port = try ClosedPort()
      let error = await failure(connector, URLRequest(url: port.url)) as? NetworkError
      #expect(error?.code == .cannotConnect)
      withExtendedLifetime(port) {}
    }

    // MARK: Time and cancellation

    @Test func endsAtTheDeadline() async throws {
      var connector = connector
      connector.limits.handshakeTimeout = .milliseconds(50)
      let server = try SocketServer { $0.reply.waitForClientToClose() }
      defer { server.stop() }
      let error = await failure(connector, server.request) as? NetworkError
      #expect(error?.code == .deadlineExceeded)
      // On a busy machine, the deadline passes before the request is sent, or before it is read.
      await server.http.wait { $0.openConnectionCount == 0 }
    }

    @Test func closesTheConnectionOfACancelledAttempt() async throws {
      let (begun, closed) = (Signal(), Signal())
      let server = try SocketServer { peer in
        begun.fire()
        peer.reply.waitForClientToClose()
        closed.fire()
      }
      defer { server.stop() }
      let attempt = Task { [connector] in
        try await connector.connect(to: server.request, subprotocols: [])
      }
      await begun.wait()
      attempt.cancel()
      await #expect(throws: CancellationError.self) { _ = try await attempt.value }
      await closed.wait()
    }

    @Test func connectsNothingForATaskThatIsCancelledAlready() async throws {
      let server = try SocketServer { peer in peer.accept() }
      defer { server.stop() }
      let go = Signal()
      let attempt = Task { [connector] in
        await go.wait()
        _ = try await connector.connect(to: server.request, subprotocols: [])
      }
      attempt.cancel()
      go.fire()
      await #expect(throws: CancellationError.self) { try await attempt.value }
      #expect(server.http.observation.acceptedCount == 0)
    }

    @Test func survivesAttemptsThatAreCancelledAtAnyMoment() async throws {
      let server = try SocketServer.accepting { $0.echo() }
      defer { server.stop() }
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<200 {
          group.addTask { [connector] in
            let attempt = Task {
              let socket = try await connector.connect(to: server.request, subprotocols: [])
              socket.enqueue(.text("hello"))
              _ = try await socket.receive()
            }
            for _ in 0..<(index % 20) { await Task.yield() }
            attempt.cancel()
            _ = await attempt.result
          }
        }
      }
      await server.http.wait { $0.openConnectionCount == 0 }
      // The connector still works.
      let socket = try await connector.connect(to: server.request, subprotocols: [])
      socket.enqueue(.text("hello"))
      #expect(try await socket.receive() == .message(.text("hello")))
    }

    // MARK: TLS and proxies

    @Test(.enabled(if: Nginx.isInstalled))
    func opensWithTLSOfAPrivateAuthority() async throws {
      let nginx = try await Nginx.shared()
      let server = try SocketServer.accepting { $0.echo() }
      defer { server.stop() }
      var connector = connector
      // The port speaks HTTP/2 too, which has no upgrade.
      let request = URLRequest(url: nginx.url(.tls, "/socket/\(server.http.port)/graphql"))
      #expect((await failure(connector, request) as? NetworkError)?.code == .insecure)
      connector.configuration.tls.authorities = .pem(try nginx.authority.data("authority.pem"))
      let socket = try await connector.connect(to: request, subprotocols: ["test"])
      for count in [1, 20_000, 1_000_000] {
        let message = WebSocketMessage.binary([UInt8](repeating: 9, count: count))
        socket.enqueue(message)
        #expect(try await socket.receive() == .message(message))
      }
      try await socket.ping()
      socket.close(code: .normal, reason: "")
      #expect(try await socket.receive() == .end(.init(code: .normal, origin: .local)))
      let bad = URLRequest(url: nginx.url(.tls, "/to/1/"))
      #expect((await failure(connector, bad) as? WebSocketHandshakeError)?.statusCode == 502)
    }

    @Test(.enabled(if: Nginx.isInstalled), arguments: [Nginx.Service.plain, .tls])
    func opensThroughAProxy(_ service: Nginx.Service) async throws {
      let nginx = try await Nginx.shared()
      let server = try SocketServer.accepting { $0.echo() }
      defer { server.stop() }
      let proxy = try LoopbackServer { request, reply in
        let port = request.target.split(separator: ":").last.flatMap { UInt16($0) }
        reply.tunnel(to: port ?? 0)
      }
      defer { proxy.stop() }
      var connector = connector
      connector.configuration.tls.authorities = .pem(try nginx.authority.data("authority.pem"))
      connector.configuration.proxy = .url(
        try #require(URL(string: "http://me:word@127.0.0.1:\(proxy.port)")))
      var request = URLRequest(url: nginx.url(service, "/socket/\(server.http.port)/graphql"))
      request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
      let socket = try await connector.connect(to: request, subprotocols: ["test"])
      socket.enqueue(.text("through"))
      #expect(try await socket.receive() == .message(.text("through")))
      let connect = try #require(proxy.requests.first)
      #expect(connect.method == "CONNECT")
      #expect(connect.headers["authorization"] == nil)
      #expect(server.http.requests.first?.headers["authorization"] == "Bearer secret")
      #expect(server.http.requests.first?.headers["proxy-authorization"] == nil)
    }

    @Test func reportsAProxyThatRefuses() async throws {
      let proxy = try LoopbackServer { _, reply in
        reply.respond(407, body: [UInt8](repeating: 0x78, count: 1_000))
        reply.close()
      }
      defer { proxy.stop() }
      var connector = connector
      connector.configuration.proxy = .url(
        try #require(URL(string: "http://127.0.0.1:\(proxy.port)")))
      let request = URLRequest(url: try #require(URL(string: "ws://example.test/")))
      let error = await failure(connector, request) as? NetworkError
      #expect(error?.code == .proxyFailed)
    }
  }
#endif
