/// A strict reader of JSON (RFC 8259), from the first byte to the last.
///
/// The bytes are followed by ``padding`` zeros, so that looking at the next word never leaves the
/// memory and loops need not compare against the end: a zero is not allowed anywhere in JSON.
///
/// ``withReader(over:limits:_:)`` keeps the memory alive and unchanged while the reader is in use.
struct JSONReader {
  /// The next byte to be read.
  var cursor: UnsafePointer<UInt8>
  private let start: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  /// The number of open objects and lists.
  var depth = 0
  let limits: ResponseLimits
  /// `true` if ``StringBits`` can make strings on this platform.
  let understandsStrings = StringBits.areUnderstood
  /// The memory in which strings with escapes are decoded. Owned by ``withReader(over:limits:_:)``.
  let escapeBuffer: UnsafeMutablePointer<EscapeBuffer>
  /// Memory on the stack for the first elements of a caller's own stacks. Lives as long as the
  /// bytes.
  let scratch: UnsafeMutableRawBufferPointer

  /// The most that Swift puts on the stack.
  private static let scratchCount = 1024

  /// The number of zeros after the bytes.
  static let padding = 64

  private init(
    start: UnsafePointer<UInt8>, count: Int, limits: ResponseLimits,
    escapeBuffer: UnsafeMutablePointer<EscapeBuffer>, scratch: UnsafeMutableRawBufferPointer
  ) {
    self.start = start
    self.escapeBuffer = escapeBuffer
    self.scratch = scratch
    self.cursor = start
    self.end = start + count
    self.limits = limits
  }

