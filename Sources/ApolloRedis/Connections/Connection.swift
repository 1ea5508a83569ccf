internal import ApolloAPI
internal import CHiredis

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// One connection to one server: commands go out in order, and responses come back in that order.
///
/// hiredis reads and writes the protocol on a socket that never blocks. Its asynchronous interface
/// is not used: it stops the process (`assert`) when a server sends a response that nothing has
/// asked for.
///
/// | state | event | next state |
/// | :-- | :-- | :-- |
/// | closed | a command | looking up if the server has a name, else connecting |
/// | looking up | the address is known | connecting |
/// | closed | the same | closed; the next command continues with what was begun |
/// | connecting | the socket is writable | open; sends the greeting and what has collected |
/// | open | a response | open; completes the oldest command |
/// | all but closed | an error, the timeout of the oldest command | closed; fails all commands |
///
/// hiredis looks a name up as it begins to connect, and blocks its thread for as long as the name
/// server takes. So it does both on a thread of their own. That thread is not stopped if the
/// connection is closed meanwhile: the next attempt waits for the same lookup, or takes what it has
/// begun. So a connection never has more than one, and opens although each takes longer than the
/// timeout of a command.
///
/// `@unchecked Sendable` because everything but the constants is touched in turns of the event loop
/// only.
final class Connection: EventLoop.Member, @unchecked Sendable {
  /// A command that waits for its response.
  private struct Waiting {
    let deadline: ContinuousClock.Instant
    let complete: @Sendable (Result<RedisValue, RedisError>) -> Void
  }

  let endpoint: Endpoint
  private let greeting: [RedisCommand]
  private let timeout: Duration
  /// Receives what the server sends without a command, such as messages of channels. `nil` where
  /// such a value is a violation of the protocol.
  private let onPush: (@Sendable (RedisValue) -> Void)?
  /// Called when a connection that was open, or was about to be, is closed.
  private let onClose: (@Sendable (RedisError) -> Void)?

  /// The socket and its state, or `nil` while the connection is closed or looks a name up.
  private var context: UnsafeMutablePointer<redisContext>?
  /// Indicates whether the connection is being made, which begins with the lookup of its name.
  private var isConnecting = false
  /// Indicates whether a thread looks the name up, be it for a connection that was closed since.
  private(set) var isLookingUp = false
  /// The socket that was begun to connect when its attempt had ended, for the next attempt.
  private var late: UnsafeMutablePointer<redisContext>?
  /// Called before each lookup, on its thread, for tests.
  private let onLookup: @Sendable () -> Void
  private(set) var wantsToWrite = false
  private(set) var mustBeWaitedFor = false
  /// The bytes that are still to be sent.
  private var output: [UInt8] = []
  private var waiting: ArraySlice<Waiting> = []
  /// The turns of the loop, if the connection closes after the last response.
  private var retirement: EventLoop.Turns?
  /// The reason for which there is no connection.
  private var connectError: RedisError?

  init(
    to endpoint: Endpoint, greeting: [RedisCommand], timeout: Duration,
    onPush: (@Sendable (RedisValue) -> Void)? = nil,
    onClose: (@Sendable (RedisError) -> Void)? = nil,
    onLookup: @escaping @Sendable () -> Void = {}
  ) {
    self.endpoint = endpoint
    self.greeting = greeting
    self.timeout = timeout
    self.onPush = onPush
    self.onClose = onClose
    self.onLookup = onLookup
  }

  deinit {
    redisFree(context)
    redisFree(late)
  }

  // MARK: - In a turn of the loop

  /// Sends commands together, and opens the connection if it is closed.
  ///
  /// - Parameters:
  ///   - commands: The commands, with the closures that receive the responses. Each is called
  ///     exactly once, in a turn of the loop.
  ///   - turns: The turns of the loop.
  func send(
    _ commands: [(RedisCommand, @Sendable (Result<RedisValue, RedisError>) -> Void)],
    in turns: EventLoop.Turns
  ) {
    if isClosed {
      turns.add(self)
      connect(in: turns)
    }
    for (command, complete) in commands { append(command, complete) }
    if !isConnecting { flush() }
  }

  /// Closes the connection and leaves the loop.
  func close(in turns: EventLoop.Turns) {
    fail(RedisError(.disconnected, server: endpoint.description), isExpected: true)
    redisFree(late.take())
    turns.remove(self)
  }

  /// Closes the connection when the commands that were sent have their responses.
  func retire(in turns: EventLoop.Turns) {
    guard !waiting.isEmpty else { return close(in: turns) }
    retirement = turns
  }

