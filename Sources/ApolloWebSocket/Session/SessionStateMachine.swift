import ApolloAPI

/// The GraphQL session on one connection, from its opening to its end: messages in, effects out.
///
/// The machine is synchronous and has no knowledge of sockets, clocks and reconnections. Times are
/// measured from any fixed instant. A message that cannot be understood breaks the protocol and
/// ends the session. A message that is understood but comes at the wrong time, or for an operation
/// that has ended, is ignored.
///
/// | state | `connection_ack` | `next`, `error`, `complete` | `ping` | time |
/// | :-- | :-- | :-- | :-- | :-- |
/// | `awaitingAcknowledgement` | `acknowledged` | ignored | `pong` | ack deadline: fails |
/// | `acknowledged` | ignored | for the operation ¹ | `pong` | silence: ping, then fails |
///
/// 1. Ignored if the operation has ended or was stopped.
///
/// `connection_error` of the legacy protocol rejects the session before the acknowledgement. After
/// it, the message is about another message and is ignored.
struct SessionStateMachine {
  /// The consequence of a message or of time.
  enum Effect: Equatable {
    /// Operations can be started.
    case acknowledged
    case next(OperationKey, MessagePayload)
    /// The server rejects or aborts the operation.
    case failed(OperationKey, MessagePayload)
    case completed(OperationKey)
    case reply(pong: MessagePayload?)
    /// The server has responded to a ping.
    case pong(MessagePayload?)
    case sendPing
    /// The session is over, and the connection has to be closed.
    case fail(ConnectionFailure)
  }

  private enum State {
    case awaitingAcknowledgement(until: Duration)
    case acknowledged(since: Duration, hasDelivered: Bool)
  }

  let subprotocol: WebSocketSubprotocol
  private var state: State
  private var keepAlive: KeepAliveStateMachine
  private var operations: [String: OperationKey] = [:]

  /// Creates the machine of a connection that has just been opened.
  init(
    _ subprotocol: WebSocketSubprotocol, acknowledgementTimeout: Duration,
    keepAlive: KeepAlivePolicy, now: Duration
  ) {
    self.subprotocol = subprotocol
    state = .awaitingAcknowledgement(until: now + acknowledgementTimeout)
    self.keepAlive = KeepAliveStateMachine(keepAlive, now: now)
  }

  /// The time of the acknowledgement, or `nil` before it.
  var acknowledgementTime: Duration? {
    if case .acknowledged(let time, _) = state { time } else { nil }
  }

  /// `true` if a result has arrived since the acknowledgement. It may be one for an operation that
  /// has ended: the server serves this client.
  var hasDelivered: Bool {
    if case .acknowledged(_, let hasDelivered) = state { hasDelivered } else { false }
  }

  // MARK: - Operations

  /// Starts an operation. Returns `false` if another one has the same `id`, or if `id` is empty.
  mutating func start(_ key: OperationKey, id: String) -> Bool {
    guard !id.isEmpty, operations[id] == nil else { return false }
    operations[id] = key
    return true
  }

  /// Handles a message of this side, which ends its silence.
  mutating func sent(now: Duration) { keepAlive.sent(now: now) }

  /// Stops an operation: later messages with its `id` are ignored.
  mutating func stop(id: String) { operations[id] = nil }

  // MARK: - Messages

  mutating func received(
    _ message: Result<ServerMessage, MessageViolation>, now: Duration
  ) -> Effect? {
    keepAlive.received(now: now)
    switch message {
    case .success(let message): return received(message, now: now)
    case .failure(let violation): return .fail(.invalidMessage(violation))
    }
  }

  private mutating func received(_ message: ServerMessage, now: Duration) -> Effect? {
    switch message {
    case .next(let id, let payload):
      if case .acknowledged(let time, false) = state {
        state = .acknowledged(since: time, hasDelivered: true)
      }
      return operations[id].map { .next($0, payload) }
    case .error(let id, let payload):
      return operations.removeValue(forKey: id).map { .failed($0, payload) }
    case .complete(let id): return operations.removeValue(forKey: id).map { .completed($0) }
    case .ping(let payload): return .reply(pong: payload)
    case .connectionAck:
      guard case .awaitingAcknowledgement = state else { return nil }
      state = .acknowledged(since: now, hasDelivered: false)
      return .acknowledged
    case .connectionError(let payload):
      guard case .awaitingAcknowledgement = state else { return nil }
      return .fail(.rejected(reason: payload?.errors.first?.message ?? ""))
    case .keepAlive:
      keepAlive.receivedKeepAlive(now: now)
      return nil
    case .pong(let payload): return .pong(payload)
    case .ignored: return nil
    }
  }

  /// Handles the response to a ping of the WebSocket protocol.
  mutating func receivedPong(now: Duration) { keepAlive.received(now: now) }

  // MARK: - Time

  /// Asks the server for a sign of life now, unless that has already been done.
  ///
  /// `receivedByteCount` is the number of bytes of messages that have arrived so far, or 0 if it is
  /// not known.
  mutating func probe(now: Duration, receivedByteCount: UInt64 = 0) -> Effect? {
    guard case .acknowledged = state else { return nil }
    return keepAlive.probe(now: now, receivedByteCount: receivedByteCount).map(Self.effect)
  }

  /// The next time at which ``timePassed(now:receivedByteCount:)`` has something to do.
  var deadline: Duration? {
    switch state {
    case .awaitingAcknowledgement(let end): end
    case .acknowledged: keepAlive.deadline
    }
  }

  /// Handles the time, and the number of bytes of messages that have arrived so far.
  mutating func timePassed(now: Duration, receivedByteCount: UInt64 = 0) -> Effect? {
    switch state {
    case .awaitingAcknowledgement(let end):
      end <= now ? .fail(.timedOut(.acknowledgement)) : nil
    case .acknowledged:
      keepAlive.timePassed(now: now, receivedByteCount: receivedByteCount).map(Self.effect)
    }
  }

  private static func effect(_ action: KeepAliveStateMachine.Action) -> Effect {
    switch action {
    case .sendPing: .sendPing
    case .fail(let timeout): .fail(.timedOut(timeout))
    }
  }
}
