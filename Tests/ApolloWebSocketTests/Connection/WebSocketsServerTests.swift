#if CURL
  import ApolloTransport
  import Foundation
  import FoundationNetworking
  import TestProcesses
  import Testing

  @testable import ApolloWebSocket

  /// Conversations with a server that is not ours: the package `websockets`.
  @Suite(.needsWebSockets, .timeLimit(.minutes(10))) struct WebSocketsServerTests {
    private func connect(
      _ server: WebSocketsServer, _ path: String, _ compression: WebSocketCompression = .none,
      authority: CertificateAuthority? = nil
    ) async throws -> any WebSocketConnection {
      var connector = CurlWebSocketConnector(compression: compression)
      if let authority {
        connector.configuration.tls.authorities = .pem(try authority.data("authority.pem"))
      }
      return try await connector.connect(
        to: URLRequest(url: server.url(path)), subprotocols: ["first", "second"])
    }

    private func withServer(
      _ authority: CertificateAuthority? = nil, _ body: (WebSocketsServer) async throws -> Void
    ) async throws {
      let server = try await WebSocketsServer(authority)
      do { try await body(server) } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }

    @Test(arguments: [WebSocketCompression.none, .eachMessage, .sharedContext], [false, true])
    func exchangesMessages(_ compression: WebSocketCompression, withTLS: Bool) async throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("apollo-swift-socket-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }  // only a temporary folder
      let authority = withTLS ? try await CertificateAuthority(in: folder) : nil
      try await withServer(authority) { server in
        let socket = try await connect(server, "/echo", compression, authority: authority)
        #expect(socket.subprotocol == "second")
        for count in [0, 1, 200, 70_000, 2_000_000] {
          for message in [
            WebSocketMessage.text(String(repeating: "héllo ", count: count / 7)),
            .binary((0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }),
          ] {
            socket.enqueue(message)
            try await expect(.message(message), from: socket)
          }
        }
        try await socket.ping()
        socket.close(code: 4321, reason: "done")
        try await expect(.end(.init(code: 4321, reason: "done", origin: .local)), from: socket)
      }
    }

    @Test func joinsFragmentsAndRespondsToPings() async throws {
      try await withServer { server in
        for compression in [WebSocketCompression.none, .sharedContext] {
          let fragments = try await connect(server, "/fragments", compression)
          fragments.enqueue(.text("häppy €uro 😀"))
          try await expect(.message(.text("häppy €uro 😀")), from: fragments)
        }
        let pinged = try await connect(server, "/ping")
        try await expect(.message(.text("ponged")), from: pinged)
      }
    }

    @Test func readsAFlood() async throws {
      try await withServer { server in
        let socket = try await connect(server, "/flood/20000", .sharedContext)
        socket.enqueue(.text("go"))
        for index in 0..<20_000 {
          guard try await socket.receive() == .message(.text("message \(index)")) else {
            Issue.record("message \(index) is another one")
            return
          }
        }
      }
    }

    @Test(arguments: [1000, 1001, 1011, 1012, 1013, 3000, 4400, 4999] as [UInt16])
    func reportsTheCodeOfTheServer(_ code: UInt16) async throws {
      try await withServer { server in
        let socket = try await connect(server, "/close/\(code)")
        socket.enqueue(.text("go"))
        let end = WebSocketEnd(code: .init(rawValue: code), reason: "because", origin: .peer)
        try await expect(.end(end), from: socket)
      }
    }

    @Test func reportsADroppedConnectionAndAKilledServer() async throws {
      try await withServer { server in
        let dropped = try await connect(server, "/drop")
        let killed = try await connect(server, "/echo")
        dropped.enqueue(.text("go"))
        for (socket, isKilled) in [(dropped, false), (killed, true)] {
          if isKilled { await server.stop() }
          guard case .end(let end) = try await socket.receive() else {
            Issue.record("there is no end")
            return
          }
          #expect(end.code == .abnormal)
          #expect(end.origin == .network)
        }
      }
    }

    @Test(arguments: [401, 403, 404, 500, 503])
    func reportsARefusal(_ status: Int) async throws {
      try await withServer { server in
        do {
          _ = try await connect(server, "/refuse/\(status)")
          Issue.record("the handshake is not refused")
        } catch let error as WebSocketHandshakeError {
          #expect(error.statusCode == status)
          #expect(String(decoding: error.body, as: UTF8.self) == "refused\n")
        }
      }
    }
  }
#endif
