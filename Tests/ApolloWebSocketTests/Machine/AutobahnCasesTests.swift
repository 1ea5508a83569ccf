import Testing

@testable import ApolloWebSocket

/// The cases of the Autobahn test suite for clients, as a table: the suite itself needs Python 2.
///
/// As in the suite, the client echoes what it receives. A case is what the server sends, and what
/// the client sends back. Cases with the same numbers as in the suite do the same.
@Suite struct AutobahnCasesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var number: String
    var bytes: [UInt8]
    /// The sizes of the pieces in which the bytes arrive.
    var pieceByteCounts = [Int.max, 1, 997]
    var compression: CompressionAgreement?
    var expected: Expected
    var testDescription: String { number }

    enum Expected: Sendable {
      /// The frames that are sent back, after which the connection is open.
      case frames([SentFrame])
      /// The messages that are sent back, compressed or not.
      case messages([WebSocketMessage])
      /// The frames that are sent back, the last of which is a close frame with the code.
      case closed([SentFrame], UInt16)
    }
  }

  @Test(arguments: framing + controlFrames + headers + fragments + closing + codes)
  func behavesAsTheSuiteRequires(_ testCase: Case) { run(testCase) }

  @Test func readsAndRefusesText() {
    for testCase in Self.texts { run(testCase) }
  }

  @Test func carriesLargeAndCompressedMessages() {
    for testCase in Self.limits + Self.compressed { run(testCase) }
  }

  private func run(_ testCase: Case) {
    for size in testCase.pieceByteCounts where size != 1 || testCase.bytes.count < 5_000 {
      let (sent, messages) = echo(testCase.bytes, size, testCase.compression)
      let name: Comment = "case \(testCase.number) in pieces of \(size)"
      switch testCase.expected {
      case .frames(let frames): #expect(sent == frames, name)
      case .messages(let expected): #expect(messages == expected, name)
      case .closed(let frames, let code):
        #expect(sent.dropLast() == frames[...], name)
        let payload = sent.last.flatMap { $0.opcode == .close ? $0.payload : nil }
        let found = payload.map { $0.count < 2 ? 1005 : UInt16($0[0]) << 8 | UInt16($0[1]) }
        #expect(found == code, name)
      }
    }
  }

  /// Everything that an echoing client sends, and the messages that it has received.
  private func echo(
    _ bytes: [UInt8], _ size: Int, _ compression: CompressionAgreement?
  ) -> ([SentFrame], [WebSocketMessage]) {
    var machine = SocketMachine(.init(compression: compression))
    var output: [UInt8] = []
    var messages: [WebSocketMessage] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      var piece = Array(rest.prefix(size))
      rest = rest.dropFirst(piece.count)
      piece.withUnsafeMutableBytes { bytes in
        var input = bytes[...]
        while let event = machine.receive(&input) {
          // Each response is taken at once, so that pongs keep their place between echoes.
          output += machine.takeOutput()
          guard case .message(let message) = event else { continue }
          messages.append(message)
          _ = machine.send(message)
        }
      }
      output += machine.takeOutput()
    }
    return (SocketMachine.frames(in: output, from: .client), messages)
  }
}

// MARK: - The table

extension AutobahnCasesTests {
  private static func text(_ text: String) -> SentFrame {
    SentFrame(opcode: .text, payload: Array(text.utf8))
  }

  private static func violation(_ number: String, _ bytes: [UInt8], _ sent: [SentFrame] = [])
    -> Case
  {
    Case(number: number, bytes: bytes, expected: .closed(sent, 1002))
  }

  /// 1.1 and 1.2: payloads at the borders of the length's forms.
  static let framing: [Case] = [0, 125, 126, 127, 128, 65_535, 65_536].enumerated().flatMap {
    index, count in
    [(1, Opcode.text, UInt8(ascii: "*")), (2, .binary, 0xFE)].map { group, opcode, byte in
      let payload = [UInt8](repeating: byte, count: count)
      return Case(
        number: "1.\(group).\(index + 1)", bytes: frame(opcode.rawValue, payload),
        expected: .frames([SentFrame(opcode: opcode, payload: payload)]))
    }
  }

