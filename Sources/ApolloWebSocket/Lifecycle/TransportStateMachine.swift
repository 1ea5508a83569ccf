import ApolloAPI

/// The life of a transport's connections: events in, actions out.
///
/// The machine is synchronous and has no knowledge of sockets, tasks and clocks. Its driver reports
/// each event with the current time, performs the returned actions in order, and reports
/// ``timePassed(now:receivedByteCount:)`` at ``deadline``. Times are measured from any fixed
/// instant.
///
/// | state | first operation | last operation ends | connection | failure | time |
/// | :-- | :-- | :-- | :-- | :-- | :-- |
/// | `idle` | `preparing` | – | – | – | – |
/// | `preparing` | – | `idle` | – | recover ¹ | timeout: recover ¹ |
/// | `connecting` | – | `idle` | `open` | recover ¹ | timeout: recover ¹ |
/// | `open` | subscribe, if acknowledged | idle timeout begins | – | recover ¹ | ² |
/// | `waiting` | – | `idle` | – | – | `preparing` |
/// | `paused` | – | – | – | – | – |
/// | `closed` | fails | – | – | – | – |
///
/// 1. Queries and mutations fail: none of them is ever sent twice. If subscriptions are left and
///    the failure is not fatal, the next state is `waiting`, and they are interrupted until they
///    are sent, under new ids. That is reported after the first failure, also to subscriptions
///    that were not sent yet. Otherwise they fail, and the next state is `idle`.
/// 2. Deadlines of the session fail the connection; the idle timeout closes it: `idle`.
///
/// However a session ends, the earlier failures are forgotten if it lasted, and the earlier
/// rejections if it delivered a result or lasted.
///
/// Pausing and closing lead to `paused` and `closed` from every state; resuming leads back to
/// `idle` or `preparing`. Each attempt to connect has a number. Events of earlier attempts are
/// ignored, so a connection that fails in several ways at once fails once.
struct TransportStateMachine<Request> {
  enum State {
    case idle
    /// Waits for the program's connecting payload. `isHeldOpen` is `true` if the program asks for a
    /// connection without operations, or has replaced one that had none.
    case preparing(until: Duration, isHeldOpen: Bool)
    case connecting(payload: [String: JSONValue]?, until: Duration, isHeldOpen: Bool)
    /// Closed at `unusedUntil`, which is `nil` while there are operations.
    case open(SessionStateMachine, unusedUntil: Duration?)
    /// Waits before the next attempt. `nil` while the network is known to be absent.
    case waiting(until: Duration?)
    case paused
    case closed
  }

  let settings: TransportSettings
  /// Returns a random number from 0 to 1.
  private let jitter: @Sendable () -> Double
  private(set) var state = State.idle
  /// The operations that have not ended, in every state.
  private(set) var operations = OperationTable<Request>()
  /// The earlier connections, on which the next attempt depends.
  private var history = ConnectionHistory()

  /// The number of the latest attempt to connect.
  private(set) var attempt = 0
  private var isNetworkAvailable = true
  /// `false` after the program has resumed the transport without reconnections.
  private var reconnects = true

  init(
    _ settings: TransportSettings, jitter: @escaping @Sendable () -> Double
  ) {
    self.settings = settings
    self.jitter = jitter
  }

  /// `true` if operations can be sent at once.
  var isConnected: Bool {
    if case .open(let session, _) = state { session.acknowledgementTime != nil } else { false }
  }
}

// MARK: - Operations

extension TransportStateMachine {
  /// Handles a new operation, which is sent now or when there is a connection.
  mutating func add(
    _ key: OperationKey, _ kind: OperationKind, _ request: Request, now: Duration
  ) -> [Action] {
    if case .closed = state { return [.finish(key, .failed(.closed, wasSent: false))] }
    operations.add(key, kind, request)
    if case .idle = state { return connect(now: now) }
    setEndOfUnusedConnection(nil)
    return isConnected ? start([key], now: now) : []
  }

  /// Handles the program's loss of interest in an operation. Only the first call has an effect.
  mutating func remove(_ key: OperationKey, now: Duration) -> [Action] {
    guard let operation = operations.discard(key) else { return [] }
    var actions: [Action] = []
    if let id = operation.id {
      withSession {
        $0.stop(id: id)
        $0.sent(now: now)
      }
      actions.append(.send(attempt, .complete(id: id)))
    }
    return actions + (operations.isEmpty ? becomeUnused(now: now) : [])
  }

