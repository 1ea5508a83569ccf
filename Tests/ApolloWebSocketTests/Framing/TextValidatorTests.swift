import SeededRandom
import Testing

@testable import ApolloWebSocket

@Suite struct TextValidatorTests {
  private func isText(_ pieces: [ArraySlice<UInt8>]) -> Bool {
    var validator = TextValidator()
    for piece in pieces {
      guard piece.withUnsafeBytes({ validator.accept($0) }) else { return false }
    }
    return validator.isComplete
  }

  /// Every sequence of two bytes, and every lead byte with every second byte and fitting rests.
  @Test func agreesWithTheStandardLibraryOnShortSequences() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        for rest: [UInt8] in [[], [0x80], [0x80, 0xBF], [0x61]] {
          let bytes = [first, second] + rest
          let expected = String(validating: bytes, as: UTF8.self) != nil
          guard isText([bytes[...]]) == expected,
            isText(bytes.indices.map { bytes[$0...$0] }) == expected
          else {
            Issue.record("\(bytes)")
            return
          }
        }
      }
    }
  }

  @Test func agreesWithTheStandardLibraryOnRandomTextInPieces() {
    var random = SeededGenerator(seed: freshSeed)
    for _ in 0..<2_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        let word = ["a", "é", "€", "😀", String(repeating: "x", count: 40)].randomElement(
          using: &random)
        bytes += Array((word ?? "").utf8)
      }
      if Bool.random(using: &random), !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      let cut = Int.random(in: 0...bytes.count, using: &random)
      let expected = String(validating: bytes, as: UTF8.self) != nil
      #expect(isText([bytes[..<cut], bytes[cut...]]) == expected, "\(bytes), seed \(freshSeed)")
    }
  }
}
