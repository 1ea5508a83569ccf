import Testing

@testable import LocalHTTP

@Suite struct WebSocketFramesTests {
  /// Returns a frame as a client sends it.
  static func frame(
    _ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true, mask: [UInt8] = [1, 2, 3, 4]
  ) -> [UInt8] {
    var bytes = WebSocketFrames.frame(.text, payload)
    bytes[0] = (isLast ? 0x80 : 0) | opcode
    bytes[1] |= 0x80
    return Array(bytes.dropLast(payload.count)) + mask
      + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  private static func text(_ text: String) -> [UInt8] { frame(1, Array(text.utf8)) }

  /// Returns the events of bytes, and the violation that ends them.
  private func events(
    _ bytes: [UInt8], size: Int, mostBytes: Int = 1_000
  ) -> (events: [WebSocketFrames.Event], violation: WebSocketFrames.Violation?) {
    var frames = WebSocketFrames(mostBytes: mostBytes)
    var events: [WebSocketFrames.Event] = []
    do throws(WebSocketFrames.Violation) {
      for start in stride(from: 0, to: bytes.count, by: size) {
        frames.append(Array(bytes[start..<min(start + size, bytes.count)]))
        while let event = try frames.next() { events.append(event) }
      }
    } catch {
      return (events, error)
    }
    return (events, nil)
  }

  private static let long = String(repeating: "é", count: 300)

  @Test(arguments: [1, 2, 3, 7, 10_000])
  func messagesComeInPiecesOfAnySize(size: Int) {
    let bytes =
      Self.text("") + Self.text("hi") + Self.text(Self.long)
      + Self.frame(1, Array("a".utf8), isLast: false) + Self.frame(9, [7])
      + Self.frame(0, Array("b".utf8), isLast: false) + Self.frame(0, Array("c".utf8))
      + Self.frame(10, []) + Self.frame(8, [3, 232])
    let found = events(bytes, size: size)
    #expect(
      found.events == [
        .text(""), .text("hi"), .text(Self.long), .ping([7]), .text("abc"), .pong, .close(1000),
      ])
    #expect(found.violation == nil)
  }

  @Test(
    arguments: [
      (Array(WebSocketFrames.frame(.text, [65])), 1002), (frame(0x41, [65]), 1002),
      (frame(3, []), 1002), (frame(0, [65]), 1002), (frame(2, [65]), 1003),
      (frame(1, [65], isLast: false) + frame(1, [65]), 1002), (frame(1, [0xC3]), 1007),
      (frame(9, [], isLast: false), 1002), (frame(9, [UInt8](repeating: 0, count: 126)), 1002),
      (frame(8, [3]), 1002), (frame(8, [3, 237]), 1002), (frame(8, [3, 238]), 1002),
      (frame(1, [UInt8](repeating: 65, count: 1_001)), 1009),
      (
        frame(1, [UInt8](repeating: 65, count: 600), isLast: false)
          + frame(0, [UInt8](repeating: 65, count: 600)), 1009
      ),
      ([0x81, 0xFF] + [UInt8](repeating: 0xFF, count: 8), 1009),
    ] as [([UInt8], UInt16)])
  func aViolationEndsTheConnectionWithItsCode(bytes: [UInt8], code: UInt16) {
    for size in [1, 10_000] {
      let found = events(bytes, size: size)
      #expect(found.violation?.code == code, "\(found)")
      #expect(found.events.isEmpty)
    }
  }

  @Test(arguments: [0, 125, 126, 65_535, 65_536])
  func framesOfEverySizeAreRead(count: Int) {
    let payload = [UInt8](repeating: 65, count: count)
    let found = events(Self.frame(1, payload), size: 100_000, mostBytes: 1 << 20)
    #expect(found.events == [.text(String(repeating: "A", count: count))])
  }
}
