/// Checks that text which arrives in pieces is UTF-8 as a whole. Pieces may end inside a character.
///
/// Spec: RFC 3629; Unicode 3.9, table 3-7, "Well-Formed UTF-8 Byte Sequences".
struct TextValidator: Sendable {
  /// The number of bytes that the character at the end of the last piece still needs.
  private var missing = 0
  /// The bytes that may come next, if `missing` is not 0.
  private var next: ClosedRange<UInt8> = 0x80...0xBF

  /// `true` if no character is incomplete.
  var isComplete: Bool { missing == 0 }

  /// Checks the next piece. Returns `false` if the text cannot become UTF-8 any more.
  ///
  /// - Complexity: O(*n*). ASCII is checked 32 bytes at a time.
  mutating func accept(_ piece: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    let count = piece.count
    while index < count {
      if missing == 0 {
        while index &+ 32 <= count {
          let block = piece.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
          guard Self.isASCII(block) else { break }
          index &+= 32
        }
        while index < count, piece[index] < 0x80 { index &+= 1 }
        guard index < count else { return true }
      }
      guard accept(piece[index]) else { return false }
      index &+= 1
    }
    return true
  }

  @inline(__always)
  private static func isASCII(_ block: SIMD4<UInt64>) -> Bool {
    (block[0] | block[1] | block[2] | block[3]) & 0x8080_8080_8080_8080 == 0
  }

  @inline(__always)
  private mutating func accept(_ byte: UInt8) -> Bool {
    if missing > 0 {
      guard next.contains(byte) else { return false }
      missing &-= 1
      next = 0x80...0xBF
      return true
    }
    switch byte {
    case ...0x7F: return true
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, next) = (2, 0xA0...0xBF)
    case 0xED: (missing, next) = (2, 0x80...0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, next) = (3, 0x90...0xBF)
    case 0xF1...0xF3: missing = 3
    case 0xF4: (missing, next) = (3, 0x80...0x8F)
    default: return false
    }
    return true
  }
}
