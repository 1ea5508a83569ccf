import Testing

@testable import ApolloWebSocket

@Suite struct CompressionTests {
  private static let agreement = CompressionAgreement()

  private func options(_ limit: Int = 1 << 20) -> SocketMachine.Options {
    SocketMachine.Options(maximumMessageByteCount: limit, compression: Self.agreement)
  }

  /// The examples of RFC 7692, section 7.2.3.
  @Test(
    arguments: [
      ("one block", [[0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]]),
      (
        "the same again, with context",
        [
          [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00], [0xf2, 0x00, 0x11, 0x00, 0x00],
        ]
      ),
      ("no compression", [[0x00, 0x05, 0x00, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00]]),
      ("a last block", [[0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00]]),
      (
        "two blocks",
        [[0xf2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07, 0x00]]
      ),
    ] as [(String, [[UInt8]])])
  func readsTheExamplesOfTheSpecification(_ name: String, _ payloads: [[UInt8]]) {
    let bytes = payloads.flatMap { frame(1, $0, reserved: 4) }
    for pieces in splits(of: bytes) {
      let transcript = SocketMachine.transcript(of: pieces, options())
      #expect(transcript.messages == payloads.map { _ in .text("Hello") })
      #expect(transcript.end == nil)
    }
  }

  /// Content that fills the buffer for it, or nearly so, in a last block. An empty block may
  /// follow.
  @Test(arguments: [16_383, 16_384, 16_385, 32_768], [[], [0x00]] as [[UInt8]])
  func readsTheMessageAfterALastBlockOfAnySize(_ byteCount: Int, _ following: [UInt8]) {
    let text = String(repeating: "a", count: byteCount)
    let (low, high) = (UInt8(byteCount & 0xFF), UInt8(byteCount >> 8))
    let block = [0x01, low, high, ~low, ~high] + Array(text.utf8)
    let bytes =
      frame(1, block, isFinal: false, reserved: 4) + frame(0, following)
      + frame(1, [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00], reserved: 4)
    let transcript = SocketMachine.transcript(of: [bytes[...]], options())
    #expect(transcript.messages == [.text(text), .text("Hello")])
    #expect(transcript.end == nil)
  }

  @Test func readsCompressedFragmentsAndPlainMessages() {
    let bytes =
      frame(1, [0xf2, 0x48, 0xcd], isFinal: false, reserved: 4) + frame(9, "p")
      + frame(0, [0xc9, 0xc9, 0x07, 0x00]) + frame(1, "plain") + frame(2, [0x00], reserved: 4)
    for pieces in splits(of: bytes) {
      let transcript = SocketMachine.transcript(of: pieces, options())
      #expect(transcript.messages == [.text("Hello"), .text("plain"), .binary([])])
      #expect(transcript.sent == [.pong("p")])
    }
  }

  @Test(arguments: [
    ("a continuation", frame(1, "a", isFinal: false, reserved: 4) + frame(0, "b", reserved: 4)),
    ("a ping", frame(9, "a", reserved: 4)), ("a close", frame(8, [], reserved: 4)),
    ("other bits", frame(1, "a", reserved: 6)),
  ])
  func refusesTheBitOfCompressionOn(_ name: String, _ bytes: [UInt8]) {
    let transcript = SocketMachine.transcript(of: [bytes[...]], options())
    #expect(transcript.end?.reason == ProtocolViolation.reservedBits.clause)
  }

  @Test(
    arguments: [[0xFF, 0xFF, 0xFF], [0x07], [0xf2, 0x48, 0xcd, 0xc9, 0xFF, 0xFF, 0xFF]] as [[UInt8]]
  )
  func refusesWhatIsNotDeflate(_ payload: [UInt8]) {
    for pieces in splits(of: frame(1, payload, reserved: 4)) {
      #expect(SocketMachine.transcript(of: pieces, options()).end?.code == .invalidData)
    }
  }

  @Test func checksTextAfterDecompression() {
    var sender = SocketMachine(.init(role: .server, compression: Self.agreement))
    let isSent = sender.send(WebSocketMessage(.text, [UInt8](repeating: 0xFF, count: 1_000)))
    #expect(isSent)
    let bytes = sender.takeOutput()
    #expect(SocketMachine.transcript(of: [bytes[...]], options()).end?.code == .invalidData)
  }

