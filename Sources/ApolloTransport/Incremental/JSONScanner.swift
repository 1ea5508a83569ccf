internal import ApolloAPI

/// Finds the values of JSON text without making anything of them.
///
/// It checks only what it needs to find their ends. The decoder checks the rest.
///
/// `JSONReader` of `ApolloAPI` does not replace it: it checks every byte, which the decoder needs
/// once. The bytes of a part are passed several times before that, for its members, its entries and
/// their items, and the merged response is decoded as a whole.
struct JSONScanner {
  /// The kind of a value, by its first byte.
  enum Kind {
    case object, list, string, null, other
  }

  /// The greatest number of nested objects and lists.
  static let maximumDepth = 512

  let bytes: UnsafeBufferPointer<UInt8>
  /// The next byte.
  var position: Int
  let end: Int

  /// Creates a scanner for a part of the bytes.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next byte, or 0 at the end.
  var next: UInt8 { position < end ? bytes[position] : 0 }

  mutating func skipWhitespace() {
    while next.isWhitespace { position += 1 }
  }

  /// Skips a byte order mark at the beginning of a text. It is not JSON, but some servers send one.
  mutating func skipByteOrderMark() {
    guard next == ByteOrderMark.bytes[0],
      bytes[position..<end].starts(with: ByteOrderMark.bytes)
    else { return }
    position += ByteOrderMark.bytes.count
  }

  /// Consumes `byte` if it is the next one after white space.
  mutating func consume(_ byte: UInt8) -> Bool {
    skipWhitespace()
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// The kind of the value that comes next.
  var kind: Kind {
    switch next {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .list
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "n"): .null
    default: .other
    }
  }

  /// Skips white space and a value, and returns the range of the value.
  mutating func skipValue() throws(ResponseStreamError) -> Range<Int> {
    skipWhitespace()
    let start = position
    switch kind {
    case .object, .list: try skipContainer()
    case .string: try skipString()
    case .null, .other: try skipWord()
    }
    return start..<position
  }

  /// Reads the members of an object, which comes next.
  mutating func readMembers(
    _ body: (_ key: Range<Int>, inout JSONScanner) throws(ResponseStreamError) -> Void
  ) throws(ResponseStreamError) {
    guard consume(UInt8(ascii: "{")) else { throw malformed("an object is expected") }
    if consume(UInt8(ascii: "}")) { return }
    repeat {
      skipWhitespace()
      guard kind == .string else { throw malformed("a key is expected") }
      let key = try skipValue()
      guard consume(UInt8(ascii: ":")) else { throw malformed("a colon is expected") }
      skipWhitespace()
      try body(key, &self)
    } while consume(UInt8(ascii: ","))
    guard consume(UInt8(ascii: "}")) else { throw malformed("'}' is expected") }
  }

  /// Reads the elements of a list, which comes next.
  mutating func readElements(
    _ body: (inout JSONScanner) throws(ResponseStreamError) -> Void
  ) throws(ResponseStreamError) {
    guard consume(UInt8(ascii: "[")) else { throw malformed("a list is expected") }
    if consume(UInt8(ascii: "]")) { return }
    repeat {
      skipWhitespace()
      try body(&self)
    } while consume(UInt8(ascii: ","))
    guard consume(UInt8(ascii: "]")) else { throw malformed("']' is expected") }
  }

