/// A rule of the protocol, or a limit, that the peer has broken.
///
/// Spec: RFC 6455, sections 5, 7.4 and 8.1; RFC 7692, section 7.2.
enum ProtocolViolation: Error, Hashable, Sendable {
  case reservedBits
  case reservedOpcode(UInt8)
  case masked
  case notMasked
  case lengthNotMinimal
  case lengthTooLarge
  case fragmentedControlFrame
  case controlFrameTooLarge
  case continuationWithoutStart
  case messageInsideMessage
  case closeBodyOfOneByte
  case closeCode(UInt16)
  case closeReasonNotUTF8
  case textNotUTF8
  case notDeflated
  case messageTooLarge(limit: Int)

  /// The code with which the connection is closed.
  var closeCode: WebSocketCloseCode {
    switch self {
    case .closeReasonNotUTF8, .textNotUTF8, .notDeflated: .invalidData
    case .messageTooLarge: .messageTooLarge
    default: .protocolError
    }
  }

  /// The violation as a clause of a sentence, short enough for a close frame.
  var clause: String {
    switch self {
    case .reservedBits: "a frame has reserved bits"
    case .reservedOpcode(let opcode): "a frame has the reserved opcode \(opcode)"
    case .masked: "a frame of the server is masked"
    case .notMasked: "a frame of the client is not masked"
    case .lengthNotMinimal: "a frame's length is not in its shortest form"
    case .lengthTooLarge: "a frame's length has its highest bit set"
    case .fragmentedControlFrame: "a control frame is fragmented"
    case .controlFrameTooLarge: "a control frame has more than 125 bytes"
    case .continuationWithoutStart: "a continuation has no message to continue"
    case .messageInsideMessage: "a message starts inside another one"
    case .closeBodyOfOneByte: "a close frame has half a code"
    case .closeCode(let code): "a close frame has the invalid code \(code)"
    case .closeReasonNotUTF8: "a close reason is not UTF-8"
    case .textNotUTF8: "a text message is not UTF-8"
    case .notDeflated: "a message cannot be decompressed"
    case .messageTooLarge(let limit): "a message is larger than the limit of \(limit) bytes"
    }
  }
}
