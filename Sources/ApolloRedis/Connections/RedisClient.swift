internal import ApolloAPI
internal import ApolloCache
internal import Foundation

/// A client of one server or one cluster: sends commands, and follows a cluster's redirections.
///
/// - Commands of one call are sent together to each server.
/// - Each server has a ``CircuitBreaker``. Of one outage, only the first failure is reported; the
///   others are ``RedisError/Code/suspended``. Whether the server is back is tested by a command of
///   the client's own, so no call waits for a server that is known to hang.
/// - A server that refuses writes has another breaker for writes. If it refuses them because it
///   became a replica, each test uses a new connection, which may lead to the new primary server.
/// - A call with little time left waits for a part of that time only; see ``CacheDeadline``.
/// - `MOVED` changes the server of a slot. `ASK` redirects one command.
final class RedisClient: Sendable {
  /// A command and the slot of its keys.
  struct Request: Sendable {
    let command: RedisCommand
    /// The slot, or `nil` if any server can carry out the command.
    var slot: UInt16?
    /// Indicates whether a server that became a replica, or is full, may refuse the command.
    var isWrite = false
    /// Indicates whether the response is not for a call. A failure is then reported by the next
    /// call.
    var isInBackground = false
  }

  typealias Response = Result<RedisValue, RedisError>

  private let loop: EventLoop
  private let routes: Routes
  /// The digest by which servers know the script of a write, once it was loaded.
  let scriptDigest = Lock<[UInt8]?>(nil)

  /// Creates a client. The first command connects.
  ///
  /// - Parameters:
  ///   - servers: The servers. The first one that can be reached is used, or leads to the others of
  ///     its cluster.
  ///   - timeout: The time after which a command that has no response counts as failed.
  ///   - isForReplicas: Whether the servers are replicas, which are only read.
  /// - Throws: ``RedisError`` for a URL that cannot be used.
  init(servers: [URL], timeout: Duration, isForReplicas: Bool = false) throws(RedisError) {
    var addresses: [ServerAddress] = []
    for url in servers { addresses.append(try ServerAddress(url, isReplica: isForReplicas)) }
    loop = try EventLoop.shared()
    routes = Routes(addresses, timeout: timeout)
  }

  private init(_ loop: EventLoop, _ routes: Routes) {
    (self.loop, self.routes) = (loop, routes)
  }

  /// Returns a client of the same servers with connections of its own and another timeout.
  func copy(timeout: Duration) -> RedisClient {
    RedisClient(loop, Routes(routes.addresses, timeout: timeout))
  }

  deinit {
    let routes = routes
    loop.submit { routes.close(in: $0) }
  }

  /// Sends commands and returns their responses, in order. Suspends for at most a few timeouts.
  nonisolated(nonsending) func send(_ requests: [Request]) async -> [Response] {
    guard !requests.isEmpty else { return [] }
    let limit = CacheDeadline.current
    return await withCheckedContinuation { continuation in
      let batch = Batch(requests.count, continuation)
      let routes = routes
      loop.submit { turns in
        if let limit {
          let deadline = CallDeadline(.now + limit) {
            batch.setMissing(
              to: .failure(RedisError(.timedOut, detail: "the call has no more time")))
          }
          deadline.begin(in: turns)
          batch.onFinish { [weak deadline] in deadline?.end() }
        }
        routes.dispatch(
          requests.enumerated().map { index, request in
            Routes.Delivery(request: request) { batch.set(index, to: $0) }
          }, in: turns)
      }
    }
  }

  nonisolated(nonsending) func send(_ request: Request) async throws(RedisError) -> RedisValue {
    try await send([request])[0].get()
  }

  /// Keeps a channel subscribed for as long as the returned object lives.
  func subscribe(
    to channel: [UInt8], onEvent: @escaping @Sendable (ChannelSubscription.Event) -> Void
  ) -> ChannelSubscription {
    ChannelSubscription(channel, routes.addresses, on: loop, onEvent: onEvent)
  }
}

/// Ends the waiting of a call at its deadline, while its commands go on.
///
/// `@unchecked Sendable` because it is touched in turns of the event loop only.
private final class CallDeadline: EventLoop.Member, @unchecked Sendable {
  private(set) var deadline: ContinuousClock.Instant?
  private let onTimeout: @Sendable () -> Void
  private var turns: EventLoop.Turns?

