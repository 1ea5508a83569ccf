// modules: ApolloAPI
// dictionary: messages.dict
// sources: ApolloWebSocket/Messages ApolloWebSocket/Session ApolloWebSocket/Lifecycle/TransportStateMachine.swift ApolloWebSocket/Lifecycle/TransportStateMachine+Actions.swift ApolloWebSocket/Lifecycle/ReconnectionPolicy.swift ApolloWebSocket/Lifecycle/WebSocketRecovery.swift ApolloWebSocket/Socket/WebSocketCloseCode.swift
import ApolloAPI

/// Any text is a message or breaks the protocol, and any order of messages and other events leaves
/// every operation with one end.
///
/// The first byte chooses the protocol. Each line is an event: a command, or a message of the
/// server.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMessages(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let choice = input.first else { return 0 }
  var run = Run(choice & 1 == 0 ? .graphqlTransportWS : .graphqlWS, usesCustomIDs: choice & 2 != 0)
  for line in input.dropFirst().split(separator: UInt8(ascii: "\n"), maxSplits: 200) {
    run.handle(Array(line))
  }
  run.end()
  return 0
}

/// Optimized code says nothing when a precondition fails.
private func require(_ condition: Bool, _ promise: @autoclosure () -> String) {
  if !condition { fatalError("This does not hold: \(promise())") }
}

/// The machine, and the promises about its actions.
private struct Run {
  private typealias Machine = TransportStateMachine<Int>

  private let subprotocol: WebSocketSubprotocol
  private var machine: Machine
  private var now: Duration = .zero
  private var keyCount = 0
  private var live: Set<OperationKey> = []
  /// The ids on the current connection, and those that were ever used.
  private var open: Set<String> = []
  private var used: Set<String> = []

  init(_ subprotocol: WebSocketSubprotocol, usesCustomIDs: Bool) {
    self.subprotocol = subprotocol
    var settings = TransportSettings()
    settings.usesCustomIDs = usesCustomIDs
    machine = Machine(settings, jitter: { 0.5 })
  }

  mutating func handle(_ line: [UInt8]) {
    switch line.first {
    case UInt8(ascii: "s"): add(.subscription)
    case UInt8(ascii: "q"): add(.single)
    case UInt8(ascii: "i"): add(.incremental)
    case UInt8(ascii: "d"): drop(Int(line.dropFirst().first ?? 0))
    case UInt8(ascii: "c"): connect()
    case UInt8(ascii: "e"):
      let code = line.dropFirst().reduce(into: UInt16(0)) { $0 = $0 &* 31 &+ UInt16($1) }
      let failure = ConnectionFailure.closed(code: WebSocketCloseCode(rawValue: code), reason: "")
      check(machine.ended(failure, attempt: machine.attempt, now: now))
    case UInt8(ascii: "l"): check(machine.ended(.lost, attempt: machine.attempt, now: now))
    case UInt8(ascii: "p"): check(machine.pause(now: now))
    case UInt8(ascii: "r"): check(machine.resume(reconnects: true, now: now))
    case UInt8(ascii: "n"): check(machine.reconnect(now: now))
    case UInt8(ascii: "w"): check(machine.networkChanged(isAvailable: line.count > 1, now: now))
    case UInt8(ascii: "o"): check(machine.open(now: now))
    case UInt8(ascii: "t"):
      now = max(now, machine.deadline ?? now)
      check(machine.timePassed(now: now))
    default: receive(line)
    }
  }

  private mutating func add(_ kind: OperationKind) {
    keyCount += 1
    let key = OperationKey(number: keyCount)
    live.insert(key)
    check(machine.add(key, kind, keyCount, now: now))
  }

  private mutating func drop(_ number: Int) {
    let key = OperationKey(number: number)
    live.remove(key)
    check(machine.remove(key, now: now))
    check(machine.remove(key, now: now))
  }

  /// Opens the connection of the latest attempt, which happens once.
  private mutating func connect() {
    if case .open = machine.state { return }
    check(machine.prepared(.success(nil), attempt: machine.attempt, now: now))
    check(machine.opened(subprotocol, attempt: machine.attempt, now: now))
    receive(Array(#"{"type":"connection_ack"}"#.utf8))
  }

  private mutating func receive(_ text: [UInt8]) {
    let message = Result { () throws(MessageViolation) in
      try ServerMessage(text, in: subprotocol)
    }
    if case .success(.error(_, let payload)) = message { _ = payload.errors }
    check(machine.received(message, attempt: machine.attempt, now: now))
  }

  /// Closes the machine, which ends every operation.
  mutating func end() {
    check(machine.close())
    require(live.isEmpty, "Every operation ends.")
    require(machine.deadline == nil, "A closed machine waits for nothing.")
    check(machine.timePassed(now: now + .seconds(86_400)))
  }

  private mutating func check(_ actions: [Machine.Action]) {
    for action in actions { check(action) }
  }

  private mutating func check(_ action: Machine.Action) {
    switch action {
    case .send(_, .subscribe(let id, _)):
      require(used.insert(id).inserted, "Ids are fresh.")
      open.insert(id)
    case .send(_, .complete(let id)):
      require(open.remove(id) != nil, "An operation is completed once.")
    case .close: open = []
    case .deliver(let key, let payload):
      require(live.contains(key), "Results belong to operations that have not ended.")
      require(
        (try? JSONValue(jsonBytes: payload.bytes)) != nil, "A payload is JSON that was checked.")
    case .finish(let key, _): require(live.remove(key) != nil, "An operation ends once.")
    case .interrupt(let key, _), .resume(let key):
      require(live.contains(key), "Events belong to operations that have not ended.")
    case .requestIDs(let keys, let attempt):
      let ids = keys.map { ($0, "id\($0.number).\(attempt)") }
      check(machine.identified(ids, attempt: attempt, now: now))
    case .send, .sendPingFrame, .prepare, .connect, .abandon, .report: break
    }
  }
}
