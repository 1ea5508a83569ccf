#if DeveloperCommands
  import GraphQLFakeServer
  import LocalHTTP

  /// Sends the responses of a fake server, each part after its delay.
  enum MockExchange {
    static func run(
      _ request: LocalRequest, _ response: LocalResponse, _ server: FakeServer
    ) async {
      if request.asksForWebSocket { return await runWebSocket(request, response, server) }
      let exchange = HTTPExchange(
        HTTPExchange.Request(
          method: request.method, parameters: request.parameters,
          accept: request.header("Accept") ?? "",
          contentType: request.header("Content-Type") ?? "", body: request.body),
        server)
      let name = exchange.operationName.map { " \($0)" } ?? ""
      Terminal.note("\(request.method) \(request.path)\(name) \(exchange.status)")
      let headers = exchange.headers.map { LocalRequest.Header($0.name, $0.value) }
      do {
        if exchange.framing == .whole {
          // A client that has ended its half of the connection cancels the task, and still reads.
          let part = try await exchange.response.part(at: 0, on: ContinuousClock())
          guard let part else { return }
          response.send(status: exchange.status, headers: headers, body: part.body)
        } else {
          response.begin(status: exchange.status, headers: headers)
          try await sendParts(of: exchange, response)
          response.end()
        }
      } catch {
        // The client has gone, or the server ends. A client that still reads must not take the
        // parts that it has for the whole response.
        response.breakOff()
      }
    }

    private static func runWebSocket(
      _ request: LocalRequest, _ response: LocalResponse, _ server: FakeServer
    ) async {
      guard request.webSocketSubprotocols.contains(WebSocketSession.subprotocol) else {
        response.send(
          status: 400, "Offer the subprotocol '\(WebSocketSession.subprotocol)' for a WebSocket.")
        return
      }
      Terminal.note("GET \(request.path) 101")
      guard let socket = response.acceptWebSocket(subprotocol: WebSocketSession.subprotocol) else {
        return
      }
      await MockConnection.run(socket, server)
    }

    private static func sendParts(
      of exchange: HTTPExchange, _ response: LocalResponse
    ) async throws {
      guard response.write(exchange.prologue) else { return }
      var index = 0
      while let part = try await exchange.response.part(at: index, on: ContinuousClock()) {
        guard response.write(exchange.frame(part)) else { return }
        index += 1
      }
      response.write(exchange.epilogue)
    }
  }
#endif
