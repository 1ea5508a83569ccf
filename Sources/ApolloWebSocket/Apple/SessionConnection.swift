#if !CURL
  /// The program's reference to an open connection, whose release closes it.
  final class SessionConnection: WebSocketConnection {
    let subprotocol: String?
    private let core: SessionSocketCore

    init(_ core: SessionSocketCore, subprotocol: String?) {
      self.core = core
      self.subprotocol = subprotocol
    }

    deinit { core.close(CloseBody(code: .goingAway)) }

    func receive() async throws -> WebSocketEvent { try await core.receive() }

    func enqueue(_ message: WebSocketMessage) -> Bool { core.enqueue(message) }

    var hasRoom: Bool { core.hasRoom }

    func waitForRoom() async throws { try await core.waitForRoom() }

    func ping() async throws { try await core.ping() }

    func close(code: WebSocketCloseCode, reason: String) {
      precondition(code.canBeSent, "The code \(code.rawValue) cannot be sent in a close frame.")
      core.close(CloseBody(code: code, reason: reason))
    }

    func cancel() { core.cancel() }
  }
#endif
