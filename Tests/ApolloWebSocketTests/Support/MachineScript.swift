import ApolloAPI

@testable import ApolloWebSocket

/// A ``TransportStateMachine`` with a clock that a test sets. Actions become text.
final class MachineScript {
  private(set) var machine: TransportStateMachine<String>
  private(set) var now: Duration = .zero
  private var keyCount = 0

  init(
    _ settings: TransportSettings = TransportSettings(),
    jitter: @escaping @Sendable () -> Double = { 1 }
  ) {
    machine = TransportStateMachine(settings, jitter: jitter)
  }

  // MARK: Events

  func add(_ request: String, _ kind: OperationKind = .subscription) -> [String] {
    keyCount += 1
    return describe(machine.add(OperationKey(number: keyCount), kind, request, now: now))
  }

  func remove(_ key: Int) -> [String] {
    describe(machine.remove(OperationKey(number: key), now: now))
  }

  func complete(_ key: Int) -> [String] {
    describe(machine.complete(OperationKey(number: key), now: now))
  }

  func prepared(
    _ payload: Result<[String: JSONValue]?, any Error> = .success(nil), attempt: Int? = nil
  ) -> [String] {
    describe(machine.prepared(payload, attempt: attempt ?? machine.attempt, now: now))
  }

  func opened(
    _ subprotocol: WebSocketSubprotocol? = .graphqlTransportWS, attempt: Int? = nil
  ) -> [String] {
    describe(machine.opened(subprotocol, attempt: attempt ?? machine.attempt, now: now))
  }

  func received(_ message: ServerMessage, attempt: Int? = nil) -> [String] {
    describe(
      machine.received(.success(message), attempt: attempt ?? machine.attempt, now: now))
  }

  func received(_ violation: MessageViolation) -> [String] {
    describe(machine.received(.failure(violation), attempt: machine.attempt, now: now))
  }

  func ended(_ failure: ConnectionFailure = .lost, attempt: Int? = nil) -> [String] {
    describe(machine.ended(failure, attempt: attempt ?? machine.attempt, now: now))
  }

  func identified(_ ids: [Int: String]) -> [String] {
    let ids = ids.sorted { $0.key < $1.key }.map { (OperationKey(number: $0.key), $0.value) }
    return describe(machine.identified(ids, attempt: machine.attempt, now: now))
  }

  func open() -> [String] { describe(machine.open(now: now)) }
  func reconnect() -> [String] { describe(machine.reconnect(now: now)) }
  func pause() -> [String] { describe(machine.pause(now: now)) }
  func close() -> [String] { describe(machine.close(now: now)) }
  func endSession() -> [String] { describe(machine.endSession(now: now)) }

  func resume(reconnects: Bool = true) -> [String] {
    describe(machine.resume(reconnects: reconnects, now: now))
  }

  func networkChanged(isAvailable: Bool) -> [String] {
    describe(machine.networkChanged(isAvailable: isAvailable, now: now))
  }

  // MARK: Time

  func advance(by duration: Duration) { now += duration }

  /// Sets the clock to the machine's deadline and reports the time.
  func advanceToDeadline() -> [String] {
    guard let deadline = machine.deadline else { return ["no deadline"] }
    now = max(now, deadline)
    return describe(machine.timePassed(now: now))
  }

  /// Advances the clock and reports the time, although there may be no deadline.
  func advanceAndReport(by duration: Duration) -> [String] {
    advance(by: duration)
    return describe(machine.timePassed(now: now))
  }

  // MARK: Whole steps

  /// Connects, from the state `preparing`, and returns what is sent after the acknowledgement.
  @discardableResult
  func connect(_ subprotocol: WebSocketSubprotocol = .graphqlTransportWS) -> [String] {
    _ = prepared()
    _ = opened(subprotocol)
    return received(.connectionAck(payload: nil))
  }

