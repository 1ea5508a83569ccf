import Testing

@testable import ApolloTransport

/// The scanner finds the end of an object or a list. It looks at eight bytes at a time, so the
/// cases have their bytes at each place of a word.
@Suite struct JSONScannerTests {
  @Test(arguments: 0..<8)
  func findsTheEndOfEachTextOfFewBytes(offset: Int) {
    let bytes = Array(#"{}[]"\a"#.utf8)
    let padding = Array(repeating: UInt8(ascii: "1"), count: offset)
    for length in 0...4 {
      var indices = Array(repeating: 0, count: length)
      repeat {
        let text = [UInt8(ascii: "{")] + padding + indices.map { bytes[$0] }
        for end in [[], Array("\"}]1234567\"}".utf8)] {
          expectSameEnd(text + end)
        }
      } while indices.increment(below: bytes.count)
    }
  }

  @Test func passesOverBytesThatDifferFromBracesInFewBits() {
    for byte in UInt8.min...UInt8.max {
      for offset in 1..<9 {
        let start = Array("{\(String(repeating: "1", count: offset))".utf8)
        expectSameEnd(start + [byte] + Array("}}}".utf8))
      }
    }
  }

  @Test func refusesMoreThanTheLargestDepth() {
    let depth = JSONScanner.maximumDepth
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(end(of: Array(text.utf8)) == 2 * depth)
    #expect(end(of: Array("[\(text)]".utf8)) == nil)
  }

  private func expectSameEnd(_ text: [UInt8]) {
    let (found, expected) = (end(of: text), endByteByByte(of: text))
    guard found != expected else { return }
    #expect(found == expected, "\(String(decoding: text, as: UTF8.self))")
  }

  /// The end of the object or the list at the beginning, or `nil` if there is none.
  private func end(of text: [UInt8]) -> Int? {
    text.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes, 0..<bytes.count)
      return try? scanner.skipValue().upperBound  // an error is what `nil` says
    }
  }

  /// The same, in the simplest way.
  private func endByteByByte(of text: [UInt8]) -> Int? {
    var (depth, isInString, isEscaped) = (0, false, false)
    for (index, byte) in text.enumerated() {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
    }
    return nil
  }
}

extension [Int] {
  /// Counts up, with the digits of a number whose base is `base`. Returns `false` after the last
  /// number.
  fileprivate mutating func increment(below base: Int) -> Bool {
    for index in indices {
      self[index] += 1
      if self[index] < base { return true }
      self[index] = 0
    }
    return false
  }
}
