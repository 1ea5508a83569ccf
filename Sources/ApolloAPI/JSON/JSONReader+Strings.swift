extension JSONReader {
  /// Reads a string; the next byte is its opening quote.
  ///
  /// Most strings of a response have up to 15 bytes, all ASCII: ids, names, enum values, type
  /// names.
  @inline(__always)
  mutating func readString() throws(ReadFailure) -> String {
    let low = loadWord(cursor + 1)
    let lowHits = Self.stringEnds(in: low)
    if lowHits != 0 {
      let bits = UInt64(lowHits.trailingZeroBitCount & ~7)
      if let string = shortString(low & ((1 &<< bits) &- 1), 0, end: low &>> bits, bits) {
        return string
      }
    } else {
      let high = loadWord(cursor + 9)
      let highHits = Self.stringEnds(in: high)
      let bits = UInt64(highHits.trailingZeroBitCount & ~7)
      if highHits != 0,
        let string = shortString(low, high & ((1 &<< bits) &- 1), end: high &>> bits, bits &+ 64)
      {
        return string
      }
    }
    return try readOtherString()
  }

  /// Returns the string in these words, if it is short and its closing quote comes next.
  @inline(__always)
  private mutating func shortString(
    _ low: UInt64, _ high: UInt64, end: UInt64, _ bitCount: UInt64
  ) -> String? {
    guard end & 0xFF == 0x22, (low | high) & Bytes.all(0x80) == 0, understandsStrings else {
      return nil
    }
    let count = Int(bitCount >> 3)
    cursor += count + 2
    return StringBits.shortString(low, high, count: count)
  }

  /// Finds the first quote, backslash or control character, and whether all bytes before it are
  /// ASCII.
  ///
  /// Looks at eight bytes at a time, and at 32 after the first 32: a text of 450 bytes takes 42 ns
  /// instead of 68.
  @inline(__always)
  static func scanString(
    from first: UnsafePointer<UInt8>
  ) -> (last: UnsafePointer<UInt8>, isASCII: Bool) {
    var pointer = first
    var seen: UInt64 = 0
    while true {
      let word = loadWord(pointer)
      let hits = stringEnds(in: word)
      if hits == 0 {
        seen |= word
        pointer += 8
        if pointer - first == 32 { skipText(&pointer, &seen) }
        continue
      }
      let bits = UInt64(hits.trailingZeroBitCount & ~7)
      seen |= word & ((1 &<< bits) &- 1)
      return (pointer + Int(bits >> 3), seen & Bytes.all(0x80) == 0)
    }
  }

  /// Skips 32 bytes at a time that do not end a string, and adds them to `seen`.
  @inline(__always)
  private static func skipText(_ pointer: inout UnsafePointer<UInt8>, _ seen: inout UInt64) {
    var seenWords = SIMD4<UInt64>()
    while true {
      let words = UnsafeRawPointer(pointer).loadUnaligned(as: SIMD4<UInt64>.self)
      let quotes = (words ^ Bytes.all(0x22)) &- Bytes.all(1)
      let backslashes = (words ^ Bytes.all(0x5C)) &- Bytes.all(1)
      let controls = words &- Bytes.all(0x20)
      let hits = (quotes | backslashes | controls) & ~words & Bytes.all(0x80)
      guard (hits[0] | hits[1]) | (hits[2] | hits[3]) == 0 else { break }
      seenWords |= words
      pointer += 32
    }
    seen |= (seenWords[0] | seenWords[1]) | (seenWords[2] | seenWords[3])
  }

  /// A word whose lowest set bit is in the first byte that is a quote, a backslash or a control
  /// character; 0 when none is.
  ///
  /// In each byte, `(w ^ c) - 1` borrows from bit 7 exactly where `w` is `c`, and `w - 0x20` where
  /// `w` is a control character, provided that bit 7 of `w` is clear; no borrow from below can
  /// cause the lowest hit.
  @inline(__always)
  static func stringEnds(in word: UInt64) -> UInt64 {
    let quotes = (word ^ Bytes.all(0x22)) &- Bytes.all(1)
    let backslashes = (word ^ Bytes.all(0x5C)) &- Bytes.all(1)
    let controls = word &- Bytes.all(0x20)
    return (quotes | backslashes | controls) & ~word & Bytes.all(0x80)
  }

  /// Reads a string that is long, has escapes, or is malformed.
  @inline(never)
  private mutating func readOtherString() throws(ReadFailure) -> String {
    let first = cursor + 1
    let (last, isASCII) = Self.scanString(from: first)
    guard last.pointee == UInt8(ascii: "\"") else {
      return try readEscapedString(from: first, to: last, isASCII: isASCII)
    }
    let bytes = UnsafeBufferPointer(start: first, count: last - first)
    guard isASCII || UTF8Validation.isValid(bytes) else { throw invalidUTF8(in: bytes) }
    cursor = last + 1
    return string(bytes, isASCII: isASCII)
  }

  /// Creates a string from valid UTF-8. Sixteen bytes must be readable.
  @inline(__always)
  func string(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) -> String {
    guard understandsStrings else { return String(decoding: bytes, as: UTF8.self) }
    return bytes.count > 15
      ? StringBits.longString(bytes) : StringBits.shortString(bytes, isASCII: isASCII)
  }

  @inline(never)
  func invalidUTF8(in bytes: UnsafeBufferPointer<UInt8>) -> ReadFailure {
    let offset = UTF8Validation.firstInvalidOffset(in: bytes) ?? 0
    return failure(
      .malformedJSON("a string is not valid UTF-8"), at: bytes.baseAddress.map { $0 + offset })
  }

  // MARK: - Skipping

  /// Skips a string, checking it like one that is read; the next byte is its opening quote.
  mutating func skipString() throws(ReadFailure) {
    let first = cursor + 1
    let (last, isASCII) = Self.scanString(from: first)
    guard last.pointee == UInt8(ascii: "\""),
      isASCII || UTF8Validation.isValid(UnsafeBufferPointer(start: first, count: last - first))
    else {
      _ = try readOtherString()
      return
    }
    cursor = last + 1
  }
}
