import Foundation

extension UInt8 {
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")

  var isSpaceOrTab: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  /// `true` for the white space of JSON.
  var isWhitespace: Bool { isSpaceOrTab || self == .lineFeed || self == .carriageReturn }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the position of a byte in a range, or `nil` if there is none.
  func position(of byte: UInt8, in range: Range<Int>) -> Int? {
    guard let baseAddress, !range.isEmpty,
      let found = memchr(baseAddress + range.lowerBound, Int32(byte), range.count)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
  }

  /// Returns whether the bytes are those of a text.
  func isEqual(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount
      && (isEmpty || memcmp(baseAddress!, text.utf8Start, count) == 0)
  }

  /// Searches for a pattern and moves `position` to it. If there is none, moves `position` to the
  /// first byte from which more bytes could complete one.
  func find(_ pattern: UnsafeBufferPointer<UInt8>, from position: inout Int) -> Bool {
    while let candidate = self.position(of: pattern[0], in: position..<count) {
      let available = Swift.min(pattern.count, count - candidate)
      if memcmp(baseAddress! + candidate, pattern.baseAddress!, available) == 0 {
        position = candidate
        return available == pattern.count
      }
      position = candidate + 1
    }
    position = count
    return false
  }
}
