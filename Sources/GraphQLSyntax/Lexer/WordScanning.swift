/// Finding bytes of a kind in a word of eight, without a loop.
///
/// Every mask has the highest bit of each byte in question set, and nothing else; the lowest one
/// that is set is exact.
enum WordScan {
  static let lowBits: UInt64 = 0x0101_0101_0101_0101
  static let highBits: UInt64 = 0x8080_8080_8080_8080

  @inline(__always)
  static func repeated(_ byte: UInt8) -> UInt64 {
    UInt64(byte) &* lowBits
  }

  /// Which bytes equal `byte`. Above the first that does, a byte that is greater by one may be
  /// marked as well.
  @inline(__always)
  static func mask(of byte: UInt8, in word: UInt64) -> UInt64 {
    let difference = word ^ repeated(byte)
    return (difference &- lowBits) & ~difference & highBits
  }

  /// Which bytes cannot be in a name.
  @inline(__always)
  static func maskOfNonName(in word: UInt64) -> UInt64 {
    let ascii = word & ~highBits
    let letters = mask(
      from: UInt8(ascii: "a"), through: UInt8(ascii: "z"), in: ascii | repeated(0x20))
    let digits = mask(from: UInt8(ascii: "0"), through: UInt8(ascii: "9"), in: ascii)
    let underscores = ~((ascii ^ repeated(UInt8(ascii: "_"))) &+ repeated(0x7F))
    return (~(letters | digits | underscores) | word) & highBits
  }

  /// Which bytes are in a range, when none has its highest bit set. Bits other than the highest are
  /// noise.
  @inline(__always)
  private static func mask(from first: UInt8, through last: UInt8, in word: UInt64) -> UInt64 {
    let atLeast = word &+ repeated(0x80 - first)
    let above = word &+ repeated(0x80 - last - 1)
    return atLeast & ~above
  }

  /// The index of the first byte that `mask` marks.
  @inline(__always)
  static func firstIndex(in mask: UInt64) -> Int {
    mask.trailingZeroBitCount >> 3
  }
}

extension UInt8 {
  @inline(__always)
  var isNameStart: Bool {
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 26 || self == UInt8(ascii: "_")
  }

  @inline(__always)
  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// White space, line terminators and commas: what is ignored and has one byte.
  @inline(__always)
  var isIgnored: Bool {
    let ignored: UInt64 = 1 << 0x09 | 1 << 0x0A | 1 << 0x0D | 1 << 0x20 | 1 << 0x2C
    return self <= 0x2C && ignored >> UInt64(self) & 1 != 0
  }

  var hexDigitValue: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
