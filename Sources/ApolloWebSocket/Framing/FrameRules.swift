/// The end of a connection that a state machine plays. Clients mask their frames, servers do not.
enum SocketRole: Hashable, Sendable {
  case client
  case server
}

/// The rules that decide whether a frame's header is legal.
struct FrameRules: Hashable, Sendable {
  /// The reader's role: a client refuses masked frames, a server those without a mask.
  var role = SocketRole.client
  /// `true` if compression was negotiated, which gives a meaning to the first reserved bit.
  var allowsCompression = false

  /// Returns the header at the beginning of `bytes` and its size, or `nil` if it is incomplete.
  ///
  /// The first two bytes are judged as soon as they are there.
  func header(
    in bytes: UnsafeRawBufferPointer
  ) throws(ProtocolViolation) -> (header: FrameHeader, byteCount: Int)? {
    guard bytes.count >= 2 else {
      if let first = bytes.first { _ = try opcode(of: first) }
      return nil
    }
    let (first, second) = (bytes[0], bytes[1])
    let opcode = try opcode(of: first)
    let isMasked = second & 0x80 != 0
    if isMasked != (role == .server) { throw isMasked ? .masked : .notMasked }
    let short = Int(second & 0x7F)
    if opcode.isControl && short > FrameHeader.controlPayloadLimit { throw .controlFrameTooLarge }

    let lengthByteCount = short == 127 ? 8 : short == 126 ? 2 : 0
    let byteCount = 2 + lengthByteCount + (isMasked ? 4 : 0)
    guard bytes.count >= 2 + lengthByteCount else { return nil }
    let length = try Self.length(short, in: bytes)
    guard bytes.count >= byteCount else { return nil }
    var header = FrameHeader(
      opcode: opcode, isFinal: first & 0x80 != 0, isCompressed: first & 0x40 != 0,
      payloadByteCount: length)
    if isMasked { header.maskingKey = MaskingKey(bytes, at: byteCount - 4) }
    return (header, byteCount)
  }

  private func opcode(of first: UInt8) throws(ProtocolViolation) -> Opcode {
    guard let opcode = Opcode(rawValue: first & 0x0F) else { throw .reservedOpcode(first & 0x0F) }
    // The first reserved bit marks the first frame of a compressed message.
    let mayBeCompressed = allowsCompression && (opcode == .text || opcode == .binary)
    if first & (mayBeCompressed ? 0x30 : 0x70) != 0 { throw .reservedBits }
    if opcode.isControl && first & 0x80 == 0 { throw .fragmentedControlFrame }
    return opcode
  }

  private static func length(
    _ short: Int, in bytes: UnsafeRawBufferPointer
  ) throws(ProtocolViolation) -> Int {
    switch short {
    case 126:
      let length = Int(bytes[2]) << 8 | Int(bytes[3])
      if length < 126 { throw .lengthNotMinimal }
      return length
    case 127:
      var number: UInt64 = 0
      for index in 2..<10 { number = number << 8 | UInt64(bytes[index]) }
      guard let length = Int(exactly: number) else { throw .lengthTooLarge }
      if length <= 0xFFFF { throw .lengthNotMinimal }
      return length
    default: return short
    }
  }
}