  /// Handles a response in parts whose last part has reached its consumer. The server ends it too.
  mutating func complete(_ key: OperationKey, now: Duration) -> [Action] {
    guard let operation = operations.discard(key) else { return [] }
    if let id = operation.id { withSession { $0.stop(id: id) } }
    return operations.isEmpty ? becomeUnused(now: now) : []
  }

  /// Returns the requests of the operations that have ended since the last call.
  mutating func takeEndedRequests() -> [Request] { operations.takeEndedRequests() }

  /// Ends an operation on the server's side.
  private mutating func finish(
    _ key: OperationKey, _ end: OperationEnd, now: Duration
  ) -> [Action] {
    operations.discard(key)
    return [.finish(key, end)] + (operations.isEmpty ? becomeUnused(now: now) : [])
  }

  /// Leaves a state that only operations justify.
  private mutating func becomeUnused(now: Duration) -> [Action] {
    history.forgetAttempts()
    switch state {
    case .preparing(_, isHeldOpen: true), .connecting(_, _, isHeldOpen: true): return []
    case .preparing, .connecting:
      state = .idle
      return [.abandon(attempt), .report(.idle)]
    case .waiting:
      state = .idle
      return [.report(.idle)]
    case .open:
      guard let timeout = settings.idleTimeout else { return [] }
      setEndOfUnusedConnection(now + timeout)
      return timeout == .zero ? timePassed(now: now) : []
    case .idle, .paused, .closed: return []
    }
  }

  private mutating func setEndOfUnusedConnection(_ end: Duration?) {
    guard case .open(let session, _) = state else { return }
    state = .open(session, unusedUntil: end)
  }

  /// Sends operations, or asks for their ids first if the program makes those.
  private mutating func start(_ keys: [OperationKey], now: Duration) -> [Action] {
    guard !keys.isEmpty else { return [] }
    if settings.usesCustomIDs { return [.requestIDs(keys, attempt: attempt)] }
    return keys.flatMap { subscribe($0, id: operations.makeID(), now: now) }
  }

  private mutating func subscribe(_ key: OperationKey, id: String, now: Duration) -> [Action] {
    guard let operation = operations[key], operation.id == nil,
      let isStarted = withSession({
        $0.sent(now: now)
        return $0.start(key, id: id)
      })
    else { return [] }
    guard isStarted else {
      operations.discard(key)
      return [.finish(key, .failed(.invalidID(id), wasSent: false))]
    }
    operations.noteSending(key, id: id)
    let sending = Action.send(attempt, .subscribe(id: id, operation.request))
    return operation.isInterrupted ? [sending, .resume(key)] : [sending]
  }

  /// Handles the ids that the program has made for operations.
  mutating func identified(
    _ ids: [(OperationKey, String)], attempt: Int, now: Duration
  ) -> [Action] {
    guard attempt == self.attempt, isConnected else { return [] }
    let actions = ids.flatMap { subscribe($0.0, id: $0.1, now: now) }
    return actions + (operations.isEmpty ? becomeUnused(now: now) : [])
  }
}

// MARK: - Connecting

extension TransportStateMachine {
  /// Handles the program's wish for a connection, whether or not there are operations.
  ///
  /// An attempt in progress continues even if its last operation ends. A wait ends at once.
  mutating func open(now: Duration) -> [Action] {
    switch state {
    case .idle, .closed:
      reconnects = true
      return connect(isHeldOpen: true, now: now)
    case .waiting: return connect(isHeldOpen: true, now: now)
    case .preparing(let end, _):
      state = .preparing(until: end, isHeldOpen: true)
      return []
    case .connecting(let payload, let end, _):
      state = .connecting(payload: payload, until: end, isHeldOpen: true)
      return []
    case .open, .paused: return []
    }
  }

  private mutating func connect(isHeldOpen: Bool = false, now: Duration) -> [Action] {
    attempt += 1
    state = .preparing(until: now + settings.payloadTimeout, isHeldOpen: isHeldOpen)
    return [.report(.connecting), .prepare(attempt, after: history.latestFailure)]
  }

  /// Handles the program's connecting payload.
  mutating func prepared(
    _ payload: Result<[String: JSONValue]?, any Error>, attempt: Int, now: Duration
  ) -> [Action] {
    guard attempt == self.attempt, case .preparing(_, let isHeldOpen) = state else { return [] }
    switch payload {
    case .success(let payload):
      state = .connecting(
        payload: payload, until: now + settings.connectTimeout, isHeldOpen: isHeldOpen)
      return [.connect(attempt)]
    case .failure(let error): return fail(.noPayload, error, now: now)
    }
  }

