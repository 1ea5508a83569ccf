/// Finds bytes in a word of eight, without a loop.
///
/// A mask has the highest bit set in each matching byte, and all other bits clear. Only its lowest
/// set bit is exact: see ``mask(of:in:)``.
enum WordScan {
  static let lowBits: UInt64 = 0x0101_0101_0101_0101
  static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Returns a word of eight copies of `byte`.
  @inline(__always)
  static func repeated(_ byte: UInt8) -> UInt64 {
    UInt64(byte) &* lowBits
  }

  /// Returns the mask of the bytes equal to `byte`.
  ///
  /// Above the first match, the mask can also contain bytes equal to `byte + 1`.
  @inline(__always)
  static func mask(of byte: UInt8, in word: UInt64) -> UInt64 {
    let difference = word ^ repeated(byte)
    return (difference &- lowBits) & ~difference & highBits
  }

  /// Returns the mask of the bytes below `limit`, which is at most 128.
  ///
  /// Above the first match, the mask can also contain other bytes.
  @inline(__always)
  static func mask(below limit: UInt8, in word: UInt64) -> UInt64 {
    (word &- repeated(limit)) & ~word & highBits
  }

  /// Returns the index of the first byte in `mask`.
  @inline(__always)
  static func firstIndex(in mask: UInt64) -> Int {
    mask.trailingZeroBitCount >> 3
  }
}

/// Finds bytes in a vector of sixteen.
///
/// The result is two words in which each byte is all ones or all zeros. Reading the lanes of the
/// vector one by one would cost more than the vector saves.
enum VectorScan {
  typealias Bytes = SIMD16<UInt8>
  typealias Marks = SIMD16<Int8>

  /// Returns the sixteen bytes at `offset`.
  @inline(__always)
  static func load(_ bytes: UnsafePointer<UInt8>, at offset: Int) -> Bytes {
    UnsafeRawPointer(bytes + offset).loadUnaligned(as: Bytes.self)
  }

  /// Returns the marks of the bytes equal to `byte`.
  @inline(__always)
  static func marks(of byte: UInt8, in bytes: Bytes) -> Marks {
    marks(bytes .== Bytes(repeating: byte))
  }

  /// Returns the marks of the bytes that cannot occur in a name.
  @inline(__always)
  static func marksOfNonNameBytes(in bytes: Bytes) -> Marks {
    let letters =
      ((bytes | Bytes(repeating: 0x20)) &- Bytes(repeating: UInt8(ascii: "a")))
      .< Bytes(repeating: 26)
    let digits = (bytes &- Bytes(repeating: UInt8(ascii: "0"))) .< Bytes(repeating: 10)
    let underscores = bytes .== Bytes(repeating: UInt8(ascii: "_"))
    return ~(marks(letters) | marks(digits) | marks(underscores))
  }

  @inline(__always)
  private static func marks(_ mask: SIMDMask<Marks>) -> Marks {
    // The cast is safe, because a mask of sixteen lanes consists of sixteen bytes of ones or zeros.
    unsafeBitCast(mask, to: Marks.self)
  }

  /// Returns the marks of the first eight bytes and of the last eight, the first byte in the lowest
  /// bits.
  @inline(__always)
  static func words(_ marks: Marks) -> (low: UInt64, high: UInt64) {
    // The cast is safe, because a vector of sixteen bytes has the size of two words.
    let words = unsafeBitCast(marks, to: SIMD2<UInt64>.self)
    return (UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
  }

  /// Returns the index of the first marked byte, or 16 if there is none.
  @inline(__always)
  static func firstIndex(_ marks: (low: UInt64, high: UInt64)) -> Int {
    marks.low != 0
      ? marks.low.trailingZeroBitCount >> 3
      : 8 + (marks.high.trailingZeroBitCount >> 3)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the index of the first byte from `start` on that has a meaning of its own in strings
  /// or would need an escape: `"`, `\` or a control character. Returns `count` without one.
  @inline(__always)
  func nextSpecial(from start: Int) -> Int {
    var index = start
    while index &+ 8 <= count {
      // The read is safe, because the buffer has eight bytes from `index` on.
      let word = baseAddress.unsafelyUnwrapped.word(at: index)
      let mask =
        WordScan.mask(of: UInt8(ascii: "\""), in: word)
        | WordScan.mask(of: UInt8(ascii: "\\"), in: word) | WordScan.mask(below: 0x20, in: word)
      if mask != 0 { return index &+ WordScan.firstIndex(in: mask) }
      index &+= 8
    }
    while index < count {
      let byte = self[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      index &+= 1
    }
    return index
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether a name can start with the byte.
  @inlinable @inline(__always)
  package var isNameStart: Bool {
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 26 || self == UInt8(ascii: "_")
  }

  /// A Boolean value that indicates whether the byte is a decimal digit.
  @inlinable @inline(__always)
  package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// A Boolean value that indicates whether the byte is an ignored token by itself: white space, a
  /// line terminator or a comma.
  @inline(__always)
  var isIgnored: Bool {
    let ignored: UInt64 = 1 << 0x09 | 1 << 0x0A | 1 << 0x0D | 1 << 0x20 | 1 << 0x2C
    return self <= 0x2C && ignored >> UInt64(self) & 1 != 0
  }

  /// The value of a hexadecimal digit, or `nil` for other bytes.
  package var hexDigitValue: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
