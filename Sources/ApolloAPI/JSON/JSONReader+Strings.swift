#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension JSONReader {
  /// Reads a string; the next byte is its opening quote.
  @inline(__always)
  mutating func readString() throws(ReadFailure) -> String {
    let first = cursor + 1
    var (last, isASCII) = Self.scanString(from: first)
    guard last.pointee == UInt8(ascii: "\"") else {
      return try readEscapedString(from: first, to: &last, isASCII: isASCII)
    }
    let count = last - first
    if count <= 15, isASCII, makesShortStrings {
      cursor = last + 1
      return StringBits.shortString(first, count)
    }
    let string = try makeString(first, count, isASCII: isASCII)
    cursor = last + 1
    return string
  }

  /// Finds the first quote, backslash or control character, and whether everything before it is ASCII.
  ///
  /// Looks at eight bytes at a time. In each byte of a word, `(w ^ c) - 1` borrows from bit 7 exactly where `w` is `c`, and
  /// `w - 0x20` where `w` is a control character, provided that bit 7 of `w` is clear; only the lowest hit is used, which no borrow
  /// from below can have faked.
  @inline(__always)
  static func scanString(
    from first: UnsafePointer<UInt8>
  ) -> (last: UnsafePointer<UInt8>, isASCII: Bool) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs = ones << 7
    var pointer = first
    var seen: UInt64 = 0
    while true {
      let word = loadWord(pointer)
      let quotes = (word ^ (ones &* 0x22)) &- ones
      let backslashes = (word ^ (ones &* 0x5C)) &- ones
      let controls = word &- (ones &* 0x20)
      let hits = (quotes | backslashes | controls) & ~word & highs
      if hits == 0 {
        seen |= word
        pointer += 8
        continue
      }
      let bits = UInt64(hits.trailingZeroBitCount & ~7)
      seen |= word & ((1 &<< bits) &- 1)
      return (pointer + Int(bits >> 3), seen & highs == 0)
    }
  }

  /// Makes a string that does not fit into a `String` itself, or has non-ASCII characters.
  @inline(never)
  private func makeString(
    _ first: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool
  ) throws(ReadFailure) -> String {
    let bytes = UnsafeBufferPointer(start: first, count: count)
    // Decoding repairs what is not UTF-8, and so gives other bytes.
    var string = String(decoding: bytes, as: UTF8.self)
    if !isASCII {
      let isUnchanged = string.withUTF8 { utf8 in
        utf8.count == count && memcmp(utf8.baseAddress!, first, count) == 0  // not empty
      }
      guard isUnchanged else { throw invalidUTF8(in: bytes) }
    }
    return string
  }

  @inline(never)
  private func invalidUTF8(in bytes: UnsafeBufferPointer<UInt8>) -> ReadFailure {
    var reader = self
    let offset = UTF8Validation.firstInvalidOffset(in: bytes) ?? 0
    // Otherwise the bytes lie in `scratch`.
    if bytes.baseAddress == cursor + 1 { reader.cursor += 1 + offset }
    return reader.failure(.malformedJSON("a string is not valid UTF-8"))
  }

  // MARK: - Escapes

  /// Reads on after a backslash or at a control character.
  @inline(never)
  private mutating func readEscapedString(
    from first: UnsafePointer<UInt8>, to last: inout UnsafePointer<UInt8>, isASCII: Bool
  ) throws(ReadFailure) -> String {
    scratch.removeAll(keepingCapacity: true)
    var runStart = first
    var isASCII = isASCII
    while true {
      scratch.append(contentsOf: UnsafeBufferPointer(start: runStart, count: last - runStart))
      cursor = last
      guard last.pointee == UInt8(ascii: "\\") else { break }
      cursor += 1
      isASCII = try readEscape() && isASCII
      runStart = cursor
      let run = Self.scanString(from: runStart)
      last = run.last
      isASCII = isASCII && run.isASCII
    }
    guard next == UInt8(ascii: "\"") else {
      throw malformed("expected a string to end, or to escape its control characters")
    }
    let end = cursor
    cursor = first  // only for the place of an error
    let string = try scratch.withUnsafeBufferPointer { bytes throws(ReadFailure) in
      guard let start = bytes.baseAddress else { return "" }
      return try makeString(start, bytes.count, isASCII: isASCII)
    }
    cursor = end + 1
    return string
  }

  /// Reads what follows a backslash, appends what it means to `scratch`, and returns whether that is ASCII.
  private mutating func readEscape() throws(ReadFailure) -> Bool {
    let byte = next
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
    case UInt8(ascii: "b"): scratch.append(0x08)
    case UInt8(ascii: "f"): scratch.append(0x0C)
    case UInt8(ascii: "n"): scratch.append(0x0A)
    case UInt8(ascii: "r"): scratch.append(0x0D)
    case UInt8(ascii: "t"): scratch.append(0x09)
    case UInt8(ascii: "u"):
      cursor += 1
      let scalar = try readUnicodeEscape()
      scratch.append(contentsOf: UTF8.encode(scalar)!)  // every scalar has an encoding
      return scalar.isASCII
    default: throw malformed("expected an escape")
    }
    cursor += 1
    return true
  }

  /// Reads four hexadecimal digits, or two surrogates with `\u` between them.
  private mutating func readUnicodeEscape() throws(ReadFailure) -> Unicode.Scalar {
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
  /// What a hexadecimal digit stands for.
  fileprivate var hexValue: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
