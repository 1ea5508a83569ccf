import SeededRandom
import Testing

@testable import ApolloWebSocket

@Suite struct MaskingKeyTests {
  @Test func masksByteByByteAtEveryLengthAndOffset() {
    let key = MaskingKey(word: 0x4433_2211)
    let pattern: [UInt8] = [0x11, 0x22, 0x33, 0x44]
    for length in 0...200 {
      for offset in 0..<9 {
        var bytes = (0..<(length + offset)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let expected = bytes.enumerated().map { index, byte in
          index < offset ? byte : byte ^ pattern[(index - offset) % 4]
        }
        bytes.withUnsafeMutableBytes { bytes in
          key.apply(to: UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]))
        }
        #expect(bytes == expected)
      }
    }
  }

  @Test func continuesInsideAPayload() {
    let key = MaskingKey(word: 0x4433_2211)
    for split in 0...70 {
      var whole = [UInt8](repeating: 0, count: 70)
      whole.withUnsafeMutableBytes { key.apply(to: $0) }
      var parts = [UInt8](repeating: 0, count: 70)
      parts.withUnsafeMutableBytes { bytes in
        key.apply(to: UnsafeMutableRawBufferPointer(rebasing: bytes[..<split]))
        key.advanced(by: split).apply(to: UnsafeMutableRawBufferPointer(rebasing: bytes[split...]))
      }
      #expect(parts == whole)
    }
  }

  @Test func usesAFreshKeyForEachFrame() {
    var machine = SocketMachine(.init())
    for _ in 0..<100 { _ = machine.send(.text("same")) }
    let output = machine.takeOutput()
    let size = 2 + 4 + 4
    let keys = Set(stride(from: 2, to: output.count, by: size).map { Array(output[$0..<($0 + 4)]) })
    #expect(keys.count == 100)
  }
}