  /// Handles a connection whose handshake is complete.
  mutating func opened(_ subprotocol: WebSocketSubprotocol?, attempt: Int, now: Duration)
    -> [Action]
  {
    guard attempt == self.attempt, case .connecting(let payload, _, _) = state else {
      return [.close(attempt, code: .normal, reason: "")]
    }
    guard let subprotocol else { return fail(.noSubprotocol, now: now) }
    let session = SessionStateMachine(
      subprotocol, acknowledgementTimeout: settings.acknowledgementTimeout,
      keepAlive: settings.keepAlive, now: now)
    state = .open(session, unusedUntil: nil)
    return [.send(attempt, .connectionInit(payload: payload))]
  }

  /// Handles the failure of an attempt, or the end of its connection.
  mutating func ended(
    _ failure: ConnectionFailure, _ error: (any Error)? = nil, attempt: Int, now: Duration
  ) -> [Action] {
    guard attempt == self.attempt else { return [] }
    switch state {
    case .open(let session, _):
      if session.acknowledgementTime == nil, case .closed(let code, let reason) = failure {
        return fail(.closedUnacknowledged(code: code, reason: reason), error, now: now)
      }
      return fail(failure, error, now: now)
    case .preparing, .connecting: return fail(failure, error, now: now)
    case .idle, .waiting, .paused, .closed: return []
    }
  }
}

// MARK: - Messages

extension TransportStateMachine {
  mutating func received(
    _ message: Result<ServerMessage, MessageViolation>, attempt: Int, now: Duration
  ) -> [Action] {
    guard attempt == self.attempt else { return [] }
    return perform(withSession { $0.received(message, now: now) } ?? nil, now: now)
  }

  /// Handles the response to a ping of the WebSocket protocol.
  mutating func receivedPong(attempt: Int, now: Duration) -> [Action] {
    guard attempt == self.attempt, withSession({ $0.receivedPong(now: now) }) != nil else {
      return []
    }
    return [.report(.pong(nil))]
  }

  private mutating func perform(
    _ effect: SessionStateMachine.Effect?, now: Duration
  ) -> [Action] {
    switch effect {
    case nil: return []
    case .next(let key, let payload): return deliver(payload, to: key, now: now)
    case .failed(let key, let payload): return finish(key, .rejected(payload), now: now)
    case .completed(let key): return finish(key, .completed, now: now)
    case .reply(let payload):
      withSession { $0.sent(now: now) }
      return [.send(attempt, .pong(payload: payload)), .report(.ping(payload))]
    case .pong(let payload): return [.report(.pong(payload))]
    case .sendPing:
      return subprotocol == .graphqlWS ? [.sendPingFrame(attempt)] : [.send(attempt, .ping)]
    case .acknowledged: return acknowledged(now: now)
    case .fail(let failure): return fail(failure, now: now)
    }
  }

  private mutating func acknowledged(now: Duration) -> [Action] {
    let report = Action.report(.connected(isReconnection: history.hasBeenConnected))
    history.noteAcknowledgement()
    let starting = start(operations.keys, now: now)
    return [report] + starting + (operations.isEmpty ? becomeUnused(now: now) : [])
  }

  /// Delivers a result, which is the last one of most queries and mutations.
  ///
  /// They end with it because servers of the legacy protocol send no `complete` after it. A
  /// response in parts ends when its consumer, which merges them, has the last one: until then the
  /// server may send more in either protocol.
  private mutating func deliver(
    _ payload: MessagePayload, to key: OperationKey, now: Duration
  ) -> [Action] {
    guard let operation = operations[key] else { return [] }
    let delivery = Action.deliver(key, payload)
    switch operation.kind {
    case .subscription, .incremental: return [delivery]
    case .single where payload.announcesMoreParts:
      operations.expectMoreParts(of: key)
      return [delivery]
    case .single:
      if let id = operation.id { withSession { $0.stop(id: id) } }
      return [delivery] + finish(key, .completed, now: now)
    }
  }

  private var subprotocol: WebSocketSubprotocol? {
    if case .open(let session, _) = state { session.subprotocol } else { nil }
  }

  /// Calls `body` with the session, if there is one.
  ///
  /// The session is moved out of the state, so that its dictionary is changed in place.
  @discardableResult
  private mutating func withSession<Result>(
    _ body: (inout SessionStateMachine) -> Result
  ) -> Result? {
    guard case .open(var session, let end) = state else { return nil }
    state = .idle
    defer { state = .open(session, unusedUntil: end) }
    return body(&session)
  }
}

// MARK: - Failures

