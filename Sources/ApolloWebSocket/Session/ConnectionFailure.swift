/// The reason why there is no connection any more, or none yet.
enum ConnectionFailure: Hashable, Sendable {
  /// A part of connecting or of a session that took too long.
  enum Timeout: Hashable, Sendable {
    /// The program's connecting payload.
    case payload
    /// The connection and its handshake.
    case connection
    /// The server's acknowledgement of the session.
    case acknowledgement
    /// The server's response to a ping.
    case pong
    /// The server's keep-alive message.
    case keepAlive
  }

  /// The program's provider of the connecting payload threw an error.
  case noPayload
  /// There is no connection to the server.
  case unreachable
  /// The handshake cannot be sent: a header or the URL is invalid.
  case unsendable
  /// The server's response to the handshake opens no WebSocket.
  case handshake(status: Int, retryAfter: Duration?)
  /// The server selected none of the offered protocols.
  case noSubprotocol
  /// The server rejected the session with a message.
  case rejected(reason: String)
  /// The server sent a message that the protocol does not allow.
  case invalidMessage(MessageViolation)
  /// The server broke the rules of WebSockets.
  case violation(code: WebSocketCloseCode)
  /// The server closed the connection.
  case closed(code: WebSocketCloseCode, reason: String)
  /// The server closed the connection instead of acknowledging the session.
  case closedUnacknowledged(code: WebSocketCloseCode, reason: String)
  /// The connection was lost.
  case lost
  case timedOut(Timeout)
  /// The program asked for a new connection.
  case replaced
  /// The program paused the transport.
  case paused
}

extension ConnectionFailure {
  /// `true` if the connection ended because of a message that one side cannot take: one that is too
  /// large, not UTF-8, damaged, or no JSON, as with `NaN`. The same message would end the next
  /// connection.
  var isOfMessage: Bool {
    switch self {
    case .violation(let code): code == .messageTooLarge || code == .invalidData
    case .closed(let code, _): code == .messageTooLarge
    case .invalidMessage(.notAnObject): true
    default: false
    }
  }

  /// The code and the reason for the server, if the connection is still open.
  func closing(in subprotocol: WebSocketSubprotocol?) -> (code: WebSocketCloseCode, reason: String)
  {
    switch self {
    case .timedOut(.acknowledgement): (4504, "Connection acknowledgement timeout")
    case .timedOut(.pong), .timedOut(.keepAlive): (4499, "Terminated")
    case .invalidMessage(let violation):
      (violation.closeCode(in: subprotocol ?? .graphqlTransportWS), "Received \(violation)")
    case .noSubprotocol: (4406, "Subprotocol not acceptable")
    case .paused: (.goingAway, "Paused")
    default: (.normal, "")
    }
  }
}