  init(_ deadline: ContinuousClock.Instant, onTimeout: @escaping @Sendable () -> Void) {
    self.deadline = deadline
    self.onTimeout = onTimeout
  }

  func begin(in turns: EventLoop.Turns) {
    self.turns = turns
    turns.add(self)
  }

  func end() {
    deadline = nil
    turns?.remove(self)
  }

  func timeHasPassed(_ now: ContinuousClock.Instant) {
    end()
    onTimeout()
  }

  var descriptor: Int32? { nil }
  var wantsToWrite: Bool { false }
  var mustBeWaitedFor: Bool { false }
  var isAwaitingResponse: Bool { false }
  func isWaitedFor() {}
  func isReady(toRead: Bool, toWrite: Bool) {}
}

/// The responses to the commands of one call.
private final class Batch: Sendable {
  private struct State {
    var responses: [RedisClient.Response?]
    var missing: Int
    var continuation: CheckedContinuation<[RedisClient.Response], Never>?
    /// Called when all responses are there, in a turn of the event loop.
    var onFinish: (@Sendable () -> Void)?
  }
  private let state: Lock<State>

  init(_ count: Int, _ continuation: CheckedContinuation<[RedisClient.Response], Never>) {
    state = Lock(
      State(
        responses: Array(repeating: nil, count: count), missing: count, continuation: continuation))
  }

  func onFinish(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.onFinish = body }
  }

  func set(_ index: Int, to response: RedisClient.Response) {
    complete { responses in
      if responses[index] == nil { responses[index] = response }
    }
  }

  /// Sets all responses that have not arrived.
  func setMissing(to response: RedisClient.Response) {
    complete { responses in
      for index in responses.indices where responses[index] == nil { responses[index] = response }
    }
  }

  private func complete(_ change: (inout [RedisClient.Response?]) -> Void) {
    let finished = state.withLock { state -> State? in
      change(&state.responses)
      guard !state.responses.contains(where: { $0 == nil }), state.continuation != nil else {
        return nil
      }
      defer { state.continuation = nil }
      return state
    }
    guard let finished else { return }
    finished.onFinish?()
    finished.continuation?.resume(returning: finished.responses.compactMap { $0 })
  }
}

/// The connections of a client and the servers of the slots.
///
/// `@unchecked Sendable` because the variables are touched in turns of the event loop only.
private final class Routes: @unchecked Sendable {
  struct Delivery: Sendable {
    let request: RedisClient.Request
    var redirectionCount = 0
    let complete: @Sendable (RedisClient.Response) -> Void

    init(
      request: RedisClient.Request, complete: @escaping @Sendable (RedisClient.Response) -> Void
    ) {
      self.request = request
      self.complete = complete
    }
  }

  let addresses: [ServerAddress]
  private let timeout: Duration
  private var turns: EventLoop.Turns?
  private var connections: [Endpoint: Connection] = [:]
  private var breakers: [Endpoint: CircuitBreaker] = [:]
  /// The breakers for writes to servers that can be read.
  private var writeBreakers: [Endpoint: CircuitBreaker] = [:]
  private var servers: [UInt16: Endpoint] = [:]
  /// The server to ask for slots whose server is not known.
  private var seed: Endpoint

  private static let mostRedirections = 5

  init(_ addresses: [ServerAddress], timeout: Duration) {
    self.addresses = addresses
    self.timeout = timeout
    seed = addresses[0].endpoint
  }

  func close(in turns: EventLoop.Turns) {
    for connection in connections.values { connection.close(in: turns) }
    connections = [:]
  }

  func dispatch(_ deliveries: [Delivery], in turns: EventLoop.Turns) {
    self.turns = turns
    var groups: [(Endpoint, [Delivery])] = []
    for delivery in deliveries {
      let endpoint = delivery.request.slot.flatMap { servers[$0] } ?? seed
      if let index = groups.firstIndex(where: { $0.0 == endpoint }) {
        groups[index].1.append(delivery)
      } else {
        groups.append((endpoint, [delivery]))
      }
    }
    for (endpoint, group) in groups { send(group, to: endpoint) }
  }