extension TransportStateMachine {
  /// Ends the connection, or the attempt to make one, and decides about the next attempt.
  private mutating func fail(
    _ failure: ConnectionFailure, _ error: (any Error)? = nil, now: Duration
  ) -> [Action] {
    let wasFruitful = noteEndOfSession(before: failure, now: now)
    let recovery = failure.recovery(settings.recoveries)
    history.note(
      failure,
      isRejection: !wasFruitful && (recovery == .refreshAndRetry || failure.isRejection),
      settings.recoveries)
    let isHopeless = history.isHopeless(failure, settings)
    var actions = leaveConnection(failure, error, isGivenUp: isHopeless)
    guard !operations.isEmpty else {
      // As below: the rejections have ended the operations that have seen them.
      if isHopeless { history.forgetRejections() }
      history.forgetAttempts()
      state = .idle
      return actions + [.report(.idle)]
    }
    guard recovery != .fail, reconnects, !isHopeless,
      settings.reconnection.allows(attempt: history.attemptCount)
    else {
      state = .idle
      actions += finishAll(.lost(failure, error, isGivenUp: true))
      // Later operations have all their attempts.
      history.forgetFailures()
      return actions + [.report(.idle)]
    }
    actions += operations.interruptUnsent().map {
      .interrupt($0, failure, error, wasSent: false)
    }
    let delay = settings.reconnection.wait(beforeAttempt: history.failureCount, jitter: jitter())
    let wait = max(delay, failure.requestedDelay ?? .zero)
    state = .waiting(until: isNetworkAvailable ? now + wait : nil)
    return actions + [.report(.waiting(wait))]
  }

  private mutating func finishAll(_ failure: OperationFailure) -> [Action] {
    operations.discardAll().map { .finish($0.key, .failed(failure, wasSent: $0.wasSent)) }
  }

  /// Notes that the session ends, if there is one that was acknowledged: by a failure, or `nil` if
  /// the client closes it. Returns `true` if it was fruitful: its end is no rejection then.
  @discardableResult
  private mutating func noteEndOfSession(
    before failure: ConnectionFailure?, now: Duration
  ) -> Bool {
    guard case .open(let session, _) = state, let time = session.acknowledgementTime else {
      return false
    }
    return history.noteEnd(
      of: session, after: now - time, before: failure, settings.reconnection)
  }

  /// Closes the connection, fails queries and mutations, and interrupts subscriptions.
  private mutating func leaveConnection(
    _ failure: ConnectionFailure, _ error: (any Error)? = nil, isGivenUp: Bool = false
  ) -> [Action] {
    let (code, reason) = failure.closing(in: subprotocol)
    let wasConnected = isConnected
    var actions: [Action] = []
    switch state {
    case .preparing: actions.append(.abandon(attempt))
    // The connection may have been opened at this moment, without a protocol.
    case .connecting where failure != .noSubprotocol: actions.append(.abandon(attempt))
    case .connecting, .open: actions.append(.close(attempt, code: code, reason: reason))
    case .idle, .waiting, .paused, .closed: break
    }
    actions.append(.report(.disconnected(failure, error, wasConnected: wasConnected)))
    let losses = operations.loseConnection(isReplaced: failure == .replaced)
    // Such a message need not name its operation. With several it may be that of any, and each may
    // be tried again. Subscriptions do not count: otherwise a mutation that is tried again beside
    // them would end the connection each time.
    let isUnreadable =
      failure.isOfMessage && losses.count(where: { !$0.isSubscription && $0.wasSent }) == 1
    for lost in losses {
      guard !lost.isSubscription else {
        actions.append(.interrupt(lost.key, failure, error, wasSent: true))
        continue
      }
      let cause: OperationFailure =
        isUnreadable && lost.wasSent
        ? .unreadable(failure, error, isGivenUp: isGivenUp)
        : .lost(failure, error, isGivenUp: isGivenUp)
      actions.append(.finish(lost.key, .failed(cause, wasSent: lost.wasSent)))
    }
    return actions
  }
}

// MARK: - The program's commands

extension TransportStateMachine {
  /// Handles new headers or a new payload: replaces the connection by one that uses them.
  ///
  /// The wish for a connection outlasts the attempt that it began, and a connection without
  /// operations is replaced by one that needs none either.
  mutating func reconnect(now: Duration) -> [Action] {
    let isHeldOpen: Bool
    switch state {
    case .connecting(_, _, let isHeld): isHeldOpen = isHeld
    case .open: isHeldOpen = operations.isEmpty
    case .idle, .preparing, .waiting, .paused, .closed: return []
    }
    noteEndOfSession(before: .replaced, now: now)
    let actions = leaveConnection(.replaced)
    return actions + connect(isHeldOpen: isHeldOpen, now: now)
  }

