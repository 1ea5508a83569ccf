internal import ApolloAPI

/// A subscription to one channel, which connects again after each failure.
///
/// A connection over which nothing arrives may be dead, so the channel is subscribed again each
/// ``heartbeat``, which the server confirms. A confirmation that does not arrive in time closes the
/// connection.
///
/// `@unchecked Sendable` because the variables are touched in turns of the event loop only.
final class ChannelSubscription: @unchecked Sendable {
  enum Event: Sendable {
    /// Every message from now on is delivered.
    case isLive
    case message([UInt8])
    /// The connection was checked: what was sent before has arrived, or was lost.
    case isChecked
    /// Messages may have been lost.
    case isLost
  }

  private let core: Core
  private let loop: EventLoop

  init(
    _ channel: [UInt8], _ addresses: [ServerAddress], on loop: EventLoop,
    onEvent: @escaping @Sendable (Event) -> Void
  ) {
    self.loop = loop
    core = Core(channel, addresses, onEvent)
    let core = core
    loop.submit { core.start(in: $0) }
  }

  deinit {
    let core = core
    loop.submit { core.stop(in: $0) }
  }

  /// Ends the connection and makes another one, in case that messages were lost.
  func restart() {
    let core = core
    loop.submit { _ in core.restart() }
  }

  /// The time between two checks of the connection, and the timeout of each.
  static let heartbeat = Duration.seconds(1)

  private final class Core: EventLoop.Member, @unchecked Sendable {
    private let channel: [UInt8]
    private let addresses: [ServerAddress]
    private let onEvent: @Sendable (Event) -> Void
    private var connection: Connection?
    /// The connections to the addresses, by their indices. They are used again after a failure,
    /// because the lookup of a name can take longer than an attempt.
    private var connections: [Int: Connection] = [:]
    private var isLive = false
    private var isStopped = false
    /// The number of connections so far, each of which leads to the next address.
    private var connectionCount = 0
    /// The number of connections since the last live one ended.
    private var attempts = 0
    /// The number of restarts since the last successful check of a connection.
    private var restarts = 0
    private var turns: EventLoop.Turns?
    private(set) var deadline: ContinuousClock.Instant?

    var descriptor: Int32? { nil }
    var wantsToWrite: Bool { false }
    var mustBeWaitedFor: Bool { false }
    var isAwaitingResponse: Bool { false }
    func isWaitedFor() {}
    func isReady(toRead: Bool, toWrite: Bool) {}

    init(
      _ channel: [UInt8], _ addresses: [ServerAddress],
      _ onEvent: @escaping @Sendable (Event) -> Void
    ) {
      self.channel = channel
      self.addresses = addresses
      self.onEvent = onEvent
    }

    func start(in turns: EventLoop.Turns) {
      self.turns = turns
      turns.add(self)
      connect()
    }

    func stop(in turns: EventLoop.Turns) {
      isStopped = true
      closeConnections(in: turns)
      turns.remove(self)
      self.turns = nil
    }

    /// Makes another connection: the first time at once, and then after a pause, until a check of a
    /// connection succeeds. The server may refuse each one.
    func restart() {
      guard let turns, !isStopped else { return }
      closeConnections(in: turns)
      lose()
      restarts += 1
      if restarts == 1 { connect() } else { pause(restarts - 1) }
    }

    private func closeConnections(in turns: EventLoop.Turns) {
      connection = nil
      for connection in connections.values { connection.close(in: turns) }
      connections = [:]
    }

    /// Lets the next connection wait, for longer after more failures.
    private func pause(_ failureCount: Int) {
      deadline = .now + CircuitBreaker.firstPause * min(failureCount, 20)
    }

    func timeHasPassed(_ now: ContinuousClock.Instant) {
      deadline = nil
      if connection == nil { connect() } else { subscribe() }
    }

    private func connect() {
      guard !isStopped else { return }
      connection = connection(at: connectionCount % addresses.count)
      connectionCount += 1
      attempts += 1
      subscribe()
    }

    private func connection(at index: Int) -> Connection {
      if let known = connections[index] { return known }
      let address = addresses[index]
      let new = Connection(
        to: address.endpoint, greeting: address.greeting, timeout: ChannelSubscription.heartbeat,
        onPush: { [weak self] in self?.receive($0) },
        onClose: { [weak self] _ in self?.connectionHasClosed() })
      connections[index] = new
      return new
    }

    private func subscribe() {
      guard let turns, let connection else { return }
      let command = RedisCommand("SUBSCRIBE", [channel])
      connection.send([(command, { @Sendable [weak self] in self?.handle($0) })], in: turns)
    }

    private func handle(_ response: Result<RedisValue, RedisError>) {
      guard case .success(let value) = response else { return }  // the connection has closed
      guard value.elements?.first?.text == "subscribe" else { return restart() }
      deadline = .now + ChannelSubscription.heartbeat
      if isLive {
        restarts = 0
        return onEvent(.isChecked)
      }
      isLive = true
      onEvent(.isLive)
    }

    private func receive(_ value: RedisValue) {
      guard let elements = value.elements, elements.count == 3,
        elements[0].text == "message", let bytes = elements[2].bytes
      else { return }
      onEvent(.message(bytes))
    }

    private func connectionHasClosed() {
      guard let turns, !isStopped else { return }
      if let ending = connection.take() { turns.remove(ending) }
      lose()
      pause(attempts)
    }

    private func lose() {
      guard isLive else { return }
      isLive = false
      attempts = 0
      onEvent(.isLost)
    }
  }
}