  private func append(
    _ command: RedisCommand,
    _ complete: @escaping @Sendable (Result<RedisValue, RedisError>) -> Void
  ) {
    guard !isClosed else {
      let unknown = RedisError(.unreachable, server: endpoint.description)
      return complete(.failure(connectError ?? unknown))
    }
    withPointers(to: command.arguments) { pointers, counts in
      var formatted: UnsafeMutablePointer<CChar>?
      let count = redisFormatCommandArgv(
        &formatted, Int32(pointers.count), pointers.baseAddress, counts)
      guard let formatted, count > 0 else { return }
      output += UnsafeRawBufferPointer(start: formatted, count: Int(count))
      redisFreeCommand(formatted)
    }
    waiting.append(Waiting(deadline: .now + timeout, complete: complete))
  }

  private var isClosed: Bool { context == nil && !isConnecting }

  private func connect(in turns: EventLoop.Turns) {
    isConnecting = true
    switch endpoint {
    case .unix(let path): take(redisConnectUnixNonBlock(path))
    case .tcp(let host, let port) where isAddress(host): take(redisConnectNonBlock(host, port))
    case .tcp(let host, let port):
      if let begun = late.take() { take(begun) } else { lookUp(host, port, in: turns) }
    }
    guard !isClosed else { return }
    for command in greeting {
      append(command) { [weak self] response in
        if case .success(.error(let message)) = response, let self,
          command.arguments[0] != Array("READONLY".utf8)
        {
          self.fail(RedisError(.server, server: self.endpoint.description, detail: message))
        }
      }
    }
  }

  /// Looks the name of the server up and begins to connect, without a turn.
  private func lookUp(_ host: String, _ port: Int32, in turns: EventLoop.Turns) {
    guard !isLookingUp else { return }
    isLookingUp = true
    turns.detach {
      self.onLookup()
      // Because this thread alone has it, and then the turn.
      nonisolated(unsafe) let new = redisConnectNonBlock(host, port)
      return { _ in
        self.isLookingUp = false
        if self.isConnecting { self.take(new) } else { self.keep(new) }
      }
    }
  }

  /// Takes the connection that hiredis has begun to make, or fails with the reason for which it
  /// could not.
  private func take(_ begun: UnsafeMutablePointer<redisContext>?) {
    guard let new = begun, new.pointee.err == 0 else {
      let error = RedisError(
        .unreachable, server: endpoint.description, detail: begun.map(problem(of:)) ?? "")
      redisFree(begun)
      connectError = error
      return fail(error)
    }
    context = new
    wantsToWrite = true
    mustBeWaitedFor = true
    _ = fcntl(new.pointee.fd, F_SETFD, FD_CLOEXEC)
  }

  /// Keeps what hiredis has begun for the next attempt, unless it has failed.
  private func keep(_ begun: UnsafeMutablePointer<redisContext>?) {
    guard let new = begun, new.pointee.err == 0 else { return redisFree(begun) }
    _ = fcntl(new.pointee.fd, F_SETFD, FD_CLOEXEC)
    late = new
  }

  // MARK: Member

  var descriptor: Int32? { context.map(\.pointee.fd) }

  var deadline: ContinuousClock.Instant? { waiting.first?.deadline }

  func timeHasPassed(_ now: ContinuousClock.Instant) {
    guard let first = waiting.first, first.deadline <= now else { return }
    // Later responses could not be told from the one that is missing, so the connection ends.
    fail(RedisError(isConnecting ? .unreachable : .timedOut, server: endpoint.description))
  }

  func isReady(toRead: Bool, toWrite: Bool) {
    if isConnecting {
      guard toWrite, finishConnecting() else { return }
    }
    if toRead, !receive() { return }
    if wantsToWrite || !output.isEmpty { flush() }
  }

  private func finishConnecting() -> Bool {
    guard let context else { return false }
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(context.pointee.fd, SOL_SOCKET, SO_ERROR, &code, &size)
    guard code == 0 else {
      fail(
        RedisError(
          .unreachable, server: endpoint.description, detail: String(cString: strerror(code))))
      return false
    }
    if case .tcp = endpoint {
      var on: Int32 = 1
      setsockopt(
        context.pointee.fd, Int32(IPPROTO_TCP), TCP_NODELAY, &on,
        socklen_t(MemoryLayout<Int32>.size))
    }
    #if canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(
        context.pointee.fd, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
    context.pointee.flags |= REDIS_CONNECTED
    isConnecting = false
    return true
  }

