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

  /// Makes room for `count` bytes and two more words, and keeps the first `used` bytes.
  @inline(__always)
  mutating func reserve(_ count: Int, keeping used: Int) {
    if count &+ 16 > capacity { grow(to: (count + 16) * 2, keeping: used) }
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
  private mutating func unescape(
    from first: UnsafePointer<UInt8>, to last: UnsafePointer<UInt8>, isASCII: Bool
  ) throws(ReadFailure) -> (count: Int, isASCII: Bool) {
    var count = last - first
    var isASCII = isASCII
    escapeBuffer.pointee.reserve(count, keeping: 0)
    escapeBuffer.pointee.start.initialize(from: first, count: count)
    cursor = last
    while consume(UInt8(ascii: "\\")) {
      let scalar = try readEscape()
      escapeBuffer.pointee.reserve(count, keeping: count)
      count &+= Self.encode(scalar, at: escapeBuffer.pointee.start + count)
      let run = Self.scanString(from: cursor)
      isASCII = isASCII && scalar.isASCII && run.isASCII
      count = copyRun(to: run.last, after: count)
    }
    guard consume(UInt8(ascii: "\"")) else {
      throw malformed("expected a string to end, or to escape its control characters")
    }
    // The check for UTF-8 reads beyond the bytes.
    (escapeBuffer.pointee.start + count).initialize(repeating: 0, count: 8)
    return (count, isASCII)
  }

  /// Appends the bytes up to `last`, which need no decoding, to the first `count` of the buffer,
  /// and consumes them. Returns the new number of bytes.
  @inline(__always)
  private mutating func copyRun(to last: UnsafePointer<UInt8>, after count: Int) -> Int {
    let length = last - cursor
    escapeBuffer.pointee.reserve(count &+ length, keeping: count)
    let end = UnsafeMutableRawPointer(escapeBuffer.pointee.start + count)
    if length <= 16 {
      // Whole words: excess bytes are overwritten later.
      end.storeBytes(of: loadWord(cursor).littleEndian, as: UInt64.self)
      end.storeBytes(of: loadWord(cursor + 8).littleEndian, toByteOffset: 8, as: UInt64.self)
    } else {
      end.copyMemory(from: cursor, byteCount: length)
    }
    cursor = last
    return count &+ length
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

  /// Reads what follows a backslash.
  @inline(__always)
  private mutating func readEscape() throws(ReadFailure) -> Unicode.Scalar {
    let scalar: Unicode.Scalar
    switch next {
    case UInt8(ascii: "n"): scalar = "\n"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scalar = Unicode.Scalar(next)
    case UInt8(ascii: "r"): scalar = "\r"
    case UInt8(ascii: "t"): scalar = "\t"
    case UInt8(ascii: "b"): scalar = "\u{8}"
    case UInt8(ascii: "f"): scalar = "\u{C}"
    case UInt8(ascii: "u"): return try readUnicodeEscape()
    default: throw malformed("expected an escape")
    }
    cursor += 1
    return scalar
  }

  /// Reads `u` and four hexadecimal digits, or two surrogates with `\u` between them.
  @inline(never)
  private mutating func readUnicodeEscape() throws(ReadFailure) -> Unicode.Scalar {
    cursor += 1
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
