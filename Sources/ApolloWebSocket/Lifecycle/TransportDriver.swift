import ApolloAPI
import ApolloTransport
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Runs a ``TransportStateMachine`` on sockets and a clock.
///
/// 1. Every event (a call of the program, a message, a timer) enters the machine under the lock,
///    which appends its actions to a queue.
/// 2. The thread that finds nobody else at work performs the queued actions, in order and without
///    the lock, until the queue is empty. So the order on the wire is that of the machine.
/// 3. Messages wait in an ``Outbox`` while the connection has no room for more.
/// 4. One alarm rings at the machine's deadline. A deadline that moves to a later time, as with
///    every message, leaves the alarm as it is: it finds nothing to do and is set again.
///
/// Each attempt to connect has one task, which makes the connection and reads from it until its
/// end. The tasks refer to the driver. Its owner calls ``shutDown()`` to end them.
///
/// Isolation: the mutable state is behind one lock. Code of the program is called without it.
final class TransportDriver: Sendable {
  typealias Machine = TransportStateMachine<OperationRequest>

  /// The parts of a driver that its owner supplies.
  struct Environment: Sendable {
    var connector: any WebSocketConnector
    var subprotocols: [WebSocketSubprotocol]
    var clock: any AlarmClock
    /// Returns the request of the next handshake.
    var handshake: @Sendable () -> URLRequest
    /// Returns the payload of the next session.
    var payload: Payload
    /// Makes the ids of operations, or `nil` for the machine's own.
    var makeID: (@Sendable () -> String)?
    /// Returns the JSON text of a request.
    var encode: @Sendable (OperationRequest) -> [UInt8]
    var report: @Sendable (Machine.Report) -> Void
    /// Returns the URL for errors.
    var url: @Sendable () -> URL? = { nil }

    enum Payload: Sendable {
      /// Returns the payload that the program has set. Called under the driver's lock.
      case value(@Sendable () -> [String: JSONValue]?)
      case provider(@Sendable (ConnectionFailure?) async throws -> [String: JSONValue]?)
    }
  }

  private struct State {
    var machine: Machine
    var actions: [Machine.Action] = []
    var isPerforming = false
    var buffers: [OperationKey: ResultBuffer] = [:]
    var operationCount = 0
    var connections: [Int: Connection] = [:]
    var tasks: [Int: Task<Void, Never>] = [:]
    /// Rings at the deadline of the machine, or earlier.
    var alarm: (time: Duration, alarm: Alarm)?
  }

  /// A connection and what waits to be sent on it.
  private struct Connection {
    let socket: any WebSocketConnection
    var outbox = Outbox<OperationRequest>()
    /// `true` while a task sends what waits.
    var isSending = false
  }

  private let environment: Environment
  private let recoveries: [WebSocketCloseCode: WebSocketRecovery]
  private let state: Lock<State>

  init(
    _ settings: TransportSettings, _ environment: Environment,
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.environment = environment
    recoveries = settings.recoveries
    state = Lock(State(machine: Machine(settings, jitter: jitter)))
  }

  /// `true` if the server has acknowledged the current session.
  var isConnected: Bool { state.withLock { $0.machine.isConnected } }

  // MARK: - Operations

  /// Starts an operation, whose results are delivered to `buffer`.
  func start(
    _ request: OperationRequest, _ kind: OperationKind, buffer: ResultBuffer
  ) -> OperationKey {
    let key = state.withLock { state in
      state.operationCount += 1
      let key = OperationKey(number: state.operationCount)
      state.buffers[key] = buffer
      return key
    }
    var isRefused = false
    handle { machine, now in
      // Under the lock, so that the end of the session comes before this, or ends the operation.
      isRefused = request.facts.session?.isCurrent == false
      return isRefused ? [] : machine.add(key, kind, request, now: now)
    }
    if isRefused {
      state.withLock { $0.buffers.removeValue(forKey: key) }?
        .finish(.failure(CancellationError()))
    }
    return key
  }

  /// Ends an operation, unless it has ended. Its buffer gets no more results.
  func stop(_ key: OperationKey) {
    let buffer = state.withLock { $0.buffers.removeValue(forKey: key) }
    buffer?.finish(.success(()))
    handle { $0.remove(key, now: $1) }
  }