  mutating func pause(now: Duration) -> [Action] {
    switch state {
    case .paused, .closed: return []
    case .idle, .waiting:
      state = .paused
      return [.report(.paused)]
    case .preparing, .connecting, .open:
      noteEndOfSession(before: .paused, now: now)
      let actions = leaveConnection(.paused)
      state = .paused
      return actions + [.report(.paused)]
    }
  }

  /// Handles the end of a pause.
  ///
  /// With `reconnects: false`, subscriptions fail when the next connection is lost.
  mutating func resume(reconnects: Bool, now: Duration) -> [Action] {
    guard case .paused = state else { return [] }
    self.reconnects = reconnects
    history.forgetFailures()
    state = .idle
    return operations.isEmpty ? [.report(.idle)] : connect(now: now)
  }

  /// Handles the program's wish to end all operations and to make no more connections.
  mutating func close(now: Duration) -> [Action] {
    noteEndOfSession(before: nil, now: now)
    var actions: [Action] = []
    switch state {
    case .closed: return []
    case .preparing, .connecting: actions.append(.abandon(attempt))
    case .open(let session, _):
      if session.subprotocol == .graphqlWS { actions.append(.send(attempt, .connectionTerminate)) }
      actions.append(.close(attempt, code: .normal, reason: ""))
    case .idle, .waiting, .paused: break
    }
    actions += finishAll(.closed)
    state = .closed
    return actions + [.report(.closed)]
  }

  /// Handles the end of a user's session: ends all operations and the connection, which belongs to
  /// that user. The next operation makes another one.
  mutating func endSession(now: Duration) -> [Action] {
    // A provider is asked for the credentials of another user, none of which was rejected.
    history.forgetUser()
    switch state {
    case .closed: return []
    case .paused:
      let actions = close(now: now).dropLast()
      state = .paused
      return Array(actions)
    case .idle, .preparing, .connecting, .open, .waiting:
      let actions = close(now: now).dropLast()
      state = .idle
      return actions + [.report(.idle)]
    }
  }

  /// Handles a change of the device's network.
  ///
  /// `isAvailable` is `false` if no server can be reached at the moment. `receivedByteCount` is
  /// that of ``timePassed(now:receivedByteCount:)``.
  mutating func networkChanged(
    isAvailable: Bool, now: Duration, receivedByteCount: UInt64 = 0
  ) -> [Action] {
    isNetworkAvailable = isAvailable
    switch state {
    case .waiting:
      if isAvailable { return connect(now: now) }
      state = .waiting(until: nil)
      return []
    case .open:
      // The connection may belong to the network that is gone.
      let effect = withSession { $0.probe(now: now, receivedByteCount: receivedByteCount) }
      return perform(effect ?? nil, now: now)
    case .idle, .preparing, .connecting, .paused, .closed: return []
    }
  }
}

// MARK: - Time

extension TransportStateMachine {
  /// The next time at which ``timePassed(now:receivedByteCount:)`` has something to do.
  var deadline: Duration? {
    switch state {
    case .preparing(let end, _), .connecting(_, let end, _): return end
    case .waiting(let end): return end
    case .open(let session, let end):
      guard let end, let deadline = session.deadline else { return end ?? session.deadline }
      return min(end, deadline)
    case .idle, .paused, .closed: return nil
    }
  }

  /// Handles the time.
  ///
  /// `receivedByteCount` is the number of bytes of messages that have arrived on the connection, or
  /// 0 if it is not known. They are signs of life before their message is complete.
  mutating func timePassed(now: Duration, receivedByteCount: UInt64 = 0) -> [Action] {
    switch state {
    case .preparing(let end, _) where end <= now: return fail(.timedOut(.payload), now: now)
    case .connecting(_, let end, _) where end <= now: return fail(.timedOut(.connection), now: now)
    case .waiting(let end?) where end <= now: return connect(now: now)
    case .open(_, let end?) where end <= now: return closeUnused(now: now)
    case .open:
      let effect = withSession { $0.timePassed(now: now, receivedByteCount: receivedByteCount) }
      return perform(effect ?? nil, now: now)
    default: return []
    }
  }

  private mutating func closeUnused(now: Duration) -> [Action] {
    noteEndOfSession(before: nil, now: now)
    var actions: [Action] = []
    if subprotocol == .graphqlWS { actions.append(.send(attempt, .connectionTerminate)) }
    state = .idle
    return actions + [.close(attempt, code: .normal, reason: ""), .report(.idle)]
  }
}