  /// Sends what can be sent. Not with hiredis, whose call would end the process with a signal if
  /// the server has closed the connection.
  private func flush() {
    guard let context, !isConnecting else { return }
    var sent = 0
    while sent < output.count {
      let count = output.withUnsafeBytes { bytes in
        sendBytes(context.pointee.fd, bytes.baseAddress! + sent, bytes.count - sent)
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        break
      } else if errno != EINTR {
        return fail(
          RedisError(
            .disconnected, server: endpoint.description, detail: String(cString: strerror(errno))))
      }
    }
    output.removeFirst(sent)
    let mustWait = !output.isEmpty
    if mustWait != wantsToWrite { mustBeWaitedFor = true }
    wantsToWrite = mustWait
  }

  func isWaitedFor() { mustBeWaitedFor = false }

  var isAwaitingResponse: Bool { !waiting.isEmpty }

  /// Reads what has arrived, and completes commands. Returns `false` if the connection is closed.
  private func receive() -> Bool {
    guard let context else { return false }
    guard redisBufferRead(context) == REDIS_OK else {
      let isProtocol = context.pointee.err == REDIS_ERR_PROTOCOL
      fail(
        RedisError(
          isProtocol ? .malformedResponse : .disconnected, server: endpoint.description,
          detail: problem(of: context)))
      return false
    }
    while self.context == context {
      var reply: UnsafeMutableRawPointer?
      guard redisGetReplyFromReader(context, &reply) == REDIS_OK else {
        fail(
          RedisError(
            .malformedResponse, server: endpoint.description, detail: problem(of: context)))
        return false
      }
      guard let reply else { return true }
      let value = RedisValue(reply.assumingMemoryBound(to: redisReply.self))
      freeReplyObject(reply)
      guard let value, deliver(value) else {
        fail(RedisError(.malformedResponse, server: endpoint.description))
        return false
      }
    }
    return false
  }

  /// Completes the oldest command. Returns `false` if nothing has asked for the value.
  private func deliver(_ value: RedisValue) -> Bool {
    if let onPush {
      onPush(value)
      guard value.isConfirmation else { return true }
    }
    guard let first = waiting.popFirst() else { return false }
    if waiting.isEmpty { waiting = [] }  // releases the memory of those before
    first.complete(.success(value))
    if waiting.isEmpty, let turns = retirement.take() { close(in: turns) }
    return true
  }

  private func fail(_ error: RedisError, isExpected: Bool = false) {
    guard !isClosed else { return }
    redisFree(context)
    context = nil
    isConnecting = false
    wantsToWrite = false
    output = []
    let failed = waiting
    waiting = []
    retirement.take()?.remove(self)
    if !isExpected { onClose?(error) }
    for command in failed { command.complete(.failure(error)) }
  }

  private func problem(of context: UnsafeMutablePointer<redisContext>) -> String {
    withUnsafeBytes(of: &context.pointee.errstr) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private func withPointers(
    to arguments: [[UInt8]],
    _ body: (UnsafeMutableBufferPointer<UnsafePointer<CChar>?>, UnsafePointer<Int>) -> Void
  ) {
    // One block for all arguments, so that the pointers stay valid together.
    let total = arguments.reduce(0) { $0 + $1.count }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(total, 1), alignment: 1)
    let pointers = UnsafeMutableBufferPointer<UnsafePointer<CChar>?>.allocate(
      capacity: arguments.count)
    defer {
      bytes.deallocate()
      pointers.deallocate()
    }
    var offset = 0
    for (index, argument) in arguments.enumerated() {
      UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]).copyBytes(from: argument)
      pointers.initializeElement(
        at: index,
        to: UnsafeRawPointer(bytes.baseAddress! + offset).assumingMemoryBound(to: CChar.self))
      offset += argument.count
    }
    let counts = arguments.map(\.count)
    counts.withUnsafeBufferPointer { body(pointers, $0.baseAddress!) }
  }
}

extension RedisValue {
  /// Indicates whether the value of a subscribed connection is the response to a command, and not a
  /// message.
  fileprivate var isConfirmation: Bool {
    switch self {
    case .array(let elements): elements.first?.text != "message"
    default: true
    }
  }
}

#if canImport(Darwin)
  /// The option of a system without a flag is a setting of the socket.
  private let noSignal: Int32 = 0
#else
  private let noSignal = Int32(MSG_NOSIGNAL)
#endif

/// Returns whether a host is an address, which need not be looked up.
private func isAddress(_ host: String) -> Bool {
  var address = in6_addr()  // has room for one of IPv4, too
  return [AF_INET, AF_INET6].contains { inet_pton($0, host, &address) == 1 }
}

/// Sends bytes, without a signal if the other end is closed.
private func sendBytes(_ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
  send(descriptor, start, count, noSignal)
}
