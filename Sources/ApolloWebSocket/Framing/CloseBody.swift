/// The content of a close frame: a code and a reason, or nothing.
///
/// Spec: RFC 6455, section 5.5.1.
struct CloseBody: Hashable, Sendable {
  var code: WebSocketCloseCode
  var reason: String

  init(code: WebSocketCloseCode, reason: String = "") {
    self.code = code
    self.reason = reason
  }

  init(_ payload: UnsafeRawBufferPointer) throws(ProtocolViolation) {
    guard !payload.isEmpty else {
      self.init(code: .none)
      return
    }
    guard payload.count >= 2 else { throw .closeBodyOfOneByte }
    let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    guard code.canBeSent else { throw .closeCode(code.rawValue) }
    let reason = UnsafeRawBufferPointer(rebasing: payload[2...])
    var validator = TextValidator()
    guard validator.accept(reason), validator.isComplete else { throw .closeReasonNotUTF8 }
    self.init(code: code, reason: String(decoding: reason, as: UTF8.self))
  }

  /// The bytes of the frame's payload. A reason that is too long is cut off between two characters.
  var payload: [UInt8] {
    guard code.canBeSent else { return [] }
    var bytes = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
    for scalar in reason.unicodeScalars {
      let encoded = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      if bytes.count + encoded.count > FrameHeader.controlPayloadLimit { break }
      bytes.append(contentsOf: encoded)
    }
    return bytes
  }
}