  /// A text that is no UTF-8 and larger than the limit when it is decompressed. The first bad byte
  /// decides, whichever way the bytes are cut.
  @Test func reportsTheFirstOfTwoViolationsAtEverySplit() {
    var sender = SocketMachine(.init(role: .server, compression: Self.agreement))
    let isSent = sender.send(
      WebSocketMessage(.text, [0x61, 0xC9] + [UInt8](repeating: 1, count: 400)))
    #expect(isSent)
    for pieces in splits(of: sender.takeOutput()) {
      #expect(SocketMachine.transcript(of: pieces, options(300)).end?.code == .invalidData)
    }
  }

  /// 64 MiB of zeros are 64 KiB on the wire.
  @Test func stopsABombAtTheLimit() {
    var sender = SocketMachine(
      .init(role: .server, maximumMessageByteCount: .max, compression: Self.agreement))
    let isSent = sender.send(.binary([UInt8](repeating: 0, count: 64 << 20)))
    #expect(isSent)
    let bytes = sender.takeOutput()
    #expect(bytes.count < 300_000)
    let transcript = SocketMachine.transcript(of: [bytes[...]], options())
    #expect(transcript.end?.code == .messageTooLarge)
    #expect(transcript.messages == [])
  }

  @Test func takesAMessageOfExactlyTheLimit() {
    for (count, isTaken) in [(5_000, true), (5_001, false)] {
      var sender = SocketMachine(.init(role: .server, compression: Self.agreement))
      _ = sender.send(.binary([UInt8](repeating: 0, count: count)))
      let bytes = sender.takeOutput()
      let transcript = SocketMachine.transcript(of: [bytes[...]], options(5_000))
      #expect((transcript.messages.count == 1) == isTaken)
    }
  }

  @Test func sendsSmallMessagesAsTheyAre() {
    let transcript = SocketMachine.transcript(of: [], options()) { machine in
      _ = machine.send(.text("small"))
      _ = machine.send(.text(String(repeating: "large ", count: 100)))
    }
    #expect(transcript.sent.map(\.isCompressed) == [false, true])
    #expect((transcript.sent.last?.payload.count ?? 600) < 60)
  }

  // MARK: Negotiation

  @Test(
    arguments: [
      ("permessage-deflate", CompressionAgreement()),
      (
        "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
        .init(server: .init(takesOverContext: false), client: .init(takesOverContext: false))
      ),
      (
        "permessage-deflate; server_max_window_bits=10; client_max_window_bits=\"9\"",
        .init(server: .init(windowBits: 10), client: .init(windowBits: 9))
      ),
      ("permessage-deflate;client_max_window_bits = 15", .init()),
      ("permessage-deflate; client_max_window_bits", nil),
      ("permessage-deflate; server_max_window_bits", nil),
      ("permessage-deflate; server_max_window_bits=16", nil),
      ("permessage-deflate; server_max_window_bits=7", nil),
      ("permessage-deflate; server_max_window_bits=010", nil),
      ("permessage-deflate; server_no_context_takeover=1", nil),
      ("permessage-deflate; server_no_context_takeover; server_no_context_takeover", nil),
      ("permessage-deflate; unknown", nil), ("x-webkit-deflate-frame", nil),
    ] as [(String, CompressionAgreement?)])
  func decidesAboutTheServersSelection(_ header: String, _ expected: CompressionAgreement?) throws {
    let selections = try #require(ExtensionSelection.all(in: [header]))
    #expect(CompressionOffer().agreement(selections[0]) == expected)
  }

  @Test func insistsOnSeparateMessagesThatItHasAskedFor() throws {
    let offer = try #require(WebSocketCompression.eachMessage.offer)
    #expect(
      offer.headerValue
        == "permessage-deflate; server_no_context_takeover; client_no_context_takeover; client_max_window_bits"
    )
    let ignored = try #require(ExtensionSelection.all(in: ["permessage-deflate"]))
    #expect(offer.agreement(ignored[0]) == nil)
    let agreed = try #require(
      ExtensionSelection.all(in: ["permessage-deflate; server_no_context_takeover"]))
    let none = CompressionAgreement.Direction(takesOverContext: false)
    #expect(offer.agreement(agreed[0]) == CompressionAgreement(server: none, client: none))
    #expect(WebSocketCompression.none.offer == nil)
  }

  @Test(arguments: ["", " ", "a,,b", "a;", "a;=1", "a;b=", "a b", "a;b=\"c", "a;b=\"\""])
  func findsMalformedExtensions(_ header: String) {
    #expect(ExtensionSelection.all(in: [header]) == nil)
  }
}
