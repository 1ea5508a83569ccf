/// JSON text that passes through a small piece of memory on its way to an array.
///
/// An array checks with each append whether it is shared and has room, which takes 8 ns. The piece
/// is filled word by word, and appended as a whole.
struct PiecewiseJSON {
  private(set) var bytes: [UInt8] = []
  /// Memory that lives as long as the text. The last ``slack`` bytes are for whole words.
  private let piece: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  private var count = 0

  /// The bytes that one step may write past the end of its text, and its text itself.
  private static let slack = 64

  /// Creates an empty text.
  ///
  /// - Parameter piece: Memory for at least 256 bytes, which must live as long as the text.
  init(through piece: UnsafeMutableRawBufferPointer) {
    self.piece = piece.bindMemory(to: UInt8.self).baseAddress!  // it has bytes
    capacity = piece.count - Self.slack
  }

  /// Returns the text so far as an array.
  mutating func finished() -> [UInt8] {
    flush()
    return bytes
  }

  /// Appends the piece to the array when it is full.
  @inline(__always)
  private mutating func makeRoom() {
    if count > capacity { flush() }
  }

  @inline(never)
  private mutating func flush() {
    bytes.append(contentsOf: UnsafeBufferPointer(start: piece, count: count))
    count = 0
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    makeRoom()
    piece[count] = byte
    count &+= 1
  }

  /// Appends a short text.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    makeRoom()
    (piece + count).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    count &+= text.utf8CodeUnitCount
  }

  /// Appends bytes that are padded to whole words of eight.
  @inline(__always)
  mutating func append(words: UnsafePointer<UInt8>, byteCount: Int) {
    guard byteCount < Self.slack else {
      return append(UnsafeBufferPointer(start: words, count: byteCount))
    }
    makeRoom()
    var offset = 0
    while offset < byteCount {
      store(loadWord(words + offset), at: offset)
      offset &+= 8
    }
    count &+= byteCount
  }

  /// Appends bytes of any number.
  @inline(never)
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    flush()
    bytes.append(contentsOf: text)
  }

  @inline(__always)
  private func store(_ word: UInt64, at offset: Int) {
    UnsafeMutableRawPointer(piece + count + offset)
      .storeBytes(of: word.littleEndian, as: UInt64.self)
  }
}

// MARK: - Numbers

extension PiecewiseJSON {
  /// Writes an integer.
  mutating func write(_ value: Int64) {
    makeRoom()
    if value < 0 { append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var digitCount = 1
    var limit: UInt64 = 10
    while digitCount < 19, rest >= limit {
      digitCount &+= 1
      limit &*= 10
    }
    var position = count &+ digitCount
    count = position
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      position &-= 1
      piece[position] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while rest > 0
  }

  /// Writes a number as ``JSONWriter/write(_:)-(Double)`` does.
  mutating func write(_ value: Double) {
    // Swift writes integral numbers of this size without an exponent.
    if value.magnitude < 1e15, let integer = Int64(exactly: value), integer != 0 {
      write(integer)
      append(".0")
    } else if value.isFinite {
      // The text has 24 bytes at most.
      var text = value.description
      text.withUTF8 { digits in
        makeRoom()
        (piece + count).update(from: digits.baseAddress!, count: digits.count)  // not empty
        count &+= digits.count
      }
    } else {
      append("null")
    }
  }
}

// MARK: - Strings

extension PiecewiseJSON {
  /// Writes the string in a slot in quotes, with the escapes that RFC 8259, section 7, requires.
  @inline(__always)
  mutating func write(stringIn slot: UnsafeMutableRawPointer, understandsStrings: Bool) {
    let bits = StringBits(in: slot)
    if understandsStrings, bits.isShort {
      write(short: bits)
    } else if understandsStrings, let bytes = bits.bytes {
      write(long: bytes)
    } else {
      write(otherStringIn: slot)
    }
  }

  /// Writes a string that does not lie in a slot.
  @inline(never)
  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write(long: UnsafeRawBufferPointer($0)) }
  }

  @inline(never)
  private mutating func write(otherStringIn slot: UnsafeMutableRawPointer) {
    if let text = ResponseObject.load(String.self, slot) { write(text) } else { append("null") }
  }

  @inline(__always)
  private mutating func write(short bits: StringBits) {
    let byteCount = Int(bits.high >> 56 & 0xF)
    let high = bits.high & (~0 >> 8)
    // Smart shifts: a shift by 64 or more gives zero. Blanks need no escape.
    let blanks: UInt64 = 0x2020_2020_2020_2020
    let padding = (
      blanks << UInt64(byteCount * 8), blanks << UInt64(max(byteCount - 8, 0) * 8)
    )
    guard Self.escapes(in: bits.low | padding.0) | Self.escapes(in: high | padding.1) == 0 else {
      return withUnsafeBytes(of: (bits.low.littleEndian, high.littleEndian)) {
        write(long: UnsafeRawBufferPointer(rebasing: $0[..<byteCount]))
      }
    }
    makeRoom()
    piece[count] = UInt8(ascii: "\"")
    store(bits.low, at: 1)
    store(high, at: 9)
    piece[count &+ 1 &+ byteCount] = UInt8(ascii: "\"")
    count &+= byteCount &+ 2
  }

  /// Writes a string of any length. Whole words without escapes are copied at once.
  @inline(never)
  private mutating func write(long text: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    var offset = 0
    while offset &+ 8 <= text.count {
      makeRoom()
      let word = UInt64(
        littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      store(word, at: 0)
      let escapes = Self.escapes(in: word)
      if escapes == 0 {
        count &+= 8
        offset &+= 8
      } else {
        let plainCount = escapes.trailingZeroBitCount >> 3
        count &+= plainCount
        escape(text[offset &+ plainCount])
        offset &+= plainCount &+ 1
      }
    }
    while offset < text.count {
      makeRoom()
      escape(text[offset])
      offset &+= 1
    }
    append(UInt8(ascii: "\""))
  }

  /// Returns a word whose lowest set bit is in the first byte that needs an escape, if any.
  @inline(__always)
  private static func escapes(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let controls = (word &- ones &* 0x20) & ~word
    return (((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | controls)
      & (ones << 7)
  }

  /// Appends a byte of a string, with an escape if it needs one.
  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x08: append("\\b")
    case 0x09: append("\\t")
    case 0x0A: append("\\n")
    case 0x0C: append("\\f")
    case 0x0D: append("\\r")
    case 0x00...0x1F:
      append("\\u00")
      append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
      let digit = byte & 0xF
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    default: append(byte)
    }
  }
}
