internal import ApolloAPI
internal import ApolloTransport
internal import Foundation

/// A connection on a byte channel: the opening handshake, then the state machine, between the
/// channel's thread and the program's tasks.
///
/// | phase | event | next phase | effect |
/// | :-- | :-- | :-- | :-- |
/// | `connecting` | the response with status 101 | `open` | ``connect()`` returns |
/// | `connecting` | another response, a failure, cancellation | `done` | ``connect()`` throws |
/// | `open` | see ``SocketMachine`` | `open` | |
/// | `open` | the end | `done` | it follows the last message in the inbox |
///
/// The phase is behind one lock, under which bytes are parsed and frames are written; the inbox has
/// its own, so that a task that receives does not wait for the parser.
final class SocketCore: ByteChannelOwner, ConnectionCore {
  /// The result of an opening handshake.
  enum Opening: Sendable {
    case open(subprotocol: String?)
    case redirect(URL)
  }

  private enum Phase {
    case connecting(HandshakeParser)
    case open(MachineBox)
    case done
  }

  private struct State {
    var phase: Phase
    var channel: (any ByteChannel)?
    var opener: Waiter<Opening>?
    /// The result, if it came before the task waits for it.
    var opening: Result<Opening, any Error>?
    /// `true` after the request has been handed to the channel.
    var isRequestSent = false
    /// Bytes that were read when the inbox had no room.
    var unread: [UInt8] = []
    /// The bytes that the channel has and may not have sent.
    var inFlightByteCount = 0
    var pingCount: UInt64 = 0
    var roomCount: UInt64 = 0

    var machine: MachineBox? { if case .open(let box) = phase { box } else { nil } }

    var unsentByteCount: Int { inFlightByteCount + (machine?.machine.outputByteCount ?? 0) }
  }

  /// The time for the body of a response that refuses the handshake.
  private static let bodyTimeout = Duration.seconds(1)

  private let request: HandshakeRequest
  private let limits: WebSocketLimits
  private let hopsLeft: Int
  private let inbox: Inbox
  private let state: Lock<State>
  private let pongWaiters = Waiters()
  private let roomWaiters = Waiters()

  init(_ request: HandshakeRequest, limits: WebSocketLimits, hopsLeft: Int) {
    self.request = request
    self.limits = limits
    self.hopsLeft = hopsLeft
    inbox = Inbox(byteCount: limits.receiveBufferByteCount)
    let parser = HandshakeParser(bodyLimit: limits.maximumErrorBodyByteCount)
    state = Lock(State(phase: .connecting(parser)))
  }

  // MARK: The opening handshake