  /// Ends a response in parts, of which the consumer has the last part.
  func complete(_ key: OperationKey) {
    let buffer = state.withLock { $0.buffers.removeValue(forKey: key) }
    buffer?.finish(.success(()))
    handle { $0.complete(key, now: $1) }
  }

  // MARK: - Commands

  func open() { handle { $0.open(now: $1) } }
  func reconnect() { handle { $0.reconnect(now: $1) } }
  func pause() { handle { $0.pause(now: $1) } }
  func resume(reconnects: Bool) { handle { $0.resume(reconnects: reconnects, now: $1) } }
  func close() { handle { $0.close(now: $1) } }
  func endSession() { handle { $0.endSession(now: $1) } }

  func networkChanged(isAvailable: Bool) {
    let received = receivedBytes
    handle { machine, now in
      machine.networkChanged(
        isAvailable: isAvailable, now: now, receivedByteCount: received.count(in: machine.attempt))
    }
  }

  /// Closes the connection and ends all tasks.
  func shutDown() {
    close()
    state.withLock { $0.alarm }?.alarm.cancel()
  }

  /// The current connection, if its session is acknowledged.
  var connection: (any WebSocketConnection)? {
    state.withLock { $0.machine.isConnected ? $0.connections[$0.machine.attempt]?.socket : nil }
  }
}

// MARK: - Events and actions

extension TransportDriver {
  /// Passes an event to the machine and performs the actions that follow from it.
  private func handle(_ event: (inout Machine, Duration) -> [Machine.Action]) {
    let now = environment.clock.now
    let (isPerformer, endedRequests) = state.withLock { state in
      let actions = event(&state.machine, now)
      setAlarm(&state)
      let endedRequests = state.machine.takeEndedRequests()
      guard !actions.isEmpty else { return (false, endedRequests) }
      state.actions += actions
      defer { state.isPerforming = true }
      return (!state.isPerforming, endedRequests)
    }
    // Released here, without the lock: their closures belong to the program.
    withExtendedLifetime(endedRequests) {}
    if isPerformer { performActions() }
  }

  private func performActions() {
    while true {
      let actions: [Machine.Action] = state.withLock { state in
        defer { state.actions = [] }
        if state.actions.isEmpty { state.isPerforming = false }
        return state.actions
      }
      if actions.isEmpty { return }
      for action in actions { perform(action) }
    }
  }

  private func perform(_ action: Machine.Action) {
    switch action {
    case .deliver(let key, let payload): deliver(.result(payload), to: key)
    case .interrupt(let key, let failure, let error, let wasSent):
      let error = WebSocketError(
        failure, error, wasSent ? .sent : .notSent, url: environment.url(), recoveries)
      deliver(.interrupted(error), to: key)
    case .resume(let key): deliver(.resumed, to: key)
    case .finish(let key, let end): finish(key, end)
    case .send(let attempt, let message): send(message, attempt)
    case .sendPingFrame(let attempt): sendPingFrame(attempt)
    case .prepare(let attempt, let failure): prepare(attempt, after: failure)
    case .connect(let attempt): connect(attempt)
    case .abandon(let attempt): state.withLock { $0.tasks.removeValue(forKey: attempt) }?.cancel()
    case .close(let attempt, let code, let reason):
      state.withLock { $0.connections.removeValue(forKey: attempt) }?
        .socket.close(code: code, reason: reason)
    case .requestIDs(let keys, let attempt):
      let ids = keys.map { ($0, environment.makeID?() ?? "") }
      handle { $0.identified(ids, attempt: attempt, now: $1) }
    case .report(let report): environment.report(report)
    }
  }

  // MARK: Results

  private func deliver(_ element: ResultBuffer.Element, to key: OperationKey) {
    guard let buffer = state.withLock({ $0.buffers[key] }), !buffer.append(element) else { return }
    buffer.finish(.failure(buffer.policy.overflowError))
    stop(key)
  }

