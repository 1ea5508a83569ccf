/// The frames of a WebSocket as a server reads and writes them.
///
/// Spec: RFC 6455, section 5.
struct WebSocketFrames {
  enum Opcode: UInt8 {
    case continuation, text, binary
    case close = 8
    case ping, pong
  }

  /// A whole message, or a frame that controls the connection.
  enum Event: Hashable {
    case text(String)
    case ping([UInt8])
    case pong
    /// The code to answer with, or `nil` if the client sent none.
    case close(UInt16?)
  }

  /// The reason for which the server ends the connection.
  struct Violation: Error, Hashable {
    let code: UInt16
    let reason: String
  }

  /// The number of bytes that a message may have.
  private let mostBytes: Int
  private var bytes: [UInt8] = []
  private var start = 0
  /// The frames of a message that has not ended.
  private var fragments: [UInt8]?

  init(mostBytes: Int = 16 << 20) { self.mostBytes = mostBytes }

  mutating func append(_ more: [UInt8]) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += more
  }

  /// Returns the next event, or `nil` if more bytes are needed.
  mutating func next() throws(Violation) -> Event? {
    while let frame = try takeFrame() {
      switch frame.opcode {
      case .text, .binary:
        guard fragments == nil else { throw Self.malformed("A message begins in another one.") }
        guard frame.opcode == .text else {
          throw Violation(code: 1003, reason: "Send texts.")
        }
        if frame.isLast { return .text(try Self.text(frame.payload)) }
        fragments = frame.payload
      case .continuation:
        guard let before = fragments else { throw Self.malformed("No message continues.") }
        guard before.count + frame.payload.count <= mostBytes else { throw Self.tooLarge }
        fragments = nil
        let all = before + frame.payload
        if frame.isLast { return .text(try Self.text(all)) }
        fragments = all
      case .ping: return .ping(frame.payload)
      case .pong: return .pong
      case .close: return .close(try Self.code(frame.payload))
      }
    }
    return nil
  }

  private struct Frame {
    let isLast: Bool
    let opcode: Opcode
    let payload: [UInt8]
  }

  private mutating func takeFrame() throws(Violation) -> Frame? {
    let rest = bytes[start...]
    guard rest.count >= 2 else { return nil }
    let (first, second) = (rest[start], rest[start + 1])
    guard first & 0x70 == 0, let opcode = Opcode(rawValue: first & 0x0F) else {
      throw Self.malformed("A frame has bits that mean nothing.")
    }
    guard second & 0x80 != 0 else { throw Self.malformed("A frame is not masked.") }
    let isLast = first & 0x80 != 0
    var length = Int(second & 0x7F)
    if opcode.rawValue >= 8, !isLast || length > 125 {
      throw Self.malformed("A control frame is too long, or one of several.")
    }
    var header = 2
    if length >= 126 {
      let size = length == 126 ? 2 : 8
      guard rest.count >= header + size else { return nil }
      let number = rest[(start + 2)..<(start + 2 + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard number <= UInt64(mostBytes) else { throw Self.tooLarge }
      length = Int(number)
      header += size
    }
    guard rest.count >= header + 4 + length else { return nil }
    let mask = Array(rest[(start + header)..<(start + header + 4)])
    let payload = rest[(start + header + 4)..<(start + header + 4 + length)].enumerated()
      .map { $1 ^ mask[$0 & 3] }
    start += header + 4 + length
    return Frame(isLast: isLast, opcode: opcode, payload: payload)
  }

  private static func text(_ bytes: [UInt8]) throws(Violation) -> String {
    // Decoding replaces what is not UTF-8.
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else {
      throw Violation(code: 1007, reason: "A text is not UTF-8.")
    }
    return text
  }

  private static func code(_ body: [UInt8]) throws(Violation) -> UInt16? {
    if body.isEmpty { return nil }
    guard body.count >= 2 else { throw malformed("The end has half a code.") }
    let code = UInt16(body[0]) << 8 | UInt16(body[1])
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: return code
    default: throw malformed("The end has a code that is not sent.")
    }
  }

  private static func malformed(_ reason: String) -> Violation {
    Violation(code: 1002, reason: reason)
  }

  private static var tooLarge: Violation {
    Violation(code: 1009, reason: "A message is too large.")
  }

  // MARK: Writing

  /// Returns a frame with a whole message.
  static func frame(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
    var head = [0x80 | opcode.rawValue]
    switch payload.count {
    case ...125: head.append(UInt8(payload.count))
    case ...0xFFFF: head += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default:
      head.append(127)
      head += stride(from: 56, through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: payload.count >> $0)
      }
    }
    return head + payload
  }
}