  private func send(
    _ deliveries: [Delivery], to endpoint: Endpoint, isAsking: Bool = false
  ) {
    let isTest = !(breakers[endpoint]?.isClosed ?? true)
    guard breakers[endpoint, default: CircuitBreaker()].allowsCall(at: .now, timeout: timeout)
    else {
      for delivery in deliveries { fail(delivery, of: endpoint) }
      return
    }
    if isTest, !deliveries.allSatisfy(\.request.isInBackground) {
      // The server may hang, and calls may have little time.
      for delivery in deliveries { fail(delivery, of: endpoint) }
      let ping = RedisClient.Request(command: RedisCommand("PING"), isInBackground: true)
      return transmit([Delivery(request: ping) { _ in }], to: endpoint)
    }
    transmit(deliveries.filter { allowsWrite($0, to: endpoint) }, to: endpoint, isAsking: isAsking)
  }

  /// Returns whether a command may be sent to a server that may refuse writes. Completes it if not.
  private func allowsWrite(_ delivery: Delivery, to endpoint: Endpoint) -> Bool {
    guard delivery.request.isWrite, writeBreakers[endpoint] != nil else { return true }
    if writeBreakers[endpoint, default: CircuitBreaker()].allowsCall(at: .now, timeout: timeout) {
      return true
    }
    completeRefused(delivery, of: endpoint)
    return false
  }

  /// Completes a write that a server refuses, or would. One that is for a call reports the refusal,
  /// unless another one has.
  private func completeRefused(_ delivery: Delivery, of endpoint: Endpoint) {
    let first =
      delivery.request.isInBackground
      ? nil : writeBreakers[endpoint, default: CircuitBreaker()].takeUnreportedFailure()
    delivery.complete(
      .failure(first ?? RedisError(.suspended, server: endpoint.description)))
  }

  private func transmit(
    _ deliveries: [Delivery], to endpoint: Endpoint, isAsking: Bool = false
  ) {
    guard !deliveries.isEmpty else { return }
    var commands: [(RedisCommand, @Sendable (RedisClient.Response) -> Void)] = []
    for delivery in deliveries {
      if isAsking { commands.append((RedisCommand("ASKING"), { _ in })) }
      commands.append(
        (
          delivery.request.command,
          { [weak self] response in
            guard let self else { return delivery.complete(response) }
            handle(response, to: delivery, from: endpoint)
          }
        ))
    }
    guard let turns else { return }  // set by the first call
    connection(to: endpoint).send(commands, in: turns)
  }

  private func connection(to endpoint: Endpoint) -> Connection {
    if let known = connections[endpoint] { return known }
    let greeting = (addresses.first { $0.endpoint == endpoint } ?? addresses[0]).greeting
    let new = Connection(to: endpoint, greeting: greeting, timeout: timeout)
    connections[endpoint] = new
    return new
  }

  private func handle(
    _ response: RedisClient.Response, to delivery: Delivery, from endpoint: Endpoint
  ) {
    switch response {
    case .failure(let error):
      breakers[endpoint, default: CircuitBreaker()].recordFailure(error, at: .now)
      forget(endpoint)
      fail(delivery, of: endpoint, wasSent: !error.meansUnchanged)
    case .success(.error(let message)) where Self.isNotReady(message):
      let error = RedisError(.server, server: endpoint.description, detail: message)
      handle(.failure(error), to: delivery, from: endpoint)
    case .success(.error(let message))
    where delivery.request.isWrite && (Self.isReadOnly(message) || Self.isWithoutRoom(message)):
      breakers[endpoint, default: CircuitBreaker()].recordResponse()
      refuseWrite(delivery, of: endpoint, message)
    case .success(.error(let message)) where message.hasPrefix("TRYAGAIN"):
      // Some keys of a slot that is being moved are at the one node, and some at the other.
      delivery.complete(.failure(RedisError(.suspended, server: endpoint.description)))
    case .success(.error(let message)):
      breakers[endpoint, default: CircuitBreaker()].recordResponse()
      // Such as `NOSCRIPT`, after which the text of the script is sent.
      if delivery.request.isWrite { writeBreakers[endpoint]?.endTest(at: .now) }
      follow(message, of: delivery, from: endpoint)
    case .success:
      breakers[endpoint, default: CircuitBreaker()].recordResponse()
      if delivery.request.isWrite { noteWrite(delivery.request, to: endpoint) }
      delivery.complete(response)
    }
  }

