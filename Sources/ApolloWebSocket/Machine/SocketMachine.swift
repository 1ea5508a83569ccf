/// One end of an open connection, without the connection: bytes and calls in, events and bytes out.
///
/// | state | event | next state | effect |
/// | :-- | :-- | :-- | :-- |
/// | `open` | a message | `open` | `.message` |
/// | `open` | a ping | `open` | a pong is sent |
/// | `open` | ``close(_:)`` | `closing` | a close frame is sent |
/// | `open` | a close frame | `ended` | its code is sent back; the end is the peer's |
/// | `open` | a violation | `ended` | a close frame is sent; the end is a violation |
/// | `open` | the end of the bytes | `ended` | the connection was lost |
/// | `closing` | a message, a ping | `closing` | none |
/// | `closing` | a close frame, a violation, the end of the bytes | `ended` | the end is the program's |
/// | any but `ended` | ``cancel()`` | `ended` | what waits to be sent is dropped |
/// | `ended` | anything | `ended` | none |
struct SocketMachine: ~Copyable {
  struct Options: Sendable {
    var role = SocketRole.client
    var maximumMessageByteCount = WebSocketLimits().maximumMessageByteCount
    var compression: CompressionAgreement?
    var keys = MaskingKeys()
  }

  enum Event: Hashable, Sendable {
    case message(WebSocketMessage)
    case pong([UInt8])
    /// The end. It is the last event.
    case end(WebSocketEnd)
  }

  private enum State {
    case open
    case closing(CloseBody)
    case ended
  }

  private var state = State.open
  private var parser: FrameParser
  private var assembler: MessageAssembler
  private var writer: FrameWriter
  /// The frames that wait to be sent, except pings and pongs.
  private var frames: [UInt8] = []
  /// The latest ping that waits to be sent. The response to it responds to earlier ones as well.
  private var ping: [UInt8] = []
  /// The pongs that wait to be sent, before `frames`.
  private var pongs: [UInt8] = []

  /// The size from which unsent pongs are dropped, all but the latest. A peer that sends pings and
  /// reads nothing costs no more memory. Spec: RFC 6455, section 5.5.3.
  static let pongByteLimit = 16 << 10

  init(_ options: Options) {
    let role = options.role
    let rules = FrameRules(role: role, allowsCompression: options.compression != nil)
    parser = FrameParser(rules: rules)
    assembler = MessageAssembler(
      maximumMessageByteCount: options.maximumMessageByteCount,
      inflater: options.compression.flatMap { Inflater($0.receiving(as: role)) })
    writer = FrameWriter(
      role: role, keys: options.keys,
      deflater: options.compression.flatMap { Deflater($0.sending(as: role)) })
  }

  /// `true` while messages can be sent.
  var isOpen: Bool { if case .open = state { true } else { false } }

  /// `true` after the end.
  var hasEnded: Bool { if case .ended = state { true } else { false } }

  // MARK: Receiving

  /// The number of bytes of messages that have arrived so far, before decompression.
  var receivedMessageByteCount: UInt64 { assembler.receivedByteCount }

  /// Takes bytes from the front of `input`, which may be changed, and returns the next event, or
  /// `nil` if more bytes are needed.
  mutating func receive(_ input: inout UnsafeMutableRawBufferPointer.SubSequence) -> Event? {
    while !hasEnded {
      do throws(ProtocolViolation) {
        guard let event = try parser.next(&input) else { return nil }
        if let event = try assembler.take(event), let result = received(event) { return result }
      } catch {
        return end(violation: error)
      }
    }
    input = input.dropFirst(input.count)
    return nil
  }

  /// Reports that no more bytes will come. Returns the end, unless it was reported before.
  mutating func receivedEnd(reason: String = "") -> Event? {
    switch state {
    case .open: return end(WebSocketEnd(code: .abnormal, reason: reason, origin: .network))
    case .closing(let body): return end(local: body)
    case .ended: return nil
    }
  }

  private mutating func received(_ event: MessageAssembler.Event) -> Event? {
    switch (event, state) {
    case (.message(let message), .open): return .message(message)
    case (.ping(let payload), .open):
      if pongs.count >= Self.pongByteLimit { pongs = [] }
      writer.write(.pong, payload, to: &pongs)
      return nil
    case (.pong(let payload), _): return .pong(payload)
    case (.close(let body), .open):
      write(CloseBody(code: body.code))
      return end(WebSocketEnd(code: body.code, reason: body.reason, origin: .peer))
    case (.close, .closing(let body)): return end(local: body)
    case (.message, _), (.ping, _), (.close, .ended): return nil
    }
  }

  private mutating func end(violation: ProtocolViolation) -> Event {
    if case .closing(let body) = state { return end(local: body) }
    write(CloseBody(code: violation.closeCode, reason: violation.clause))
    return end(
      WebSocketEnd(code: violation.closeCode, reason: violation.clause, origin: .violation))
  }

  private mutating func end(local body: CloseBody) -> Event {
    end(WebSocketEnd(code: body.code, reason: body.reason, origin: .local))
  }

  private mutating func end(_ end: WebSocketEnd) -> Event {
    state = .ended
    return .end(end)
  }

  // MARK: Sending

  /// Queues a message. Returns `false` if the connection is closing or has ended.
  mutating func send(_ message: WebSocketMessage) -> Bool {
    guard isOpen else { return false }
    writer.write(message, to: &frames)
    return true
  }

  /// Queues a ping. Returns `false` if the connection is closing or has ended.
  mutating func ping(_ payload: [UInt8]) -> Bool {
    guard isOpen else { return false }
    ping = []
    writer.write(.ping, payload, to: &ping)
    return true
  }

  /// Begins the closing handshake. Returns `false` if it has begun, or the connection has ended.
  mutating func close(_ body: CloseBody) -> Bool {
    guard isOpen else { return false }
    write(body)
    state = .closing(body)
    return true
  }

  /// Ends the connection without a closing handshake. Returns the end, unless there was one before.
  mutating func cancel() -> Event? {
    dropOutput()
    guard !hasEnded else { return nil }
    return end(WebSocketEnd(code: .abnormal, origin: .local))
  }

  private mutating func write(_ body: CloseBody) {
    // Nothing follows a close frame, so the pongs go before it.
    frames = takeOutput()
    writer.write(.close, body.payload, to: &frames)
  }

  /// The number of bytes that wait to be sent.
  var outputByteCount: Int { pongs.count + ping.count + frames.count }

  /// Removes and returns the bytes to send: whole frames.
  mutating func takeOutput() -> [UInt8] {
    defer { dropOutput() }
    if pongs.isEmpty, ping.isEmpty { return frames }
    return pongs + ping + frames
  }

  private mutating func dropOutput() {
    frames = []
    ping = []
    pongs = []
  }
}