  /// 2: pings and pongs.
  static let controlFrames: [Case] = [
    Case(number: "2.1", bytes: frame(9), expected: .frames([.pong("")])),
    Case(
      number: "2.2", bytes: frame(9, "Hello, world!"), expected: .frames([.pong("Hello, world!")])),
    Case(
      number: "2.3", bytes: frame(9, [0x00, 0xFF, 0xFE, 0xFD]),
      expected: .frames([SentFrame(opcode: .pong, payload: [0x00, 0xFF, 0xFE, 0xFD])])),
    Case(
      number: "2.4", bytes: frame(9, [UInt8](repeating: 0xFE, count: 125)),
      expected: .frames([SentFrame(opcode: .pong, payload: [UInt8](repeating: 0xFE, count: 125))])),
    violation("2.5", frame(9, [UInt8](repeating: 0xFE, count: 126))),
    Case(
      number: "2.6", bytes: frame(9, [UInt8](repeating: 0xFE, count: 125)), pieceByteCounts: [1],
      expected: .frames([SentFrame(opcode: .pong, payload: [UInt8](repeating: 0xFE, count: 125))])),
    Case(number: "2.7", bytes: frame(10), expected: .frames([])),
    Case(number: "2.8", bytes: frame(10, "unsolicited"), expected: .frames([])),
    Case(
      number: "2.9", bytes: frame(10, "unsolicited") + frame(9, "ping"),
      expected: .frames([.pong("ping")])),
    Case(
      number: "2.10", bytes: (0..<10).flatMap { frame(9, "payload-\($0)") },
      expected: .frames((0..<10).map { .pong("payload-\($0)") })),
    Case(
      number: "2.11", bytes: (0..<10).flatMap { frame(9, "payload-\($0)") }, pieceByteCounts: [1],
      expected: .frames((0..<10).map { .pong("payload-\($0)") })),
  ]

