import SeededRandom
import Testing

@testable import ApolloWebSocket

/// Everything that came out of a machine.
struct Transcript: Hashable {
  var messages: [WebSocketMessage] = []
  var pongs: [[UInt8]] = []
  var end: WebSocketEnd?
  /// The frames that were sent, as the other side reads them.
  var sent: [SentFrame] = []
}

/// A frame that a machine has written, without its mask.
struct SentFrame: Hashable {
  var opcode: Opcode
  var payload: [UInt8]
  var isCompressed = false

  static func close(_ code: UInt16, _ reason: String = "") -> SentFrame {
    SentFrame(
      opcode: .close, payload: CloseBody(code: .init(rawValue: code), reason: reason).payload)
  }

  static func pong(_ text: String) -> SentFrame {
    SentFrame(opcode: .pong, payload: Array(text.utf8))
  }
}

extension SocketMachine {
  /// Feeds pieces to a new machine, then lets `body` call it.
  static func transcript(
    of pieces: [ArraySlice<UInt8>], _ options: Options = Options(),
    thenEnds: Bool = false, before: (inout SocketMachine) -> Void = { _ in }
  ) -> Transcript {
    var machine = SocketMachine(options)
    var transcript = Transcript()
    var output: [UInt8] = []
    before(&machine)
    for piece in pieces {
      var copy = Array(piece)
      copy.withUnsafeMutableBytes { bytes in
        var rest = bytes[...]
        while let event = machine.receive(&rest) { transcript.add(event) }
        #expect(rest.isEmpty)
      }
      output += machine.takeOutput()
    }
    if thenEnds, let event = machine.receivedEnd() { transcript.add(event) }
    output += machine.takeOutput()
    transcript.sent = frames(in: output, from: options.role)
    return transcript
  }

  /// The frames in what a role has written. Records an issue if they are illegal.
  static func frames(in bytes: [UInt8], from role: SocketRole) -> [SentFrame] {
    var parser = FrameParser(
      rules: FrameRules(role: role == .client ? .server : .client, allowsCompression: true))
    var frames: [SentFrame] = []
    var copy = bytes
    copy.withUnsafeMutableBytes { bytes in
      var rest = bytes[...]
      do {
        while let event = try parser.next(&rest) {
          switch event {
          case .header(let header):
            #expect(header.isFinal)
            frames.append(
              SentFrame(opcode: header.opcode, payload: [], isCompressed: header.isCompressed))
          case .payload(let part): frames[frames.count - 1].payload += Array(part)
          case .end: break
          }
        }
      } catch {
        Issue.record("a machine has written an illegal frame: \(error)")
      }
    }
    return frames
  }
}

extension Transcript {
  mutating func add(_ event: SocketMachine.Event) {
    #expect(end == nil, "an event follows the end")
    switch event {
    case .message(let message): messages.append(message)
    case .pong(let payload): pongs.append(payload)
    case .end(let end): self.end = end
    }
  }
}

/// Bytes in every way of cutting them once, and in single bytes.
func splits(of bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
  var all = [[bytes[...]]]
  for index in bytes.indices.dropFirst() { all.append([bytes[..<index], bytes[index...]]) }
  all.append(bytes.indices.map { bytes[$0...$0] })
  return all
}

/// A generator whose type is `Sendable`.
struct TestKeys: RandomNumberGenerator, Sendable {
  var state: UInt64 = 1
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}

/// The bytes of a frame, legal or not.
func frame(
  _ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, reserved: UInt8 = 0,
  mask: MaskingKey? = nil
) -> [UInt8] {
  var bytes = [opcode | (isFinal ? 0x80 : 0) | reserved << 4]
  let maskBit: UInt8 = mask == nil ? 0 : 0x80
  switch payload.count {
  case ...125: bytes.append(UInt8(payload.count) | maskBit)
  case ...0xFFFF: bytes += [126 | maskBit, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
  default:
    bytes.append(127 | maskBit)
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
  }
  guard let mask else { return bytes + payload }
  mask.write(to: &bytes)
  return bytes
    + payload.enumerated().map { index, byte in
      byte ^ UInt8(truncatingIfNeeded: mask.word >> (UInt32(index % 4) * 8))
    }
}

func frame(_ opcode: UInt8, _ text: String, isFinal: Bool = true, reserved: UInt8 = 0) -> [UInt8] {
  frame(opcode, Array(text.utf8), isFinal: isFinal, reserved: reserved)
}
