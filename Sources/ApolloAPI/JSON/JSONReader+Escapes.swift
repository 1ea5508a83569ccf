/// Reusable memory in which strings with escapes are decoded.
struct EscapeBuffer: ~Copyable {
  /// Meaningless while the capacity is 0.
  private(set) var start: UnsafeMutablePointer<UInt8>
  private var capacity = 0

  init() {
    start = UnsafeMutablePointer(bitPattern: 1)!  // not 0
  }

  deinit {
    if capacity > 0 { start.deallocate() }
  }

  /// Makes room for `count` bytes and four more words, and keeps the first `used` bytes.
  @inline(__always)
  mutating func reserve(_ count: Int, keeping used: Int) {
    if count &+ 32 > capacity { grow(to: (count + 32) * 2, keeping: used) }
  }

  @inline(never)
  private mutating func grow(to newCapacity: Int, keeping used: Int) {
    let newCapacity = max(newCapacity, 512)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
    if capacity > 0 {
      larger.initialize(from: start, count: used)
      start.deallocate()
    }
    start = larger
    capacity = newCapacity
  }
}

extension JSONReader {
  /// Reads a string with a backslash or control character at `last`, which is the first one.
  @inline(never)
  mutating func readEscapedString(
    from first: UnsafePointer<UInt8>, to last: UnsafePointer<UInt8>, isASCII: Bool
  ) throws(ReadFailure) -> String {
    let (count, isASCII) = try unescape(from: first, to: last, isASCII: isASCII)
    let bytes = UnsafeBufferPointer(
      start: UnsafePointer(escapeBuffer.pointee.start), count: count)
    guard isASCII || UTF8Validation.isValid(bytes) else {
      throw invalidUTF8(in: UnsafeBufferPointer(start: first, count: cursor - 1 - first))
    }
    return string(bytes, isASCII: isASCII)
  }

  /// Decodes a string into the buffer and consumes it. Returns the number of bytes, and whether all
  /// are ASCII.
  ///
  /// Between escapes, text is scanned and copied in one pass. Line breaks of two characters are one
  /// step, because a text with them has one in each line.
  private mutating func unescape(
    from first: UnsafePointer<UInt8>, to last: UnsafePointer<UInt8>, isASCII: Bool
  ) throws(ReadFailure) -> (count: Int, isASCII: Bool) {
    var count = last - first
    var seen: UInt64 = isASCII ? 0 : 0x80
    escapeBuffer.pointee.reserve(count, keeping: 0)
    escapeBuffer.pointee.start.initialize(from: first, count: count)
    cursor = last
    while next == UInt8(ascii: "\\") {
      escapeBuffer.pointee.reserve(count, keeping: count)
      let target = escapeBuffer.pointee.start + count
      if loadWord32(cursor) == 0x6E5C_725C {  // "\r\n", escaped
        UnsafeMutableRawPointer(target).storeBytes(of: UInt16(0x0A0D).littleEndian, as: UInt16.self)
        count &+= 2
        cursor += 4
      } else if let byte = Self.escapedByte(cursor[1]) {
        target.initialize(to: byte)
        count &+= 1
        cursor += 2
      } else {
        let scalar = try readUnicodeEscape()
        count &+= Self.encode(scalar, at: target)
        if !scalar.isASCII { seen |= 0x80 }
      }
      if next != UInt8(ascii: "\\") { count = copyText(after: count, &seen) }
    }
    guard consume(UInt8(ascii: "\"")) else {
      throw malformed("expected a string to end, or to escape its control characters")
    }
    // The check for UTF-8 reads beyond the bytes.
    (escapeBuffer.pointee.start + count).initialize(repeating: 0, count: 8)
    return (count, seen & Bytes.all(0x80) == 0)
  }

  /// Appends the bytes up to the next quote, backslash or control character to the first `count` of
  /// the buffer, and consumes them. Returns the new number of bytes, and adds them to `seen`.
  @inline(__always)
  private mutating func copyText(after count: Int, _ seen: inout UInt64) -> Int {
    var count = count
    let first = cursor
    while true {
      // Whole words: excess bytes are overwritten later.
      let word = loadWord(cursor)
      let target = UnsafeMutableRawPointer(escapeBuffer.pointee.start + count)
      target.storeBytes(of: word.littleEndian, as: UInt64.self)
      let hits = Self.stringEnds(in: word)
      guard hits == 0 else {
        let bits = UInt64(hits.trailingZeroBitCount & ~7)
        seen |= word & ((1 &<< bits) &- 1)
        cursor += Int(bits >> 3)
        return count &+ Int(bits >> 3)
      }
      seen |= word
      cursor += 8
      count &+= 8
      escapeBuffer.pointee.reserve(count, keeping: count)
      if cursor - first == 32 { return copyLongText(after: count, &seen) }
    }
  }

  /// The same for a text that is longer than most, which is scanned first: that is faster from
  /// there on.
  @inline(never)
  private mutating func copyLongText(after count: Int, _ seen: inout UInt64) -> Int {
    let (last, isASCII) = Self.scanString(from: cursor)
    let length = last - cursor
    escapeBuffer.pointee.reserve(count &+ length, keeping: count)
    (escapeBuffer.pointee.start + count).initialize(from: cursor, count: length)
    if !isASCII { seen |= 0x80 }
    cursor = last
    return count &+ length
  }

  /// Returns what a backslash and `letter` stand for, or `nil` for `u` and what is no escape.
  ///
  /// The product with 99 puts each of the eight letters at a place of its own in a word, so that
  /// there is no branch to mispredict.
  @inline(__always)
  private static func escapedByte(_ letter: UInt8) -> UInt8? {
    let shift = (((UInt64(letter) &* 99) &>> 7) & 7) &* 8
    let letters: UInt64 = 0x5C66_6E2F_6222_7472  // r t " b / n f \
    let bytes: UInt64 = 0x5C0C_0A2F_0822_090D
    guard UInt8(truncatingIfNeeded: letters &>> shift) == letter else { return nil }
    return UInt8(truncatingIfNeeded: bytes &>> shift)
  }

  /// Writes a character as UTF-8 and returns the number of bytes, up to four.
  @inline(__always)
  private static func encode(
    _ scalar: Unicode.Scalar, at destination: UnsafeMutablePointer<UInt8>
  ) -> Int {
    if scalar.isASCII {
      destination.initialize(to: UInt8(truncatingIfNeeded: scalar.value))
      return 1
    }
    var count = 0
    for byte in UTF8.encode(scalar)! {  // every scalar has an encoding
      (destination + count).initialize(to: byte)
      count += 1
    }
    return count
  }

  // MARK: - One escape

  /// Reads a backslash, `u` and four hexadecimal digits, or two surrogates in this form.
  @inline(never)
  private mutating func readUnicodeEscape() throws(ReadFailure) -> Unicode.Scalar {
    cursor += 1
    guard consume(UInt8(ascii: "u")) else { throw malformed("expected an escape") }
    let first = try readFourHexDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, next == UInt8(ascii: "\\"), cursor[1] == UInt8(ascii: "u") else {
      throw malformed("expected the other half of a surrogate pair")
    }
    cursor += 2
    let second = try readFourHexDigits()
    guard second & 0xFC00 == 0xDC00,
      let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF))
    else { throw malformed("expected the other half of a surrogate pair") }
    return scalar
  }

  private mutating func readFourHexDigits() throws(ReadFailure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next.hexValue else { throw malformed("expected four hexadecimal digits") }
      value = value << 4 | digit
      cursor += 1
    }
    return value
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit.
  fileprivate var hexValue: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
