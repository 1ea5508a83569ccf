import SeededRandom
import Testing

@testable import ApolloWebSocket

@Suite struct SocketMachineTests {
  // MARK: Close codes

  @Test func acceptsExactlyTheCodesThatMayBeSent() {
    for code in UInt16.min...UInt16.max {
      let bytes = frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)])
      let transcript = SocketMachine.transcript(of: [bytes[...]])
      let isLegal =
        (1000...1003).contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code)
      guard (transcript.end?.origin == .peer) == isLegal,
        transcript.end?.code.rawValue == (isLegal ? code : 1002)
      else {
        Issue.record("code \(code) ends with \(String(describing: transcript.end))")
        return
      }
    }
  }

  @Test func cutsALongReasonBetweenCharacters() {
    let payload = CloseBody(code: 4000, reason: String(repeating: "€", count: 60)).payload
    #expect(payload.count == 2 + 41 * 3)
    #expect(String(decoding: payload[2...], as: UTF8.self) == String(repeating: "€", count: 41))
  }

  // MARK: The closing handshake

  private static let bye = CloseBody(code: 4000, reason: "bye")
  private static let byEnd = WebSocketEnd(code: 4000, reason: "bye", origin: .local)

  @Test(arguments: [
    ("the peer's close", frame(8, [0x03, 0xE8])), ("a violation", frame(3, "")),
    ("a message, then the close", frame(1, "late") + frame(8, "")),
    ("a ping, then the close", frame(9, "late") + frame(8, "")), ("nothing", []),
  ])
  func endsWithTheProgramsCodeAfterItHasClosed(_ name: String, _ bytes: [UInt8]) {
    for pieces in splits(of: bytes) {
      let transcript = SocketMachine.transcript(of: pieces, thenEnds: true) { machine in
        let results = [
          machine.close(Self.bye), machine.close(Self.bye), machine.send(.text("late")),
          machine.ping([]),
        ]
        #expect(results == [true, false, false, false])
      }
      #expect(transcript.end == Self.byEnd)
      #expect(transcript.messages == [])
      #expect(transcript.sent == [.close(4000, "bye")])
    }
  }

  @Test func sendsWhatIsQueuedBeforeItCloses() {
    let transcript = SocketMachine.transcript(of: []) { machine in
      _ = machine.send(.text("a"))
      _ = machine.ping([1])
      _ = machine.close(Self.bye)
    }
    #expect(
      transcript.sent == [
        SentFrame(opcode: .ping, payload: [1]), SentFrame(opcode: .text, payload: [0x61]),
        .close(4000, "bye"),
      ])
  }

  /// The response to the latest ping responds to all of them.
  @Test func keepsTheLatestPingOfThoseThatCannotBeSent() {
    let transcript = SocketMachine.transcript(of: []) { machine in
      for number in 1...100_000 { _ = machine.ping([UInt8(truncatingIfNeeded: number)]) }
      #expect(machine.outputByteCount < 16)
    }
    #expect(
      transcript.sent == [SentFrame(opcode: .ping, payload: [UInt8(truncatingIfNeeded: 100_000)])])
  }

  @Test func isLostWhenTheBytesEnd() {
    let lost = WebSocketEnd(code: .abnormal, origin: .network)
    #expect(SocketMachine.transcript(of: [], thenEnds: true).end == lost)
    let half = frame(1, "hello").dropLast(2)
    #expect(SocketMachine.transcript(of: [half], thenEnds: true).end == lost)
    let closed = frame(8, [0x03, 0xE8])
    #expect(SocketMachine.transcript(of: [closed[...]], thenEnds: true).end?.origin == .peer)
  }

  @Test func dropsWhatIsQueuedWhenItIsCancelled() {
    var machine = SocketMachine(.init())
    _ = machine.send(.text("a"))
    let events = [machine.cancel(), machine.cancel(), machine.receivedEnd()]
    #expect(events == [.end(WebSocketEnd(code: .abnormal, origin: .local)), nil, nil])
    let (output, isSent) = (machine.takeOutput(), machine.send(.text("late")))
    #expect(output == [])
    #expect(!isSent)
  }

  // MARK: Limits

  @Test func refusesAMessageByItsHeader() {
    let options = SocketMachine.Options(maximumMessageByteCount: 10)
    let violation = ProtocolViolation.messageTooLarge(limit: 10)
    for bytes: [UInt8] in [
      [0x81, 11], frame(1, "123456", isFinal: false) + [0x80, 5],
      frame(1, "1234567890", isFinal: false) + [0x00, 1],
      [0x82, 127, 0, 0, 1, 0, 0, 0, 0, 0],
    ] {
      for pieces in splits(of: bytes) {
        let transcript = SocketMachine.transcript(of: pieces, options)
        #expect(transcript.end?.reason == violation.clause)
        #expect(transcript.end?.code == .messageTooLarge)
      }
    }
    let allowed = frame(1, "12345", isFinal: false) + frame(0, "67890")
    #expect(SocketMachine.transcript(of: [allowed[...]], options).messages == [.text("1234567890")])
  }

  @Test func keepsOnlyTheLatestPongsOfAFlood() {
    var machine = SocketMachine(.init())
    let count = 10_000
    for index in 0..<count {
      var bytes = frame(9, [UInt8](repeating: UInt8(index & 0xFF), count: 100))
      bytes.withUnsafeMutableBytes { bytes in
        var rest = bytes[...]
        let event = machine.receive(&rest)
        #expect(event == nil)
      }
      let byteCount = machine.outputByteCount
      #expect(byteCount <= SocketMachine.pongByteLimit + 200)
    }
    let pongs = SocketMachine.frames(in: machine.takeOutput(), from: .client)
    #expect(pongs.last?.payload.first == UInt8((count - 1) & 0xFF))
  }

  @Test func joinsAMillionFragmentsOfOneByte() {
    var bytes = frame(1, "a", isFinal: false)
    for _ in 0..<1_000_000 { bytes += [0x00, 0x01, 0x62] }
    bytes += frame(0, "")
    let transcript = SocketMachine.transcript(of: [bytes[...]])
    #expect(transcript.messages.first?.bytes.count == 1_000_001)
  }

  @Test func ignoresAFloodOfEmptyFragments() {
    var bytes = frame(1, "a", isFinal: false)
    for _ in 0..<100_000 { bytes += [0x00, 0x00] }
    bytes += frame(0, "b")
    #expect(SocketMachine.transcript(of: [bytes[...]]).messages == [.text("ab")])
  }

  // MARK: Signs of life

  @Test func countsTheBytesOfAMessageThatIsNotComplete() {
    var machine = SocketMachine(.init())
    var bytes = frame(1, "abcd", isFinal: false) + frame(9, "ping") + frame(0, "ef")
    bytes.removeLast()
    let event = bytes.withUnsafeMutableBytes { bytes in
      var rest = bytes[...]
      return machine.receive(&rest)
    }
    let count = machine.receivedMessageByteCount
    #expect(event == nil)
    #expect(count == 5, "the last byte is missing, and pings do not count")
  }

  // MARK: Conversations

  /// A client and a server exchange random messages in random pieces, with and without compression.
  @Test(arguments: [
    nil, CompressionAgreement(),
    CompressionAgreement(
      server: .init(windowBits: 9, takesOverContext: false),
      client: .init(windowBits: 10, takesOverContext: false)),
    CompressionAgreement(server: .init(windowBits: 8), client: .init(windowBits: 8)),
  ])
  func carriesRandomMessages(_ compression: CompressionAgreement?) {
    var random = SeededGenerator(seed: freshSeed)
    for role in [SocketRole.client, .server] {
      var sender = SocketMachine(
        .init(role: role, compression: compression, keys: MaskingKeys(TestKeys())))
      var receiver = SocketMachine(
        .init(role: role == .client ? .server : .client, compression: compression))
      for _ in 0..<200 {
        let messages = (0..<Int.random(in: 1...5, using: &random)).map { _ in
          WebSocketMessage.random(using: &random)
        }
        for message in messages {
          let isSent = sender.send(message)
          #expect(isSent)
        }
        var received: [WebSocketMessage] = []
        var bytes = sender.takeOutput()[...]
        while !bytes.isEmpty {
          var piece = Array(bytes.prefix(Int.random(in: 1...4_000, using: &random)))
          bytes = bytes.dropFirst(piece.count)
          piece.withUnsafeMutableBytes { piece in
            var rest = piece[...]
            while let event = receiver.receive(&rest) {
              guard case .message(let message) = event else {
                Issue.record("\(event), seed \(freshSeed)")
                return
              }
              received.append(message)
            }
          }
        }
        #expect(received == messages, "seed \(freshSeed)")
      }
    }
  }
}

extension WebSocketMessage {
  static func random(using random: inout SeededGenerator) -> WebSocketMessage {
    let count = [0, 1, 100, 130, 1_000, 70_000].randomElement(using: &random) ?? 0
    let length = Int.random(in: 0...count, using: &random)
    if Bool.random(using: &random) {
      return .binary((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
    let words = ["{\"id\":", "\"type\":\"next\"", "payload", "€", "😀", " ", "}"]
    var text = ""
    while text.utf8.count < length { text += words.randomElement(using: &random) ?? "" }
    return .text(text)
  }
}
