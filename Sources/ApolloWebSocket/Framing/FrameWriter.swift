/// Writes the frames of one direction of a connection. Each message is one frame.
struct FrameWriter: ~Copyable {
  private let role: SocketRole
  private var keys: MaskingKeys
  private var deflater: Deflater?

  /// The size from which messages are compressed, if that was negotiated.
  static let compressedByteCounts = 128...(1 << 30)

  init(role: SocketRole, keys: MaskingKeys, deflater: consuming Deflater?) {
    self.role = role
    self.keys = keys
    self.deflater = deflater
  }

  /// Appends the frame of a message to `output`.
  mutating func write(_ message: WebSocketMessage, to output: inout [UInt8]) {
    let opcode: Opcode = message.kind == .text ? .text : .binary
    if Self.compressedByteCounts.contains(message.bytes.count),
      let compressed = deflater?.deflate(message.bytes)
    {
      write(opcode, compressed, isCompressed: true, to: &output)
    } else {
      write(opcode, message.bytes, to: &output)
    }
  }

  /// Appends a frame with a payload to `output`.
  mutating func write(
    _ opcode: Opcode, _ payload: [UInt8], isCompressed: Bool = false, to output: inout [UInt8]
  ) {
    let header = FrameHeader(
      opcode: opcode, isCompressed: isCompressed, maskingKey: role == .client ? keys.next() : nil,
      payloadByteCount: payload.count)
    header.write(to: &output)
    let start = output.count
    output.append(contentsOf: payload)
    guard let key = header.maskingKey else { return }
    output.withUnsafeMutableBytes { bytes in
      key.apply(to: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
    }
  }
}