  /// Fails to connect, from the state `preparing`, and begins anew after each delay.
  func failToConnect(times count: Int) {
    for _ in 1...count {
      _ = prepared()
      _ = ended(.unreachable)
      _ = advanceToDeadline()
    }
  }

  // MARK: Actions as text

  private func describe(_ actions: [TransportStateMachine<String>.Action]) -> [String] {
    actions.map(describe)
  }

  private func describe(_ action: TransportStateMachine<String>.Action) -> String {
    switch action {
    case .prepare(let attempt, let failure):
      "prepare \(attempt)" + (failure.map { " after \(describe($0))" } ?? "")
    case .connect(let attempt): "connect \(attempt)"
    case .abandon(let attempt): "abandon \(attempt)"
    case .close(let attempt, let code, let reason):
      "close \(attempt) \(code.rawValue)" + (reason.isEmpty ? "" : " \(reason)")
    case .send(_, let message): "send \(describe(message))"
    case .sendPingFrame(let attempt): "ping frame \(attempt)"
    case .requestIDs(let keys, _): "request ids \(keys.map(\.number))"
    case .deliver(let key, let payload): "deliver \(key.number) \(payload)"
    case .finish(let key, let end): "finish \(key.number) \(describe(end))"
    case .interrupt(let key, let failure, _, let wasSent):
      "interrupt \(key.number) \(describe(failure))" + (wasSent ? "" : " unsent")
    case .resume(let key): "resume \(key.number)"
    case .report(let report): "report \(describe(report))"
    }
  }

  private func describe(_ message: ClientMessage<String>) -> String {
    switch message {
    case .connectionInit(let payload): "init" + (payload.map { " \(JSONValue.object($0))" } ?? "")
    case .subscribe(let id, let request): "subscribe \(id) \(request)"
    case .complete(let id): "complete \(id)"
    case .ping: "ping"
    case .pong(let payload): "pong" + (payload.map { " \($0)" } ?? "")
    case .connectionTerminate: "terminate"
    }
  }

  private func describe(_ end: OperationEnd) -> String {
    switch end {
    case .completed: "completed"
    case .rejected(let payload): "rejected \(payload)"
    case .failed(.closed, _): "closed"
    case .failed(.invalidID(let id), _): "invalid id '\(id)'"
    case .failed(.lost(let failure, _, _), _): "failed \(describe(failure))"
    case .failed(.unreadable(let failure, _, _), _): "unreadable \(describe(failure))"
    }
  }

  private func describe(_ report: TransportStateMachine<String>.Report) -> String {
    switch report {
    case .idle: "idle"
    case .connecting: "connecting"
    case .paused: "paused"
    case .closed: "closed"
    case .connected(let isReconnection): isReconnection ? "reconnected" : "connected"
    case .disconnected(let failure, _, _): "disconnected \(describe(failure))"
    case .waiting(let delay): "waiting \(delay)"
    case .ping(let payload): "ping" + (payload.map { " \($0)" } ?? "")
    case .pong(let payload): "pong" + (payload.map { " \($0)" } ?? "")
    }
  }

  private func describe(_ failure: ConnectionFailure) -> String {
    switch failure {
    case .closed(let code, _): "closed \(code.rawValue)"
    case .closedUnacknowledged(let code, _): "closed \(code.rawValue) unacknowledged"
    case .handshake(let status, _): "handshake \(status)"
    case .timedOut(.payload): "payload timeout"
    case .timedOut(.connection): "connection timeout"
    case .timedOut(.acknowledgement): "ack timeout"
    case .timedOut(.pong): "pong timeout"
    case .timedOut(.keepAlive): "keep-alive timeout"
    case .rejected: "rejected"
    case .invalidMessage: "invalid message"
    case .violation: "violation"
    case .noPayload: "no payload"
    case .unreachable: "unreachable"
    case .unsendable: "unsendable"
    case .noSubprotocol: "no subprotocol"
    case .lost: "lost"
    case .replaced: "replaced"
    case .paused: "paused"
    }
  }
}