  /// Skips an object or a list.
  ///
  /// Eight bytes at a time: only the braces and brackets among them are looked at. One of them is
  /// outside of strings if the number of quotation marks before it is even. From the first
  /// backslash on, and at the end, the bytes are looked at one by one.
  private mutating func skipContainer() throws(ResponseStreamError) {
    guard let base = bytes.baseAddress else { throw malformed("a value is expected") }
    var position = position
    var depth = 0
    // A bit for each quotation mark. Those of two words cancel each other out.
    var quotes: UInt64 = 0
    while position + 8 <= end {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self))
      guard word.bytes(equalTo: UInt8(ascii: "\\")) == 0 else { break }
      let newQuotes = word.allBytes(equalTo: UInt8(ascii: "\""))
      // Braces and brackets differ in these bits alone. `count` passes over the few other bytes
      // that become equal as well.
      var candidates = (word | 0x2626_2626_2626_2626).allBytes(equalTo: 0x7F)
      while candidates != 0 {
        let bit = candidates.trailingZeroBitCount
        candidates &= candidates &- 1
        let earlier = quotes ^ (newQuotes & ((1 << UInt64(bit)) &- 1))
        guard earlier.nonzeroBitCount.isMultiple(of: 2) else { continue }
        let next = position + bit / 8
        try count(base[next], in: &depth)
        guard depth > 0 else { return self.position = next + 1 }
      }
      quotes ^= newQuotes
      position += 8
    }
    if !quotes.nonzeroBitCount.isMultiple(of: 2) { position = try endOfString(from: position) }
    repeat {
      guard position < end else { throw malformed("it ends within an object or a list") }
      let byte = base[position]
      position &+= 1
      if byte == UInt8(ascii: "\"") {
        position = try endOfString(from: position)
      } else {
        try count(byte, in: &depth)
      }
    } while depth > 0
    self.position = position
  }

  /// Counts a byte outside of strings that may begin or end an object or a list.
  @inline(__always)
  private func count(_ byte: UInt8, in depth: inout Int) throws(ResponseStreamError) {
    // In ASCII, one bit distinguishes braces from brackets.
    switch byte | 0x20 {
    case UInt8(ascii: "{"):
      depth += 1
      if depth > Self.maximumDepth {
        throw malformed("it has more than \(Self.maximumDepth) nested objects and lists")
      }
    case UInt8(ascii: "}"): depth -= 1
    default: break
    }
  }

  private mutating func skipString() throws(ResponseStreamError) {
    position = try endOfString(from: position + 1)
  }

  /// Returns the position behind the quotation mark that ends a string, whose content begins at
  /// `start`.
  private func endOfString(from start: Int) throws(ResponseStreamError) -> Int {
    guard let base = bytes.baseAddress else { throw malformed("it ends within a string") }
    var next = base + start
    let end = base + end
    // Eight bytes at a time, up to a quotation mark or a backslash.
    while next + 8 <= end {
      let word = UInt64(littleEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
      let found =
        word.bytes(equalTo: UInt8(ascii: "\"")) | word.bytes(equalTo: UInt8(ascii: "\\"))
      guard found != 0 else {
        next += 8
        continue
      }
      next += found.trailingZeroBitCount >> 3
      if next.pointee == UInt8(ascii: "\"") { return next - base + 1 }
      next += 2
    }
    while next < end {
      switch next.pointee {
      case UInt8(ascii: "\""): return next - base + 1
      case UInt8(ascii: "\\"): next += 2
      default: next += 1
      }
    }
    throw malformed("it ends within a string")
  }

  private mutating func skipWord() throws(ResponseStreamError) {
    let start = position
    while position < end, bytes[position].continuesWord { position += 1 }
    if position == start { throw malformed("a value is expected") }
  }

  func malformed(_ detail: String) -> ResponseStreamError {
    ResponseStreamError(.malformedPart, "it is not valid JSON: \(detail)")
  }
}

extension UInt64 {
  /// Returns a number whose lowest bit that is set is in the first byte that is equal to `byte`, or
  /// 0 if there is none. Higher bits have no meaning.
  @inline(__always)
  fileprivate func bytes(equalTo byte: UInt8) -> UInt64 {
    let difference = self ^ (0x0101_0101_0101_0101 &* UInt64(byte))
    return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
  }

  /// Returns a number with the highest bit of each byte that is equal to `byte`.
  @inline(__always)
  fileprivate func allBytes(equalTo byte: UInt8) -> UInt64 {
    let difference = self ^ (0x0101_0101_0101_0101 &* UInt64(byte))
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    return ~((difference & low) &+ low | difference | low)
  }
}

extension UInt8 {
  /// `true` for the bytes of numbers, `true`, `false` and `null`.
  fileprivate var continuesWord: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
