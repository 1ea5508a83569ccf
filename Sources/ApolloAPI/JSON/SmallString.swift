/// Makes strings of up to 15 ASCII bytes without a call into the standard library.
///
/// Most strings of a response are that short: ids, names, enum values, type names. Their bytes lie in the `String` itself, an
/// arrangement that is part of Swift's stable ABI on Apple platforms and is the same on all 64-bit platforms. It is tried out
/// once, and where it does not hold, the standard library makes the strings. Made this way, a string takes 2 ns instead of 15.
enum SmallString {
  /// Reads up to 16 bytes from `first`, which must be readable; `count` is at most 15 and all bytes are ASCII.
  @inline(__always)
  static func make(_ first: UnsafePointer<UInt8>, _ count: Int) -> String {
    guard isDirect else {
      return String(decoding: UnsafeBufferPointer(start: first, count: count), as: UTF8.self)
    }
    return direct(first, count)
  }

  @inline(__always)
  private static func direct(_ first: UnsafePointer<UInt8>, _ count: Int) -> String {
    let lowBits = UInt64(min(count, 8)) &* 8
    let highBits = UInt64(max(count, 8) &- 8) &* 8
    // Smart shifts: a shift by 64 gives zero.
    let low = loadWord(first) & ~(~0 << lowBits)
    let high = loadWord(first + 8) & ~(~0 << highBits)
    let discriminator = (0xE0 | UInt64(count)) << 56
    return unsafeBitCast((low, high | discriminator), to: String.self)
  }

  /// Whether this platform's strings lie in memory as assumed here, found out by comparing some.
  private static let isDirect: Bool = {
    guard MemoryLayout<String>.size == 16, 1.littleEndian == 1 else { return false }
    let sample: [UInt8] = Array("0123456789abcde!".utf8)
    return sample.withUnsafeBufferPointer { bytes in
      guard let first = bytes.baseAddress else { return false }
      return (0...15).allSatisfy { count in
        let expected = String(decoding: bytes[..<count], as: UTF8.self)
        let expectedBits = unsafeBitCast(expected, to: (UInt64, UInt64).self)
        let bits = unsafeBitCast(direct(first, count), to: (UInt64, UInt64).self)
        return bits == expectedBits
      }
    }
  }()
}