  /// Returns whether an error means that the server is a replica now.
  private static func isReadOnly(_ message: String) -> Bool { message.contains("READONLY") }

  /// Returns whether an error means that the server has no room for a write, or cannot save it.
  ///
  /// The error of a script contains that of its command.
  private static func isWithoutRoom(_ message: String) -> Bool {
    message.split { !$0.isLetter }.contains { ["OOM", "MISCONF", "NOREPLICAS"].contains($0) }
  }

  /// Notes that a server has carried out a write. A full one also carries out those of the
  /// background, which need no memory.
  private func noteWrite(_ request: RedisClient.Request, to endpoint: Endpoint) {
    if request.isInBackground {
      writeBreakers[endpoint]?.endTest(at: .now)
    } else {
      writeBreakers[endpoint] = nil
    }
  }

  /// Completes a write that a server has refused because it became a replica or is full.
  ///
  /// The name of a replica may lead to the new primary server already, so the next test makes a
  /// new connection. What was sent over this one is still received.
  private func refuseWrite(_ delivery: Delivery, of endpoint: Endpoint, _ message: String) {
    let error = RedisError(.server, server: endpoint.description, detail: message)
    writeBreakers[endpoint, default: CircuitBreaker()].recordFailure(error, at: .now)
    if Self.isReadOnly(message) {
      if let turns { connections.removeValue(forKey: endpoint)?.retire(in: turns) }
      forget(endpoint)
    }
    completeRefused(delivery, of: endpoint)
  }

  /// Returns whether an error means that the server is there, and cannot serve anything now.
  private static func isNotReady(_ message: String) -> Bool {
    ["LOADING ", "CLUSTERDOWN ", "MASTERDOWN ", "BUSY "].contains(where: message.hasPrefix)
  }

  /// Completes a command of a server that has failed. Of the commands that were sent, one reports
  /// the failure, and the server may have carried out each.
  private func fail(_ delivery: Delivery, of endpoint: Endpoint, wasSent: Bool = false) {
    let first =
      delivery.request.isInBackground
      ? nil : breakers[endpoint, default: CircuitBreaker()].takeUnreportedFailure()
    var error = first ?? RedisError(.suspended, server: endpoint.description)
    error.wasSent = wasSent
    delivery.complete(.failure(error))
  }

  /// Forgets which slots a server has that failed: another may have taken its place.
  ///
  /// If it was the seed, the next one is a server that has not failed, or else the next server, so
  /// that each has its turn.
  private func forget(_ endpoint: Endpoint) {
    servers = servers.filter { $0.value != endpoint }
    guard seed == endpoint else { return }
    let all = addresses.map(\.endpoint) + Array(connections.keys)
    let next = all.firstIndex(of: endpoint).map { $0 + 1 } ?? 0
    let others = (all[next...] + all[..<next]).filter { $0 != endpoint }
    seed = others.first { !hasFailed($0) } ?? others.first ?? endpoint
  }

  /// Returns whether the latest command to a server, or the latest write, has failed.
  private func hasFailed(_ endpoint: Endpoint) -> Bool {
    [breakers[endpoint], writeBreakers[endpoint]].contains { $0?.isClosed == false }
  }

  private func follow(_ message: String, of delivery: Delivery, from endpoint: Endpoint) {
    let words = message.split(separator: " ")
    guard words.count == 3, words[0] == "MOVED" || words[0] == "ASK", let slot = UInt16(words[1]),
      let target = Endpoint(words[2], from: endpoint),
      delivery.redirectionCount < Self.mostRedirections
    else { return delivery.complete(.success(.error(message))) }
    var delivery = delivery
    delivery.redirectionCount += 1
    if words[0] == "MOVED", slot < HashSlot.count { servers[slot] = target }
    send([delivery], to: target, isAsking: words[0] == "ASK")
  }
}