  /// Connects with a channel. To be called once.
  ///
  /// - Throws: `NetworkError`, ``WebSocketHandshakeError`` or `CancellationError`.
  func connect(_ channel: any ByteChannel) async throws -> Opening {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Opening, any Error>? = state.withLock { state in
          if let result = state.opening { return result }
          state.channel = channel
          state.opener = Waiter(continuation)
          return nil
        }
        if let result { return continuation.resume(with: result) }
        channel.start()
      }
    } onCancel: {
      finishOpening(.failure(CancellationError()))
    }
  }

  /// Ends the opening handshake, unless it has ended before.
  private func finishOpening(_ result: Result<Opening, any Error>) {
    let (opener, channel) = state.withLock { state in
      guard state.opening == nil else {
        return (nil as Waiter<Opening>?, nil as (any ByteChannel)?)
      }
      state.opening = result
      defer { state.opener = nil }
      if case .success(.open) = result { return (state.opener, nil) }
      state.phase = .done
      return (state.opener, state.channel)
    }
    channel?.close()
    opener?.resume(with: result)
  }

  /// Reads the response. Returns its result when it is complete.
  private func receivedResponse(
    _ input: inout UnsafeMutableRawBufferPointer.SubSequence, _ state: inout State
  ) -> Result<Opening, any Error>? {
    guard case .connecting(var parser) = state.phase else { return nil }
    do {
      let wasInBody = parser.isInBody
      let result = try parser.receive(&input)
      state.phase = .connecting(parser)
      guard let result else {
        // The status is known, so the body is not waited for until the deadline.
        if parser.isInBody, !wasInBody { state.channel?.setAlarm(after: Self.bodyTimeout) }
        return nil
      }
      return .success(try opening(result, &state))
    } catch let violation as HeadViolation {
      let code: NetworkError.Code =
        violation == .statusLine ? .notHTTP : .malformedResponse
      return .failure(
        NetworkError(code, url: request.shownURL, detail: violation.clause, responseHadBegun: true))
    } catch {
      return .failure(error)
    }
  }

  private func opening(
    _ result: HandshakeParser.Result, _ state: inout State
  ) throws -> Opening {
    switch result {
    case .switched(let head):
      let agreement = try request.agreement(with: head)
      let options = SocketMachine.Options(
        maximumMessageByteCount: limits.maximumMessageByteCount,
        compression: agreement.compression)
      state.phase = .open(MachineBox(options))
      return .open(subprotocol: agreement.subprotocol)
    case .refused(let head, let body):
      if let url = try request.redirect(head, hopsLeft: hopsLeft) { return .redirect(url) }
      throw request.error(.refused, head, body: body)
    }
  }

  // MARK: The program's side

  func receive() async throws -> WebSocketEvent {
    try await inbox.next { channel?.resumeReading() }
  }

  func enqueue(_ message: WebSocketMessage) -> Bool {
    change { machine in machine.send(message) }
  }

  func ping() async throws {
    var number: UInt64 = 0
    let isSent = change { state, machine in
      state.pingCount += 1
      number = state.pingCount
      return machine.ping(withUnsafeBytes(of: number.bigEndian, Array.init))
    }
    // Without a ping there is nothing to wait for but the end.
    try await pongWaiters.wait(for: isSent ? number : .max)
  }

  var hasRoom: Bool { state.withLock { $0.unsentByteCount <= limits.sendBufferByteCount } }

  var receivedMessageByteCount: UInt64 {
    state.withLock { $0.machine?.machine.receivedMessageByteCount ?? 0 }
  }

  func waitForRoom() async throws {
    let number: UInt64? = state.withLock { state in
      guard state.unsentByteCount > limits.sendBufferByteCount, state.machine != nil else {
        return nil
      }
      state.roomCount += 1
      return state.roomCount
    }
    guard let number else { return }
    do { try await roomWaiters.wait(for: number) } catch is WebSocketEnd {}
  }

  func close(_ body: CloseBody) {
    let isFirst = change { machine in machine.close(body) }
    guard isFirst else { return }
    channel?.setAlarm(after: limits.closeTimeout)
    // The close frame is read even if nobody takes the messages before it.
    channel?.resumeReading()
  }

  func cancel() {
    let end = state.withLock { state in
      let event = state.machine?.machine.cancel()
      state.phase = .done
      return event
    }
    if let end { deliver([end]) }
    channel?.close()
  }

  private var isOpen: Bool { state.withLock { $0.machine?.machine.isOpen == true } }

  private var channel: (any ByteChannel)? { state.withLock { $0.channel } }

  /// Changes the machine, and lets the channel send what that has made.
  private func change(_ body: (inout SocketMachine) -> Bool) -> Bool {
    change { _, machine in body(&machine) }
  }

  private func change(_ body: (inout State, inout SocketMachine) -> Bool) -> Bool {
    let (result, channel) = state.withLock { state in
      guard let box = state.machine else { return (false, nil as (any ByteChannel)?) }
      let hadOutput = box.machine.outputByteCount > 0
      let result = body(&state, &box.machine)
      return (result, hadOutput ? nil : state.channel)
    }
    if result { channel?.setNeedsOutput() }
    return result
  }

  // MARK: The channel's side

  func channelReceived(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
    var (hasRoom, hasUnread) = received(bytes)
    // The program may have made room since the bytes were read.
    while hasRoom, hasUnread { (hasRoom, hasUnread) = received(.init(start: nil, count: 0)) }
    return hasRoom
  }

  /// Reads bytes as far as the inbox has room for their messages.
  private func received(
    _ bytes: UnsafeMutableRawBufferPointer
  ) -> (hasRoom: Bool, hasUnread: Bool) {
    var events: [SocketMachine.Event] = []
    var room = inbox.room
    let (opening, hasUnread) = state.withLock {
      state -> (Result<Opening, any Error>?, Bool) in
      var bytes = bytes[...]
      guard state.unread.isEmpty else {
        receivedMore(&bytes, &state, &room, &events)
        return (nil, !state.unread.isEmpty)
      }
      let opening = receivedResponse(&bytes, &state)
      receivedFrames(&bytes, &state, &room, &events)
      state.unread = Array(bytes)
      return (opening, !state.unread.isEmpty)
    }
    if let opening { finishOpening(opening) }
    let hasRoom = deliver(events)
    return (hasRoom || !isOpen, hasUnread)
  }

  /// Reads what was left last time, then `bytes`.
  private func receivedMore(
    _ bytes: inout UnsafeMutableRawBufferPointer.SubSequence, _ state: inout State,
    _ room: inout Int, _ events: inout [SocketMachine.Event]
  ) {
    var unread = state.unread
    unread.append(contentsOf: bytes)
    state.unread = []
    state.unread = unread.withUnsafeMutableBytes { unread in
      var rest = unread[...]
      receivedFrames(&rest, &state, &room, &events)
      return Array(rest)
    }
  }

  private func receivedFrames(
    _ bytes: inout UnsafeMutableRawBufferPointer.SubSequence, _ state: inout State,
    _ room: inout Int, _ events: inout [SocketMachine.Event]
  ) {
    guard let box = state.machine else {
      // Cancelled, or the response is incomplete, of which nothing is left.
      bytes = bytes.dropFirst(bytes.count)
      return
    }
    // A connection that is closing drops its messages, whatever room there is.
    while room > 0 || !box.machine.isOpen, let event = box.machine.receive(&bytes) {
      if case .message(let message) = event { room -= Inbox.cost(message) }
      events.append(event)
    }
  }

  /// Hands events to the program. Returns `false` if the inbox is full.
  @discardableResult
  private func deliver(_ events: [SocketMachine.Event]) -> Bool {
    var messages: [WebSocketMessage] = []
    var end: WebSocketEnd?
    for event in events {
      switch event {
      case .message(let message): messages.append(message)
      case .pong(let payload): receivedPong(payload)
      case .end(let found): end = found
      }
    }
    let hasRoom = inbox.append(messages, end: end)
    if let end { finish(end) }
    return hasRoom
  }

  /// A pong that responds to a ping responds to those before it as well (RFC 6455, section 5.5.3).
  private func receivedPong(_ payload: [UInt8]) {
    guard payload.count == 8 else { return }
    let number = payload.reduce(0) { $0 << 8 | UInt64($1) }
    let count = state.withLock { $0.pingCount }
    if number <= count { pongWaiters.wake(upTo: number) }
  }

  private func finish(_ end: WebSocketEnd) {
    pongWaiters.end(end)
    roomWaiters.end(end)
    guard let channel, end.origin != .network else { return }
    if end.origin != .local { channel.setAlarm(after: limits.closeTimeout) }
    channel.closeGracefully()
  }

  func channelOutput() -> [UInt8] {
    let (output, woken): ([UInt8], UInt64) = state.withLock { state in
      if !state.isRequestSent {
        state.isRequestSent = true
        return (request.bytes, 0)
      }
      let output = state.machine?.machine.takeOutput() ?? []
      state.inFlightByteCount = output.count
      return (output, output.count <= limits.sendBufferByteCount ? state.roomCount : 0)
    }
    if woken > 0 { roomWaiters.wake(upTo: woken) }
    return output
  }

  func channelEnded(_ error: NetworkError?) {
    let (opening, event) = state.withLock {
      state -> (Result<Opening, any Error>?, SocketMachine.Event?) in
      switch state.phase {
      case .connecting(var parser):
        if let error, !parser.hasBegun { return (.failure(error), nil) }
        guard let result = parser.receivedEnd() else {
          return (.failure(error ?? lost(parser)), nil)
        }
        return (Result { try self.opening(result, &state) }, nil)
      case .open(let box):
        return (nil, box.machine.receivedEnd(reason: error?.detail ?? ""))
      case .done: return (nil, nil)
      }
    }
    if let opening { finishOpening(opening) }
    if let event { deliver([event]) }
  }

  private func lost(_ parser: HandshakeParser) -> NetworkError {
    NetworkError(
      .connectionLost, url: request.shownURL,
      detail: parser.hasBegun
        ? "it ended inside the head of the response" : "no response had come",
      responseHadBegun: parser.hasBegun)
  }

  /// The time for the closing handshake is over, or that for the body of a refusal.
  func channelAlarm() {
    let channel = channel
    channelEnded(nil)
    channel?.close()
  }
}

/// A reference to a machine, which cannot be copied.
private final class MachineBox {
  var machine: SocketMachine

  init(_ options: SocketMachine.Options) { machine = SocketMachine(options) }
}
