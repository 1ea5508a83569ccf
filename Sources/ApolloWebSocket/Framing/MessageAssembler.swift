/// Makes messages of frames, and checks them.
///
/// | state | frame | next state | event |
/// | :-- | :-- | :-- | :-- |
/// | `idle` | text or binary, not final | `message` | none |
/// | `idle` | text or binary, final | `idle` | `.message` |
/// | `idle` | continuation | — | `continuationWithoutStart` |
/// | `message` | continuation, not final | `message` | none |
/// | `message` | continuation, final | `idle` | `.message` |
/// | `message` | text or binary | — | `messageInsideMessage` |
/// | any | ping, pong, close | unchanged | `.ping`, `.pong`, `.close` |
///
/// Sizes are judged by a frame's header, and again after decompression. The text and the
/// compression of a message are checked while its frames arrive.
struct MessageAssembler: ~Copyable {
  enum Event: Hashable, Sendable {
    case message(WebSocketMessage)
    case ping([UInt8])
    case pong([UInt8])
    case close(CloseBody)
  }

  /// A message whose last frame has not ended.
  private struct Message {
    var kind: WebSocketMessage.Kind
    var isCompressed: Bool
    /// The bytes of its frames so far, before decompression.
    var wireByteCount = 0
    var bytes: [UInt8] = []
    var validator = TextValidator()
  }

  private let maximumByteCount: Int
  private var inflater: Inflater?
  private var frame: FrameHeader?
  private var message: Message?
  private var controlPayload: [UInt8] = []
  /// The bytes of all messages so far, before decompression.
  private(set) var receivedByteCount: UInt64 = 0

  init(maximumMessageByteCount: Int, inflater: consuming Inflater?) {
    maximumByteCount = maximumMessageByteCount
    self.inflater = inflater
  }

  /// Takes the next event of the frame parser.
  mutating func take(_ event: FrameParser.Event) throws(ProtocolViolation) -> Event? {
    switch event {
    case .header(let header):
      try begin(header)
      return nil
    case .payload(let part):
      try append(part)
      return nil
    case .end: return try endFrame()
    }
  }

  private mutating func begin(_ header: FrameHeader) throws(ProtocolViolation) {
    frame = header
    switch header.opcode {
    case .text, .binary:
      guard message == nil else { throw .messageInsideMessage }
      message = Message(
        kind: header.opcode == .text ? .text : .binary, isCompressed: header.isCompressed)
    case .continuation:
      guard message != nil else { throw .continuationWithoutStart }
    case .close, .ping, .pong:
      controlPayload = []
      return
    }
    let known = message?.wireByteCount ?? 0
    guard header.payloadByteCount <= maximumByteCount - known else { throw tooLarge }
    message?.wireByteCount = known + header.payloadByteCount
  }

  private mutating func append(_ part: UnsafeRawBufferPointer) throws(ProtocolViolation) {
    guard frame?.opcode.isControl == false else {
      controlPayload.append(contentsOf: part)
      return
    }
    receivedByteCount += UInt64(part.count)
    guard message?.isCompressed == true else { return try appendText(part) }
    var inflater = inflater.take()
    defer { self.inflater = inflater.take() }
    try inflater?.inflate(part) { piece throws(ProtocolViolation) in try appendText(piece) }
  }

  /// Appends a part of the message's content.
  private mutating func appendText(_ part: UnsafeRawBufferPointer) throws(ProtocolViolation) {
    guard message != nil else { return }
    // The text within the limit is checked first, so that the violation is that of the first bad
    // byte, in whatever pieces the bytes arrive.
    let isTooLarge = part.count > maximumByteCount - message!.bytes.count
    let part =
      isTooLarge
      ? UnsafeRawBufferPointer(
        rebasing: part.prefix(maximumByteCount - message!.bytes.count)) : part
    let count = message!.bytes.count + part.count
    if count > message!.bytes.capacity, !message!.isCompressed {
      // Doubles, but not beyond the frame's announced end: a header alone reserves nothing.
      message!.bytes.reserveCapacity(max(count, min(2 * count, message!.wireByteCount)))
    }
    message!.bytes.append(contentsOf: part)
    if message!.kind == .text, !message!.validator.accept(part) { throw .textNotUTF8 }
    if isTooLarge { throw tooLarge }
  }

  private mutating func endFrame() throws(ProtocolViolation) -> Event? {
    guard let frame else { return nil }
    self.frame = nil
    switch frame.opcode {
    case .ping: return .ping(controlPayload)
    case .pong: return .pong(controlPayload)
    case .close:
      let body = controlPayload.withUnsafeBytes { payload in
        Result { () throws(ProtocolViolation) in try CloseBody(payload) }
      }
      return .close(try body.get())
    case .text, .binary, .continuation:
      guard frame.isFinal else { return nil }
      return .message(try endMessage())
    }
  }

  private mutating func endMessage() throws(ProtocolViolation) -> WebSocketMessage {
    if message?.isCompressed == true {
      var inflater = inflater.take()
      defer { self.inflater = inflater.take() }
      try inflater?.finish { piece throws(ProtocolViolation) in try appendText(piece) }
    }
    guard let ended = message else { preconditionFailure("A frame ended that had not begun.") }
    message = nil
    guard ended.validator.isComplete else { throw .textNotUTF8 }
    return WebSocketMessage(ended.kind, ended.bytes)
  }

  private var tooLarge: ProtocolViolation { .messageTooLarge(limit: maximumByteCount) }
}
