import ApolloAPI

/// The number of results that an operation may have.
enum OperationKind: Hashable, Sendable {
  /// Any number. The only kind that survives the loss of a connection.
  case subscription
  /// One, or the first of several parts if the server announces more.
  case single
  /// One and its deferred parts.
  case incremental
}

/// The end of an operation, as the server or the transport causes it.
enum OperationEnd: Sendable {
  case completed
  /// The server rejected the operation with errors.
  case rejected(MessagePayload)
  case failed(OperationFailure, wasSent: Bool)
}

/// The reason why an operation ended without the server's doing.
enum OperationFailure: Sendable {
  /// There is no connection, and none will be made for this operation. The error is the system's or
  /// the program's. `isGivenUp` is `true` if new credentials are no reason to try again.
  case lost(ConnectionFailure, (any Error)?, isGivenUp: Bool)
  /// The same, because of a message with the operation or with its response.
  case unreadable(ConnectionFailure, (any Error)?, isGivenUp: Bool)
  /// The program closed the transport.
  case closed
  /// The program made an id that is empty or in use.
  case invalidID(String)
}

extension TransportStateMachine {
  /// A step for the driver.
  enum Action {
    /// Asks the program for the connecting payload, and reports it with
    /// ``prepared(_:attempt:now:)``.
    case prepare(Int, after: ConnectionFailure?)
    /// Opens a connection and reports it with ``opened(_:attempt:now:)``.
    case connect(Int)
    /// Cancels an attempt that has no connection yet.
    case abandon(Int)
    /// Closes the connection of an attempt.
    case close(Int, code: WebSocketCloseCode, reason: String)
    /// Sends a message on the connection of an attempt.
    case send(Int, ClientMessage<Request>)
    /// Sends a ping of the WebSocket protocol and reports the response with
    /// ``receivedPong(attempt:now:)``.
    case sendPingFrame(Int)
    /// Asks the program for ids, and reports them with ``identified(_:attempt:now:)``.
    case requestIDs([OperationKey], attempt: Int)
    case deliver(OperationKey, MessagePayload)
    case finish(OperationKey, OperationEnd)
    /// Reports to a subscription that it has no connection: events may be missed from now on, or
    /// it could not be sent yet.
    case interrupt(OperationKey, ConnectionFailure, (any Error)?, wasSent: Bool)
    /// Reports to a subscription that it was sent again.
    case resume(OperationKey)
    case report(Report)
  }

  /// An event of the connection, for delegates and observers.
  enum Report {
    case idle, connecting, paused, closed
    /// The server has sent a ping, or has responded to one.
    case ping(MessagePayload?), pong(MessagePayload?)
    case connected(isReconnection: Bool)
    /// `wasConnected` is `true` if a session was lost, and not an attempt to make one.
    case disconnected(ConnectionFailure, (any Error)?, wasConnected: Bool)
    case waiting(Duration)
  }
}

extension ConnectionFailure {
  /// The delay that the server asks for, up to five minutes.
  var requestedDelay: Duration? {
    if case .handshake(_, let delay?) = self { min(delay, .seconds(300)) } else { nil }
  }
}

/// The numbers and choices of a ``TransportStateMachine``.
struct TransportSettings: Sendable {
  var reconnection = ReconnectionPolicy()
  var recoveries: [WebSocketCloseCode: WebSocketRecovery] = [:]
  var keepAlive = KeepAlivePolicy()
  var payloadTimeout: Duration = .seconds(10)
  var connectTimeout: Duration = .seconds(30)
  var acknowledgementTimeout: Duration = .seconds(10)
  /// The time after which a connection without operations is closed, or `nil` to keep it.
  var idleTimeout: Duration? = .seconds(30)
  /// `true` if the next connecting payload can differ from a rejected one.
  var hasPayloadProvider = false
  /// `true` if the program makes the ids of operations.
  var usesCustomIDs = false
  /// The number of rejections in a row after which all operations fail.
  var maximumRejectionCount = 3
}
