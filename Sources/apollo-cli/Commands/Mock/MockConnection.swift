#if DeveloperCommands
  import GraphQLFakeServer
  import LocalHTTP

  /// A WebSocket of the fake server, with the operations on it.
  ///
  /// Isolation: the actor guards the session, so that messages have one order.
  actor MockConnection {
    private let socket: LocalWebSocket
    private let server: FakeServer
    private var session = WebSocketSession()
    private var operations: [WebSocketSession.Operation: Task<Void, Never>] = [:]
    /// Ends a connection that is not initialized.
    private var deadline: Task<Void, Never>?

    /// The time in which a client has to initialize the connection.
    private static let patience = Duration.seconds(60)

    private init(_ socket: LocalWebSocket, _ server: FakeServer) {
      self.socket = socket
      self.server = server
    }

    /// Serves a WebSocket until it ends.
    static func run(_ socket: LocalWebSocket, _ server: FakeServer) async {
      let connection = MockConnection(socket, server)
      await connection.startDeadline()
      for await message in socket.messages { await connection.take(message) }
      await connection.end()
    }

    private func startDeadline() {
      deadline = Task { [socket] in
        do {
          try await Task.sleep(for: Self.patience)
          socket.close(4408, "Connection initialisation timeout")
        } catch {
          // The connection is initialized, or has ended.
        }
      }
    }

    private func take(_ message: String) {
      let actions = session.received(message)
      if session.isAcknowledged { deadline?.cancel() }
      for action in actions {
        switch action {
        case .send(let text): socket.send(text)
        case .start(let operation, let request):
          operations[operation] = Task { await execute(request, operation) }
        case .stop(let operation): operations.removeValue(forKey: operation)?.cancel()
        case .close(let code, let reason): socket.close(code, reason)
        }
      }
    }

    private func execute(
      _ request: FakeServerRequest, _ operation: WebSocketSession.Operation
    ) async {
      defer { operations[operation] = nil }
      let response = server.respond(to: request, acceptsParts: true)
      let name = request.operationName.map { " \($0)" } ?? ""
      Terminal.note("WebSocket\(name)")
      var index = 0
      do {
        while let part = try await response.part(at: index, on: ContinuousClock()) {
          // A stream without pauses must let other operations have their turns.
          await Task.yield()
          guard !Task.isCancelled, let text = session.next(part, of: operation), socket.send(text)
          else { return }
          index += 1
        }
      } catch {
        return  // the client has ended the operation or the connection
      }
      if let text = session.complete(operation) { socket.send(text) }
    }

    private func end() async {
      deadline?.cancel()
      let running = Array(operations.values)
      for operation in running { operation.cancel() }
      for operation in running { await operation.value }
    }
  }
#endif