  /// 3 and 4: reserved bits and reserved opcodes.
  static let headers: [Case] = {
    let bits: [Case] = (1...7).map { bits in
      let bytes = frame(1, "first") + frame(1, "Hello", reserved: UInt8(bits)) + frame(9)
      return violation("3.\(bits)", bytes, [text("first")])
    }
    let opcodes: [UInt8] = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15]
    return bits
      + opcodes.map { opcode in
        let bytes = frame(1, "first") + frame(opcode, "x") + frame(9)
        return violation("4, opcode \(opcode)", bytes, [text("first")])
      }
  }()

  private static let first = frame(1, "fragment1", isFinal: false)
  private static let second = frame(0, "fragment2")
  private static let joined = text("fragment1fragment2")

  /// 5: fragments.
  static let fragments: [Case] =
    [
      violation("5.1", frame(9, "f1", isFinal: false) + frame(0, "f2")),
      violation("5.2", frame(10, "f1", isFinal: false) + frame(0, "f2")),
      Case(number: "5.3", bytes: first + second, expected: .frames([joined])),
      Case(number: "5.5", bytes: first + second, pieceByteCounts: [1], expected: .frames([joined])),
      Case(
        number: "5.6", bytes: first + frame(9, "ping") + second,
        expected: .frames([.pong("ping"), joined])),
      Case(
        number: "5.8", bytes: first + frame(9, "ping") + second, pieceByteCounts: [1],
        expected: .frames([.pong("ping"), joined])),
      violation("5.9", frame(0, "non-continuation") + frame(1, "Hello")),
      violation("5.12", frame(0, "non-continuation", isFinal: false) + frame(1, "Hello")),
      violation("5.15", first + second + frame(0, "f3", isFinal: false) + frame(1, "f4"), [joined]),
      violation(
        "5.16", frame(0, "f1", isFinal: false) + frame(1, "f2", isFinal: false) + frame(0, "f3")),
      violation("5.17", frame(0, "f1") + frame(1, "f2", isFinal: false) + frame(0, "f3")),
      violation("5.18", frame(1, "f1", isFinal: false) + frame(1, "f2")),
    ]
    + [[Int.max, 997], [1]].enumerated().map { index, sizes in
      let parts = (1...5).map { "fragment\($0)" }
      let bytes =
        frame(1, parts[0], isFinal: false) + frame(0, parts[1], isFinal: false)
        + frame(9, "pongme 1!")
        + frame(0, parts[2], isFinal: false) + frame(0, parts[3], isFinal: false)
        + frame(9, "pongme 2!") + frame(0, parts[4])
      return Case(
        number: "5.\(19 + index)", bytes: bytes, pieceByteCounts: sizes,
        expected: .frames([.pong("pongme 1!"), .pong("pongme 2!"), text(parts.joined())]))
    }

  /// 6: text in UTF-8, whole, in fragments and in single bytes.
  static let texts: [Case] = {
    func inSingleBytes(_ bytes: [UInt8]) -> [UInt8] {
      frame(1, [], isFinal: false) + bytes.flatMap { frame(0, [$0], isFinal: false) } + frame(0)
    }
    var all: [Case] = []
    for (index, bytes) in valid.enumerated() {
      let echoed = Case.Expected.frames([SentFrame(opcode: .text, payload: bytes)])
      for form in [frame(1, bytes), inSingleBytes(bytes)] {
        all.append(Case(number: "6, valid \(index)", bytes: form, expected: echoed))
      }
    }
    for (index, bytes) in invalid.enumerated() {
      // Inside other text it may not be completed by what follows.
      let inside = Array("κόσμε".utf8) + bytes + Array("edited".utf8)
      for form in [frame(1, bytes), inSingleBytes(bytes), frame(1, inside)] {
        all.append(Case(number: "6, invalid \(index)", bytes: form, expected: .closed([], 1007)))
      }
    }
    return all
  }()

  private static let valid: [[UInt8]] = {
    let texts = ["", "Hello-µ@ßöäüàá-UTF-8!!", "κόσμε"].map { Array($0.utf8) }
    // The first and the last character of each length, and those around the surrogates.
    let borders: [[UInt8]] = [
      [0x00], [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xEF, 0xBF, 0xBF],
      [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80],
      [0xEF, 0xBF, 0xBD],
    ]
    let noncharacters = (1...16).flatMap { (plane: UInt32) -> [[UInt8]] in
      [plane << 16 | 0xFFFE, plane << 16 | 0xFFFF].compactMap { Unicode.Scalar($0) }
        .map { Array(String($0).utf8) }
    }
    return texts + borders + noncharacters
  }()

  private static let invalid: [[UInt8]] =
    cuts + tooLarge + continuations + beginnings + tooLong + surrogates

  /// Every cut inside a character.
  private static let cuts: [[UInt8]] = [
    [0xCE], [0xE1, 0xBD], [0xE1], [0xF0], [0xF0, 0x90], [0xF0, 0x90, 0x80],
  ]

  /// Forms of five and six bytes, and beyond U+10FFFF.
  private static let tooLarge: [[UInt8]] = [
    [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80],
    [0xF7, 0xBF, 0xBF, 0xBF], [0xFB, 0xBF, 0xBF, 0xBF, 0xBF], [0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF],
    [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xFE, 0xFE, 0xFF, 0xFF],
  ]

  /// Continuations without a beginning.
  private static let continuations: [[UInt8]] =
    (1...7).map { count in (0..<count).map { $0 % 2 == 0 ? 0x80 : 0xBF } } + [Array(0x80...0xBF)]

  /// Beginnings without a continuation.
  private static let beginnings: [[UInt8]] = (0xC0...0xFD).map { [UInt8($0), 0x20] }

  /// Characters in more bytes than they need.
  private static let tooLong: [[UInt8]] = [
    [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF],
    [0xF0, 0x8F, 0xBF, 0xBF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80],
  ]

  /// Surrogates, alone and in pairs.
  private static let surrogates: [[UInt8]] = [
    [0xED, 0xA0, 0x80], [0xED, 0xAD, 0xBF], [0xED, 0xAE, 0x80], [0xED, 0xAF, 0xBF],
    [0xED, 0xB0, 0x80], [0xED, 0xBE, 0x80], [0xED, 0xBF, 0xBF],
    [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80], [0xED, 0xAF, 0xBF, 0xED, 0xBF, 0xBF],
  ]

  private static func close(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
    frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
  }

  /// 7: the closing handshake.
  static let closing: [Case] =
    [
      Case(
        number: "7.1.1", bytes: frame(1, "Hello") + close(1000),
        expected: .closed([text("Hello")], 1000)),
      Case(number: "7.1.2", bytes: close(1000) + close(1000), expected: .closed([], 1000)),
      Case(number: "7.1.3", bytes: close(1000) + frame(9), expected: .closed([], 1000)),
      Case(number: "7.1.4", bytes: close(1000) + frame(1, "late"), expected: .closed([], 1000)),
      Case(number: "7.1.5", bytes: first + close(1000) + second, expected: .closed([], 1000)),
      Case(
        number: "7.1.6",
        bytes: frame(1, String(repeating: "A", count: 256 << 10)) + close(1000) + frame(9),
        expected: .closed([text(String(repeating: "A", count: 256 << 10))], 1000)),
      Case(number: "7.3.1", bytes: frame(8), expected: .closed([], 1005)),
      violation("7.3.2", frame(8, [0x61])),
      Case(number: "7.3.3", bytes: close(1000), expected: .closed([], 1000)),
      Case(
        number: "7.3.4", bytes: close(1000, Array("Hello World!".utf8)), expected: .closed([], 1000)
      ),
      Case(
        number: "7.3.5", bytes: close(1000, [UInt8](repeating: 0x2A, count: 123)),
        expected: .closed([], 1000)),
      violation("7.3.6", close(1000, [UInt8](repeating: 0x2A, count: 124))),
      Case(
        number: "7.5.1", bytes: close(1000, Array("κόσμε".utf8) + [0xED, 0xA0, 0x80]),
        expected: .closed([], 1007)),
    ]

  /// 7.7 and 7.9: the codes.
  static let codes: [Case] = {
    let legal: [UInt16] = [
      1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999,
    ]
    let illegal: [UInt16] = [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999, 5000, 65_535]
    return legal.map { code in
      Case(number: "7.7, code \(code)", bytes: close(code), expected: .closed([], code))
    } + illegal.map { code in violation("7.9, code \(code)", close(code)) }
  }()

  /// 9 and 10: large messages, in one frame and in fragments.
  static let limits: [Case] = {
    var all: [Case] = []
    for shift in [16, 18, 20, 22, 24] {
      let count = 1 << shift
      let payload = [UInt8](repeating: 0x2A, count: count)
      let echoed = Case.Expected.messages([WebSocketMessage(.text, payload)])
      var parts: [UInt8] = []
      for index in 0..<64 {
        let part = [UInt8](repeating: 0x2A, count: count / 64)
        parts += frame(index == 0 ? 1 : 0, part, isFinal: index == 63)
      }
      all.append(
        Case(
          number: "9.1, \(count) bytes", bytes: frame(1, payload), pieceByteCounts: [65_536],
          expected: echoed))
      all.append(
        Case(
          number: "9.3, \(count) bytes in fragments", bytes: parts, pieceByteCounts: [65_536],
          expected: echoed))
    }
    return all
  }()

  /// 12 and 13: compressed messages of many sizes and with every agreement.
  static let compressed: [Case] = {
    var all: [Case] = []
    for bits in [8, 9, 12, 15] {
      for takesOverContext in [true, false] {
        for count in [16, 64, 256, 1_024, 8_192, 131_072] {
          all.append(compressed(count, bits, takesOverContext))
        }
      }
    }
    return all
  }()

  private static func compressed(_ count: Int, _ bits: Int, _ takesOverContext: Bool) -> Case {
    let direction = CompressionAgreement.Direction(
      windowBits: bits, takesOverContext: takesOverContext)
    let agreement = CompressionAgreement(server: direction, client: direction)
    var server = SocketMachine(.init(role: .server, compression: agreement))
    let words = ["{\"id\":", "next", "payload", "€", " "]
    var messages: [WebSocketMessage] = []
    for round in 0..<20 {
      var text = ""
      while text.utf8.count < count { text += words[(text.utf8.count + round) % words.count] }
      messages.append(.text(text))
      _ = server.send(.text(text))
    }
    return Case(
      number: "12, \(count) bytes, \(bits) bits, context \(takesOverContext)",
      bytes: server.takeOutput(), pieceByteCounts: [.max, 997], compression: agreement,
      expected: .messages(messages))
  }
}
