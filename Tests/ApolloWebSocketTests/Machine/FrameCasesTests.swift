import Testing

@testable import ApolloWebSocket

/// A sequence of bytes from a server, and everything that a client does with it.
struct FrameCase: CustomTestStringConvertible, Sendable {
  var name: String
  var bytes: [UInt8]
  var messages: [WebSocketMessage] = []
  var pongs: [[UInt8]] = []
  var sent: [SentFrame] = []
  var end: WebSocketEnd?
  var testDescription: String { name }

  /// A violation, after which nothing is read.
  static func violation(
    _ name: String, _ bytes: [UInt8], _ violation: ProtocolViolation,
    messages: [WebSocketMessage] = [], sent: [SentFrame] = []
  ) -> FrameCase {
    FrameCase(
      name: name, bytes: bytes, messages: messages,
      sent: sent + [.close(violation.closeCode.rawValue, violation.clause)],
      end: WebSocketEnd(
        code: violation.closeCode, reason: violation.clause, origin: .violation))
  }

  static func closed(
    _ name: String, _ payload: [UInt8], _ code: WebSocketCloseCode, _ reason: String = "",
    echo: SentFrame
  ) -> FrameCase {
    FrameCase(
      name: name, bytes: frame(8, payload), sent: [echo],
      end: WebSocketEnd(code: code, reason: reason, origin: .peer))
  }
}

/// The cases of the table are run whole, in single bytes, and cut at every position.
@Suite struct FrameCasesTests {
  @Test(arguments: FrameCase.legal + FrameCase.illegal + FrameCase.closing)
  func doesTheSameAtEverySplit(_ testCase: FrameCase) {
    var expected = Transcript()
    expected.messages = testCase.messages
    expected.pongs = testCase.pongs
    expected.sent = testCase.sent
    expected.end = testCase.end
    for pieces in splits(of: testCase.bytes) {
      let found = SocketMachine.transcript(of: pieces)
      #expect(found == expected, "in \(pieces.count) pieces, the first of \(pieces[0].count) bytes")
    }
  }
}

extension FrameCase {
  private static let euro = Array("€".utf8)

  static let legal: [FrameCase] =
    [0, 1, 125, 126, 127, 128, 300].flatMap { count -> [FrameCase] in
      let text = String(repeating: "*", count: count)
      return [
        FrameCase(name: "a text of \(count) bytes", bytes: frame(1, text), messages: [.text(text)]),
        FrameCase(
          name: "\(count) bytes", bytes: frame(2, [UInt8](repeating: 0xFE, count: count)),
          messages: [.binary([UInt8](repeating: 0xFE, count: count))]),
      ]
    } + [
      FrameCase(
        name: "two messages", bytes: frame(1, "a") + frame(2, [0xFF]),
        messages: [.text("a"), .binary([0xFF])]),
      FrameCase(
        name: "three fragments",
        bytes: frame(1, "a", isFinal: false)
          + frame(0, "b", isFinal: false) + frame(0, "c"), messages: [.text("abc")]),
      FrameCase(
        name: "empty fragments",
        bytes: frame(1, "", isFinal: false)
          + frame(0, "", isFinal: false) + frame(0, ""), messages: [.text("")]),
      FrameCase(
        name: "a character in three fragments",
        bytes: frame(1, [euro[0]], isFinal: false)
          + frame(0, [euro[1]], isFinal: false) + frame(0, [euro[2]]), messages: [.text("€")]),
      FrameCase(
        name: "a ping between fragments",
        bytes: frame(1, "a", isFinal: false) + frame(9, "p")
          + frame(0, "b"), messages: [.text("ab")], sent: [.pong("p")]),
      FrameCase(
        name: "pings with payloads of every length",
        bytes: [0, 1, 125].flatMap { frame(9, String(repeating: "x", count: $0)) },
        sent: [0, 1, 125].map { .pong(String(repeating: "x", count: $0)) }),
      FrameCase(
        name: "an unsolicited pong", bytes: frame(10, "") + frame(1, "a"),
        messages: [.text("a")], pongs: [[]]),
      FrameCase(
        name: "every kind of character", bytes: frame(1, "a\u{7FF}\u{800}\u{FFFF}\u{10FFFF}"),
        messages: [.text("a\u{7FF}\u{800}\u{FFFF}\u{10FFFF}")]),
      FrameCase(name: "part of a header", bytes: [0x81]),
      FrameCase(name: "part of a payload", bytes: [0x81, 0x05, 0x61]),
    ]

