/// Whether bytes are UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF, nothing cut off.
enum UTF8Validation {
  /// The offset of the first byte that begins no valid character, or `nil` when all do.
  static func firstInvalidOffset(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var index = 0
    while index < bytes.count {
      guard bytes[index] >= 0x80 else {
        index += 1
        continue
      }
      guard let length = lengthOfCharacter(in: bytes, at: index) else { return index }
      index += length
    }
    return nil
  }

  /// Unicode 3.9, table 3-7, "Well-Formed UTF-8 Byte Sequences".
  private static func lengthOfCharacter(
    in bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> Int? {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[index] {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard index + length <= bytes.count, second.contains(bytes[index + 1]),
      bytes[(index + 2)..<(index + length)].allSatisfy({ $0 & 0xC0 == 0x80 })
    else { return nil }
    return length
  }
}
