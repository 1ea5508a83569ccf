extension UnsafeBufferPointer<UInt8> {
  /// Returns the index of the first byte that does not belong to well-formed UTF-8, or `nil` if
  /// there is none.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes. ASCII is skipped 32 bytes at a time.
  package func firstInvalidUTF8Index() -> Int? {
    guard let start = baseAddress else { return nil }
    var index = 0
    while index < count {
      while index + 32 <= count, start.isASCII(at: index) { index += 32 }
      while index + 8 <= count, start.word(at: index) & WordScan.highBits == 0 { index += 8 }
      guard index < count else { break }
      let length = lengthOfScalar(at: index)
      if length == 0 { return index }
      index += length
    }
    return nil
  }

  /// Returns the number of bytes in the scalar at `index`, or zero if they are ill-formed.
  ///
  /// The ranges are those of table 3-7 of the Unicode Standard.
  private func lengthOfScalar(at index: Int) -> Int {
    let second: ClosedRange<UInt8>
    let length: Int
    switch self[index] {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
    case 0xE0: (second, length) = (0xA0...0xBF, 3)
    case 0xED: (second, length) = (0x80...0x9F, 3)
    case 0xE1...0xEF: (second, length) = (0x80...0xBF, 3)
    case 0xF0: (second, length) = (0x90...0xBF, 4)
    case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
    case 0xF4: (second, length) = (0x80...0x8F, 4)
    default: return 0
    }
    guard index + length <= count, second.contains(self[index + 1]) else { return 0 }
    for next in index + 2..<index + Swift.max(2, length) where !self[next].isUTF8Continuation {
      return 0
    }
    return length
  }
}

extension UnsafePointer<UInt8> {
  /// Returns whether the 32 bytes at `offset` are ASCII.
  @inline(__always)
  fileprivate func isASCII(at offset: Int) -> Bool {
    let bytes = VectorScan.load(self, at: offset) | VectorScan.load(self, at: offset + 16)
    // The cast is safe, because a vector of sixteen bytes has the size of two words.
    let words = unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
    return (words[0] | words[1]) & WordScan.highBits == 0
  }
}