  private func finish(_ key: OperationKey, _ end: OperationEnd) {
    guard let buffer = state.withLock({ $0.buffers.removeValue(forKey: key) }) else { return }
    switch end {
    case .completed: buffer.finish(.success(()))
    case .rejected(let payload):
      buffer.finish(
        .failure(
          WebSocketError(.rejected, url: environment.url(), graphQLErrors: payload.errors)))
    case .failed(let failure, let wasSent):
      buffer.finish(
        .failure(WebSocketError(failure, wasSent: wasSent, url: environment.url(), recoveries)))
    }
  }

  // MARK: Sending

  /// Sends a message, or lets it wait for its turn.
  private func send(_ message: ClientMessage<OperationRequest>, _ attempt: Int) {
    // The outbox stays in the state alone: its next change would copy it otherwise.
    let connection = state.withLock { state in
      state.connections[attempt].map { (socket: $0.socket, isSending: $0.isSending) }
    }
    guard let (socket, isSending) = connection else { return }
    // No other thread begins to send: this one performs the actions.
    if !isSending, socket.hasRoom {
      enqueue(message, on: socket)
      return
    }
    let isFirst = state.withLock { state in
      state.connections[attempt]?.outbox.append(message)
      let wasSending = state.connections[attempt]?.isSending ?? true
      state.connections[attempt]?.isSending = true
      return !wasSending
    }
    // Ends with the connection, or when nothing waits.
    if isFirst { Task { await sendWaiting(on: socket, attempt) } }
  }

  private func sendWaiting(on socket: any WebSocketConnection, _ attempt: Int) async {
    // The task is not cancelled, which is all that can be thrown.
    while (try? await socket.waitForRoom()) != nil {
      let message = state.withLock { state in
        let message = state.connections[attempt]?.outbox.removeFirst()
        if message == nil { state.connections[attempt]?.isSending = false }
        return message
      }
      guard let message, enqueue(message, on: socket) else { return }
    }
  }

  @discardableResult
  private func enqueue(
    _ message: ClientMessage<OperationRequest>, on socket: any WebSocketConnection
  ) -> Bool {
    let subprotocol = socket.subprotocol.flatMap(WebSocketSubprotocol.init)
    let bytes = message.bytes(
      in: subprotocol ?? .graphqlTransportWS, encode: environment.encode)
    if case .subscribe(_, let request) = message, request.facts.session?.attempt?.leave() == false {
      return true  // The call has ended, and nothing more of it is sent.
    }
    if case .subscribe(_, let request) = message {
      request.facts.sent?.noteAttempt()
      // Before the message leaves: a response could overtake this thread.
      request.facts.openingHandler?(.opened)
    }
    return socket.enqueue(WebSocketMessage(.text, bytes))
  }

  private func sendPingFrame(_ attempt: Int) {
    guard let connection = state.withLock({ $0.connections[attempt]?.socket }) else { return }
    // Ends with the connection.
    Task {
      // The reading task reports the end of the connection.
      guard (try? await connection.ping()) != nil else { return }
      handle { $0.receivedPong(attempt: attempt, now: $1) }
    }
  }
}

// MARK: - Connecting

extension TransportDriver {
  private func prepare(_ attempt: Int, after failure: ConnectionFailure?) {
    switch environment.payload {
    case .value(let payload):
      // Read under the lock: a later payload finds an attempt that has read the former one, and
      // replaces that attempt.
      handle { $0.prepared(.success(payload()), attempt: attempt, now: $1) }
    case .provider(let provider):
      setTask(of: attempt) { [self] in
        let payload: Result<[String: JSONValue]?, any Error>
        do {
          payload = .success(try await provider(failure))
        } catch {
          payload = .failure(error)
        }
        handle { $0.prepared(payload, attempt: attempt, now: $1) }
      }
    }
  }

  private func connect(_ attempt: Int) {
    let request = environment.handshake()
    setTask(of: attempt) { [self] in await run(attempt, request) }
  }

  private func setTask(of attempt: Int, _ work: @escaping @Sendable () async -> Void) {
    // Made under the lock, so that its end finds it.
    let earlier = state.withLock { $0.tasks.updateValue(Task(operation: work), forKey: attempt) }
    withExtendedLifetime(earlier) {}
  }

