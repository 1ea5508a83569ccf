/// The kind of a frame.
///
/// Spec: RFC 6455, section 5.2.
enum Opcode: UInt8, Hashable, Sendable {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xA

  var isControl: Bool { rawValue >= 0x8 }
}

/// The head of a frame.
///
/// Spec: RFC 6455, section 5.2.
struct FrameHeader: Hashable, Sendable {
  var opcode: Opcode
  /// `true` if the frame is the last one of its message.
  var isFinal = true
  /// `true` if the frame begins a compressed message (RFC 7692, section 6).
  var isCompressed = false
  var maskingKey: MaskingKey?
  var payloadByteCount: Int

  /// The largest payload of a control frame.
  static let controlPayloadLimit = 125

  /// The size of the largest header.
  static let maximumByteCount = 14

  /// Appends the header's bytes.
  func write(to bytes: inout [UInt8]) {
    bytes.append(opcode.rawValue | (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0))
    let maskBit: UInt8 = maskingKey == nil ? 0 : 0x80
    switch payloadByteCount {
    case ...125:
      bytes.append(UInt8(payloadByteCount) | maskBit)
    case ...0xFFFF:
      bytes.append(126 | maskBit)
      bytes.append(UInt8(payloadByteCount >> 8))
      bytes.append(UInt8(payloadByteCount & 0xFF))
    default:
      bytes.append(127 | maskBit)
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: payloadByteCount >> shift))
      }
    }
    maskingKey?.write(to: &bytes)
  }
}
