/// One open connection of the WebSocket protocol: messages in both directions, then one end.
///
/// A ``WebSocketConnector`` makes connections.
///
/// ```swift
/// let socket = try await DefaultWebSocketConnector().connect(to: request, subprotocols: ["chat"])
/// socket.enqueue(.text("hello"))
/// loop: while true {
///   switch try await socket.receive() {
///   case .message(let message): print(message.text ?? "binary")
///   case .end(let end):
///     print(end)
///     break loop
///   }
/// }
/// ```
///
/// The contract of every connection:
///
/// 1. *Order.* Messages are sent in the order of the calls of ``enqueue(_:)``, which is synchronous
///    for this reason, and received in the order in which the server sent them.
/// 2. *One end.* A connection ends exactly once. ``receive()`` returns every message that arrived
///    before the end, then the end, and the same end on every later call.
/// 3. *Cancellation.* Cancelling a task that waits for the connection ends the wait and nothing
///    else: the connection stays open and loses no message.
/// 4. *Buffering.* Received messages wait for ``receive()`` up to
///    ``WebSocketLimits/receiveBufferByteCount``; then the connection is not read until there is
///    room, so a slow reader slows the server down. Messages to be sent wait without a limit of
///    their own; a sender that produces many looks at ``hasRoom`` before each of them, or suspends
///    in ``waitForRoom()``.
/// 5. *Control frames.* A connection responds to pings, and completes the closing handshake, by
///    itself.
/// 6. *Ownership.* Releasing the last reference to an open connection closes it with
///    ``WebSocketCloseCode/goingAway``. No thread of the connection calls the program's code.
public protocol WebSocketConnection: AnyObject, Sendable {
  /// The subprotocol that the server selected, one of those that were offered, or `nil` if it
  /// selected none.
  var subprotocol: String? { get }

  /// Returns the next message, or the end.
  ///
  /// One task at a time may wait.
  ///
  /// - Throws: `CancellationError`.
  func receive() async throws -> WebSocketEvent

  /// Queues a message for sending.
  ///
  /// - Returns: `false` if the message is dropped, because ``close(code:reason:)`` was called or
  ///   the connection has ended.
  @discardableResult
  func enqueue(_ message: WebSocketMessage) -> Bool

  /// `false` while more than ``WebSocketLimits/sendBufferByteCount`` wait to be sent.
  ///
  /// The default implementation returns `false`: every message is preceded by a wait for room.
  var hasRoom: Bool { get }

  /// Suspends while more than ``WebSocketLimits/sendBufferByteCount`` wait to be sent. Returns at
  /// once if the connection has ended.
  ///
  /// - Throws: `CancellationError`.
  func waitForRoom() async throws

  /// The number of bytes of messages that have arrived so far, including those of a message that is
  /// not complete. Control frames do not count.
  ///
  /// While it grows, a server that does not respond to a ping may be sending a large message. The
  /// default implementation returns 0: a message is a sign of life when it is complete.
  var receivedMessageByteCount: UInt64 { get }

  /// Sends a ping and suspends until the server responds to it.
  ///
  /// - Throws: The ``WebSocketEnd`` of the connection, or `CancellationError`.
  func ping() async throws

  /// Sends what is queued, then closes the connection. Later calls have no effect.
  ///
  /// The server has ``WebSocketLimits/closeTimeout`` to complete the closing handshake. Messages
  /// that arrive in the meantime are dropped.
  ///
  /// - Parameters:
  ///   - code: The reason for the server. ``WebSocketCloseCode/canBeSent`` holds for it.
  ///   - reason: The reason in words, of which at most 123 bytes are sent.
  func close(code: WebSocketCloseCode, reason: String)

  /// Ends the connection at once, without a closing handshake. What is queued is dropped.
  func cancel()
}

extension WebSocketConnection {
  /// `false`: whether there is room is known after a wait only.
  public var hasRoom: Bool { false }

  /// 0: messages are known when they are complete.
  public var receivedMessageByteCount: UInt64 { 0 }
}

/// One result of ``WebSocketConnection/receive()``.
public enum WebSocketEvent: Hashable, Sendable {
  /// A whole message.
  case message(WebSocketMessage)
  /// The end of the connection, after the last message.
  case end(WebSocketEnd)
}