  /// Connects, and reads from the connection until its end.
  private func run(_ attempt: Int, _ request: URLRequest) async {
    defer {
      let ended = state.withLock { state in
        (state.tasks.removeValue(forKey: attempt), state.connections.removeValue(forKey: attempt))
      }
      // Released here, without the lock: the connection may be a type of the program's.
      withExtendedLifetime(ended) {}
    }
    do {
      let connection = try await environment.connector.connect(
        to: request, subprotocols: environment.subprotocols.map(\.rawValue))
      let subprotocol = connection.subprotocol.flatMap(WebSocketSubprotocol.init)
      state.withLock { $0.connections[attempt] = Connection(socket: connection) }
      handle { $0.opened(subprotocol, attempt: attempt, now: $1) }
      let failure = try await read(connection, subprotocol ?? .graphqlTransportWS, attempt)
      handle { $0.ended(failure.0, failure.1, attempt: attempt, now: $1) }
    } catch {
      handle { $0.ended(ConnectionFailure(error), error, attempt: attempt, now: $1) }
    }
  }

  /// Passes messages to the machine and returns the end of the connection.
  private func read(
    _ connection: any WebSocketConnection, _ subprotocol: WebSocketSubprotocol, _ attempt: Int
  ) async throws -> (ConnectionFailure, any Error) {
    var lastMessage = environment.clock.now
    while true {
      switch try await connection.receive() {
      case .end(let end):
        let end = end.after(silence: environment.clock.now - lastMessage)
        return (ConnectionFailure(end), end)
      case .message(let message):
        lastMessage = environment.clock.now
        // Read without the lock: a message can be long.
        let message = Result { () throws(MessageViolation) in
          guard message.kind == .text else { throw .binary }
          return try ServerMessage(message.bytes, in: subprotocol)
        }
        handle { $0.received(message, attempt: attempt, now: $1) }
      }
    }
  }
}

extension ConnectionFailure {
  /// The failure of an attempt to connect.
  init(_ error: any Error) {
    self =
      if let error = error as? WebSocketHandshakeError {
        error.code == .unexpectedSubprotocol
          ? .noSubprotocol
          : .handshake(status: error.statusCode, retryAfter: error.retryAfter)
      } else if error is GraphQLHTTPRequestError {
        .unsendable
      } else {
        .unreachable
      }
  }

  /// The end of a connection.
  init(_ end: WebSocketEnd) {
    self =
      switch end.origin {
      case .peer: .closed(code: end.code, reason: end.reason)
      // It has the code of a message that is not UTF-8, and no operation has caused it.
      case .violation where end.reason == ProtocolViolation.closeReasonNotUTF8.clause:
        .violation(code: .protocolError)
      case .violation: .violation(code: end.code)
      case .local, .network: .lost
      }
  }
}

// MARK: - Time

extension TransportDriver {
  /// Sets the alarm, unless it rings at the machine's deadline or earlier.
  private func setAlarm(_ state: inout State) {
    guard let deadline = state.machine.deadline else { return }
    if let alarm = state.alarm {
      if alarm.time <= deadline { return }
      alarm.alarm.cancel()
    }
    let alarm = environment.clock.setAlarm(after: deadline - environment.clock.now) {
      [weak self] in
      self?.timeHasPassed(deadline)
    }
    state.alarm = (deadline, alarm)
  }

  private func timeHasPassed(_ time: Duration) {
    state.withLock { state in
      if state.alarm?.time == time { state.alarm = nil }
    }
    let received = receivedBytes
    handle { machine, now in
      machine.timePassed(now: now, receivedByteCount: received.count(in: machine.attempt))
    }
  }

  /// The bytes of messages that have arrived on the connection of an attempt.
  private struct ReceivedBytes {
    let attempt: Int
    let byteCount: UInt64

    /// Returns 0, for an unknown number, if another connection has taken the place of this one.
    func count(in attempt: Int) -> UInt64 { attempt == self.attempt ? byteCount : 0 }
  }

  /// The bytes that have arrived on the current connection.
  private var receivedBytes: ReceivedBytes {
    let (attempt, socket) = state.withLock { state in
      (state.machine.attempt, state.connections[state.machine.attempt]?.socket)
    }
    // Asked without the lock: the connection may be a type of the program's.
    return ReceivedBytes(attempt: attempt, byteCount: socket?.receivedMessageByteCount ?? 0)
  }
}