  static let illegal: [FrameCase] =
    [1, 2, 4, 3, 5, 6, 7].map { bits in
      violation("reserved bits \(bits)", frame(1, "a", reserved: bits), .reservedBits)
    }
    + [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map { opcode in
      violation(
        "opcode \(opcode)", frame(1, "a") + frame(opcode, "b"), .reservedOpcode(opcode),
        messages: [.text("a")])
    }
    + [
      violation("a masked frame", frame(1, [0x61], mask: MaskingKey(word: 7)), .masked),
      violation("a masked close", frame(8, [], mask: MaskingKey(word: 7)), .masked),
      violation("a continuation alone", frame(0, "a"), .continuationWithoutStart),
      violation(
        "a continuation alone, not final", frame(0, "a", isFinal: false),
        .continuationWithoutStart),
      violation(
        "a continuation after a message",
        frame(1, "a", isFinal: false) + frame(0, "b") + frame(0, "c"), .continuationWithoutStart,
        messages: [.text("ab")]),
      violation(
        "a text inside a text", frame(1, "a", isFinal: false) + frame(1, "b"),
        .messageInsideMessage),
      violation(
        "bytes inside a text", frame(1, "a", isFinal: false) + frame(2, "b"),
        .messageInsideMessage),
      violation(
        "a ping in two fragments", frame(9, "a", isFinal: false) + frame(0, "b"),
        .fragmentedControlFrame),
      violation("a pong in fragments", frame(10, "a", isFinal: false), .fragmentedControlFrame),
      violation("a close in fragments", frame(8, "", isFinal: false), .fragmentedControlFrame),
      violation(
        "a ping of 126 bytes", frame(9, String(repeating: "x", count: 126)),
        .controlFrameTooLarge),
      violation(
        "a close of 126 bytes", frame(8, [UInt8](repeating: 0x20, count: 126)),
        .controlFrameTooLarge),
      violation("a length of 125 in 16 bits", [0x81, 126, 0, 125], .lengthNotMinimal),
      violation(
        "a length of 0xFFFF in 64 bits", [0x81, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF],
        .lengthNotMinimal),
      violation("a length of 2⁶³", [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], .lengthTooLarge),
      violation(
        "a length of 2⁶³ - 1", [0x82, 127, 0x7F] + [UInt8](repeating: 0xFF, count: 7),
        .messageTooLarge(limit: 16 << 20)),
      violation("text that is not UTF-8", frame(1, [0xC0, 0xAF]), .textNotUTF8),
      violation("text that ends inside a character", frame(1, [0xE2, 0x82]), .textNotUTF8),
      violation("a surrogate", frame(1, [0xED, 0xA0, 0x80]), .textNotUTF8),
      violation("a character above U+10FFFF", frame(1, [0xF4, 0x90, 0x80, 0x80]), .textNotUTF8),
      violation(
        "a fragment that cannot become UTF-8",
        frame(1, [0x61, 0xFF], isFinal: false), .textNotUTF8),
      violation(
        "a character that another fragment breaks",
        frame(1, [0xE2], isFinal: false) + frame(0, [0x61]), .textNotUTF8),
      violation(
        "a ping, then a violation", frame(9, "p") + frame(3, ""), .reservedOpcode(3),
        sent: [.pong("p")]),
    ]

  static let closing: [FrameCase] = [
    closed("no code", [], .none, echo: SentFrame(opcode: .close, payload: [])),
    closed("1000", [0x03, 0xE8], 1000, echo: .close(1000)),
    closed(
      "4400 with a reason", [0x11, 0x30] + Array("bad €".utf8), 4400, "bad €",
      echo: .close(4400)),
    closed(
      "the longest reason", [0x03, 0xE8] + [UInt8](repeating: 0x61, count: 123), 1000,
      String(repeating: "a", count: 123), echo: .close(1000)),
    violation("half a code", frame(8, [0x03]), .closeBodyOfOneByte),
    violation("a reason that is not UTF-8", frame(8, [0x03, 0xE8, 0xFF]), .closeReasonNotUTF8),
    violation(
      "a reason that ends inside a character", frame(8, [0x03, 0xE8, 0xE2, 0x82]),
      .closeReasonNotUTF8),
    FrameCase(
      name: "frames after a close",
      bytes: frame(8, [0x03, 0xE8]) + frame(1, "late") + frame(3, ""),
      sent: [.close(1000)], end: WebSocketEnd(code: 1000, origin: .peer)),
    FrameCase(
      name: "a close inside a message", bytes: frame(1, "a", isFinal: false) + frame(8, ""),
      sent: [SentFrame(opcode: .close, payload: [])], end: WebSocketEnd(code: .none, origin: .peer)),
  ]
}
