/// The part of a connection that works on the network.
///
/// `SocketCore` has the frames of the protocol, and `SessionSocketCore` those of the system, which
/// is built where there is no libcurl.
protocol ConnectionCore: Sendable {
  func receive() async throws -> WebSocketEvent
  func enqueue(_ message: WebSocketMessage) -> Bool
  var hasRoom: Bool { get }
  func waitForRoom() async throws
  var receivedMessageByteCount: UInt64 { get }
  func ping() async throws
  func close(_ body: CloseBody)
  func cancel()
}

/// The program's reference to an open connection, whose release closes it.
final class SocketConnection<Core: ConnectionCore>: WebSocketConnection {
  let subprotocol: String?
  private let core: Core

  init(_ core: Core, subprotocol: String?) {
    self.core = core
    self.subprotocol = subprotocol
  }

  deinit { core.close(CloseBody(code: .goingAway)) }

  func receive() async throws -> WebSocketEvent { try await core.receive() }

  func enqueue(_ message: WebSocketMessage) -> Bool { core.enqueue(message) }

  var hasRoom: Bool { core.hasRoom }

  func waitForRoom() async throws { try await core.waitForRoom() }

  var receivedMessageByteCount: UInt64 { core.receivedMessageByteCount }

  func ping() async throws { try await core.ping() }

  func close(code: WebSocketCloseCode, reason: String) {
    precondition(code.canBeSent, "The code \(code.rawValue) cannot be sent in a close frame.")
    core.close(CloseBody(code: code, reason: reason))
  }

  func cancel() { core.cancel() }
}