  /// Copies `bytes` into padded memory and reads from there.
  ///
  /// The copy is cheap compared with reading, and cannot change meanwhile.
  static func withReader<Result>(
    over bytes: UnsafeRawBufferPointer, limits: ResponseLimits,
    _ body: (inout JSONReader) throws(ReadFailure) -> Result
  ) throws(ReadFailure) -> Result {
    guard bytes.count <= limits.byteCount else {
      throw ReadFailure(.tooLarge(limit: limits.byteCount), byteOffset: limits.byteCount)
    }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: bytes.count + padding, alignment: 16)
    defer {
      Heap.reserve(after: bytes.count)
      memory.deallocate()
    }
    if let base = bytes.baseAddress { memory.copyMemory(from: base, byteCount: bytes.count) }
    (memory + bytes.count).initializeMemory(as: UInt8.self, repeating: 0, count: padding)
    let start = UnsafePointer(memory.assumingMemoryBound(to: UInt8.self))
    var escapeBuffer = EscapeBuffer()
    return try withUnsafeMutablePointer(to: &escapeBuffer) { escapeBuffer throws(ReadFailure) in
      try withUnsafeTemporaryAllocation(byteCount: scratchCount, alignment: 16) {
        scratch throws(ReadFailure) in
        var reader = JSONReader(
          start: start, count: bytes.count, limits: limits, escapeBuffer: escapeBuffer,
          scratch: scratch)
        return try body(&reader)
      }
    }
  }

  /// The number of bytes read so far.
  var offset: Int { cursor - start }

  /// The next byte; 0 at the end.
  var next: UInt8 {
    @inline(__always) get { cursor.pointee }
  }

  // MARK: - Structure

  @inline(__always)
  mutating func skipWhitespace() {
    if next <= 0x20 { skipWhitespaceRun() }
  }

  @inline(never)
  private mutating func skipWhitespaceRun() {
    while true {
      // Indentation, eight blanks at a time.
      let others = loadWord(cursor) ^ Bytes.all(0x20)
      cursor += others.trailingZeroBitCount >> 3
      if others == 0 { continue }
      guard next == 0x0A || next == 0x0D || next == 0x09 else { return }
      cursor += 1
    }
  }

  /// Consumes `byte` if it is the next one.
  @inline(__always)
  mutating func consume(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    cursor += 1
    return true
  }

  /// Consumes `{` or `[`, which is the next byte.
  @inline(__always)
  mutating func open() throws(ReadFailure) {
    depth += 1
    guard depth <= limits.depth else { throw tooDeep() }
    cursor += 1
    skipWhitespace()
  }

  /// Consumes `}` or `]`, which is the next byte.
  @inline(__always)
  mutating func close() {
    depth -= 1
    cursor += 1
  }

  /// Consumes the comma between two members and returns `true`, or the closing byte and returns
  /// `false`.
  @inline(__always)
  mutating func continues(until closing: UInt8) throws(ReadFailure) -> Bool {
    skipWhitespace()
    if next == UInt8(ascii: ",") {
      cursor += 1
      skipWhitespace()
      return true
    }
    guard next == closing else {
      throw unexpectedEnd(closing)
    }
    close()
    return false
  }

  /// Consumes a colon and the white space around it.
  @inline(__always)
  mutating func expectColon() throws(ReadFailure) {
    skipWhitespace()
    guard consume(UInt8(ascii: ":")) else { throw missingColon() }
    skipWhitespace()
  }

  /// Consumes white space, and throws unless the end follows.
  mutating func expectEnd() throws(ReadFailure) {
    skipWhitespace()
    guard cursor == end else { throw malformed("expected nothing more") }
  }

  // MARK: - Literals

  /// Consumes `null` if it comes next.
  @inline(__always)
  mutating func consumeNull() -> Bool {
    guard loadWord32(cursor) == 0x6C6C_756E else { return false }  // "null"
    cursor += 4
    return true
  }

  /// Consumes `true` or `false`, or nothing.
  @inline(__always)
  mutating func consumeBool() -> Bool? {
    if loadWord32(cursor) == 0x6575_7274 {  // "true"
      cursor += 4
      return true
    }
    if next == UInt8(ascii: "f"), loadWord32(cursor + 1) == 0x6573_6C61 {  // "alse"
      cursor += 5
      return false
    }
    return nil
  }

  // MARK: - Failures

  /// Returns a failure at a position, by default at the next byte.
  @inline(never)
  func failure(
    _ problem: ResponseError.Problem, at position: UnsafePointer<UInt8>? = nil
  ) -> ReadFailure {
    ReadFailure(problem, byteOffset: (position ?? cursor) - start)
  }

  // Out of line, so that the functions that read keep small frames.

  @inline(never)
  private func tooDeep() -> ReadFailure { failure(.tooDeep(limit: limits.depth)) }

  @inline(never)
  private func missingColon() -> ReadFailure { malformed("expected ':' after a key") }

  @inline(never)
  private func unexpectedEnd(_ closing: UInt8) -> ReadFailure {
    malformed(closing == UInt8(ascii: "}") ? "expected ',' or '}'" : "expected ',' or ']'")
  }

  /// Returns the failure for bytes that are not JSON.
  @inline(never)
  func malformed(_ expected: String) -> ReadFailure {
    if cursor >= end { return failure(.malformedJSON("\(expected), found the end")) }
    return failure(.malformedJSON("\(expected), found \(describe(next))"))
  }

  private func describe(_ byte: UInt8) -> String {
    (0x21..<0x7F).contains(byte)
      ? "'\(Unicode.Scalar(byte))'" : "the byte 0x\(String(byte, radix: 16, uppercase: true))"
  }

  /// Returns the failure for a value of another kind than expected, or for bytes that are not JSON.
  @inline(never)
  func wrongType(expected: String) -> ReadFailure {
    var rest = self
    return switch next {
    case UInt8(ascii: "\""): failure(.wrongType(expected: expected, found: "a string"))
    case UInt8(ascii: "{"): failure(.wrongType(expected: expected, found: "an object"))
    case UInt8(ascii: "["): failure(.wrongType(expected: expected, found: "a list"))
    case UInt8(ascii: "t") where rest.consumeBool() != nil,
      UInt8(ascii: "f") where rest.consumeBool() != nil:
      failure(.wrongType(expected: expected, found: "a Boolean"))
    case UInt8(ascii: "n") where rest.consumeNull():
      failure(.wrongType(expected: expected, found: "null"))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      failure(.wrongType(expected: expected, found: "a number"))
    default: malformed("expected a value")
    }
  }
}
