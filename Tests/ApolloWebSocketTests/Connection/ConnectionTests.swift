#if CURL
  import ApolloTransport
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import Testing

  @testable import ApolloWebSocket

  @Suite(.timeLimit(.minutes(10))) struct ConnectionTests {
    private let connector = CurlWebSocketConnector()

    /// Runs `body` with a connection to a server that accepts every handshake.
    private func withConnection(
      _ connector: CurlWebSocketConnector = CurlWebSocketConnector(),
      _ script: @escaping @Sendable (SocketPeer) -> Void,
      _ body: (any WebSocketConnection) async throws -> Void
    ) async throws {
      let server = try SocketServer.accepting(script)
      defer { server.stop() }
      try await body(connector.connect(to: server.request, subprotocols: ["test"]))
    }

    @Test func exchangesMessagesOfEverySize() async throws {
      try await withConnection {
        $0.echo()
      } _: { socket in
        #expect(socket.subprotocol == "test")
        for count in [0, 1, 125, 126, 65_535, 65_536, 3_000_000] {
          let message = WebSocketMessage.binary([UInt8](repeating: 7, count: count))
          socket.enqueue(message)
          try await expect(.message(message), from: socket)
        }
        socket.enqueue(.text("€"))
        try await expect(.message(.text("€")), from: socket)
      }
    }

    @Test func keepsTheOrderOfManyMessages() async throws {
      try await withConnection {
        $0.echo()
      } _: { socket in
        let count = 20_000
        let sender = Task {
          for index in 0..<count {
            socket.enqueue(.text("message \(index)"))
            try await socket.waitForRoom()
          }
        }
        for index in 0..<count {
          guard try await socket.receive() == .message(.text("message \(index)")) else {
            Issue.record("message \(index) is another one")
            break
          }
        }
        try await sender.value
      }
    }

    @Test func readsFramesThatFollowTheResponseInOneSegment() async throws {
      let server = try SocketServer { peer in
        peer.reply.send(peer.acceptance() + frame(1, "first") + frame(1, "second") + [0x81])
        peer.reply.send([0x01, 0x78])
        _ = peer.next()
      }
      defer { server.stop() }
      let socket = try await connector.connect(to: server.request, subprotocols: [])
      for text in ["first", "second", "x"] {
        try await expect(.message(.text(text)), from: socket)
      }
    }

    @Test func respondsToPingsAndWaitsForPongs() async throws {
      let pong = Signal()
      try await withConnection { peer in
        peer.ping([1, 2, 3])
        if peer.next() == .pong([1, 2, 3]) { pong.fire() }
        while peer.next() != nil {}
      } _: { socket in
        await pong.wait()
        try await socket.ping()
        async let first: Void = socket.ping()
        async let second: Void = socket.ping()
        _ = try await (first, second)
      }
    }

    @Test func compressesInBothDirections() async throws {
      let agreement = CompressionAgreement(
        server: .init(windowBits: 12), client: .init(windowBits: 10))
      let server = try SocketServer { peer in
        #expect(
          peer.request.headers["sec-websocket-extensions"]
            == "permessage-deflate; client_max_window_bits")
        peer.acceptCompressed(agreement, "; server_max_window_bits=12; client_max_window_bits=10")
        peer.echo()
      }
      defer { server.stop() }
      let socket = try await connector.connect(to: server.request, subprotocols: [])
      for index in 0..<100 {
        let message = WebSocketMessage.text(String(repeating: "hello \(index) ", count: 200))
        socket.enqueue(message)
        try await expect(.message(message), from: socket)
      }
    }

    // MARK: The end

    @Test func reportsTheServersCloseAfterItsMessages() async throws {
      let end = WebSocketEnd(code: 4400, reason: "bad", origin: .peer)
      let seen = Signal()
      try await withConnection { peer in
        peer.send(.text("last"))
        peer.close(4400, "bad")
        #expect(peer.next() == .end(WebSocketEnd(code: 4400, reason: "bad", origin: .local)))
        seen.fire()
      } _: { socket in
        try await expect(.message(.text("last")), from: socket)
        try await expect(.end(end), from: socket)
        try await expect(.end(end), from: socket)
        #expect(!socket.enqueue(.text("late")))
        await #expect(throws: end) { try await socket.ping() }
        try await socket.waitForRoom()
        // Stopping the server ends the connection on its side.
        await seen.wait()
      }
    }

    @Test func closesWithACode() async throws {
      let seen = Signal()
      try await withConnection { peer in
        #expect(peer.next() == .message(.text("queued")))
        #expect(peer.next() == .end(WebSocketEnd(code: 4001, reason: "bye", origin: .peer)))
        seen.fire()
      } _: { socket in
        socket.enqueue(.text("queued"))
        socket.close(code: 4001, reason: "bye")
        socket.close(code: 4002, reason: "again")
        #expect(!socket.enqueue(.text("late")))
        try await expect(.end(.init(code: 4001, reason: "bye", origin: .local)), from: socket)
        await seen.wait()
      }
    }

    @Test func closesThoughTheServerDoesNotRespond() async throws {
      try await withConnection { peer in
        peer.reply.waitForClientToClose()
      } _: { socket in
        socket.close(code: .normal, reason: "")
        try await expect(.end(.init(code: .normal, origin: .local)), from: socket)
      }
    }

    @Test func endsEachPingOfAConnectionThatIsClosing() async throws {
      let end = WebSocketEnd(code: .normal, origin: .local)
      try await withConnection { peer in
        peer.reply.waitForClientToClose()
      } _: { socket in
        socket.close(code: .normal, reason: "")
        // Together they wait for the end, which comes when the server has not responded in time.
        let pings = (0..<8).map { _ in Task { try await socket.ping() } }
        for ping in pings { await #expect(throws: end) { try await ping.value } }
      }
    }

    @Test func cancelsAtOnce() async throws {
      let closed = Signal()
      try await withConnection { peer in
        peer.reply.waitForClientToClose()
        closed.fire()
      } _: { socket in
        socket.cancel()
        try await expect(.end(.init(code: .abnormal, origin: .local)), from: socket)
        await closed.wait()
      }
    }

    @Test func closesWhenItIsReleased() async throws {
      let closed = Signal()
      let server = try SocketServer.accepting { peer in
        #expect(peer.next() == .end(.init(code: .goingAway, origin: .peer)))
        #expect(peer.next() == nil)
        closed.fire()
      }
      defer { server.stop() }
      _ = try await connector.connect(to: server.request, subprotocols: [])
      await closed.wait()
    }

    @Test(arguments: [false, true])
    func reportsALostConnection(isReset: Bool) async throws {
      try await withConnection { peer in
        peer.send(.text("last"))
        _ = peer.next()
        if isReset { peer.reply.reset() }
      } _: { socket in
        try await expect(.message(.text("last")), from: socket)
        socket.enqueue(.text("go"))
        guard case .end(let end) = try await socket.receive() else {
          Issue.record("there is no end")
          return
        }
        #expect(end.code == .abnormal)
        #expect(end.origin == .network)
      }
    }

    @Test func closesAfterAViolation() async throws {
      let seen = Signal()
      try await withConnection { peer in
        defer { seen.fire() }
        peer.reply.send(frame(1, "fine") + frame(3, "bad"))
        guard case .end(let end) = peer.next() else { return }
        #expect(end.code == .protocolError)
      } _: { socket in
        try await expect(.message(.text("fine")), from: socket)
        guard case .end(let end) = try await socket.receive() else {
          Issue.record("there is no end")
          return
        }
        #expect(end.origin == .violation)
        #expect(end.code == .protocolError)
        await seen.wait()
      }
    }

    @Test func losesNoMessageToACancelledReceive() async throws {
      let proceed = Signal()
      try await withConnection { peer in
        proceed.block()
        peer.send(.text("kept"))
        _ = peer.next()
      } _: { socket in
        let reader = Task { try await socket.receive() }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        proceed.fire()
        try await expect(.message(.text("kept")), from: socket)
      }
    }

    // MARK: Backpressure

    @Test func readsNoFurtherThanTheProgram() async throws {
      var connector = connector
      connector.limits.receiveBufferByteCount = 32 << 10
      let flood = SharedCount()
      let count = 4_000
      try await withConnection(connector) { peer in
        for _ in 0..<count {
          peer.send(.binary([UInt8](repeating: 1, count: 10_000)))
          flood.add(1)
        }
        _ = peer.next()
      } _: { socket in
        // The first message has arrived, and as many more as the system's buffers hold.
        _ = try await socket.receive()
        #expect(flood.value < count)
        for _ in 1..<count {
          guard case .message(let message) = try await socket.receive() else {
            Issue.record("a message is missing")
            return
          }
          #expect(message.bytes.count == 10_000)
        }
      }
    }

    @Test func suspendsASenderUntilThereIsRoom() async throws {
      let proceed = Signal()
      try await withConnection { peer in
        proceed.block()
        while peer.next() != nil {}
      } _: { socket in
        let message = WebSocketMessage.binary([UInt8](repeating: 1, count: 1 << 20))
        for _ in 0..<16 { socket.enqueue(message) }
        let waiting = Task { try await socket.waitForRoom() }
        let cancelled = Task { try await socket.waitForRoom() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        proceed.fire()
        try await waiting.value
        try await socket.ping()
      }
    }
  }

  /// Expects the next event of a connection.
  func expect(
    _ event: WebSocketEvent, from socket: any WebSocketConnection,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let found = try await socket.receive()
    #expect(found == event, sourceLocation: sourceLocation)
  }

  /// A number that threads count up.
  final class SharedCount: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    func add(_ number: Int) { lock.withLock { count += number } }
    var value: Int { lock.withLock { count } }
  }
#endif
