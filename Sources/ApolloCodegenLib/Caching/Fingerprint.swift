/// A 128-bit checksum of data, by which a changed input is detected.
///
/// It depends on all bytes and on their order, and is the same on every platform and in every
/// process. It is not a cryptographic hash: two inputs with the same fingerprint can be constructed
/// on purpose.
struct Fingerprint {
  private var low: UInt64 = 0x9e37_79b9_7f4a_7c15
  private var high: UInt64 = 0xc2b2_ae3d_27d4_eb4f

  /// Adds bytes and their count.
  ///
  /// - Complexity: O(*n*), eight bytes at a time.
  mutating func combine(_ bytes: ArraySlice<UInt8>) {
    combine(UInt64(bytes.count))
    bytes.withUnsafeBytes { buffer in
      let whole = buffer.count & ~7
      for offset in stride(from: 0, to: whole, by: 8) {
        combine(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
      var rest: UInt64 = 0
      for offset in whole..<buffer.count { rest = rest << 8 | UInt64(buffer[offset]) }
      combine(rest)
    }
  }

  mutating func combine(_ text: String) { combine(Array(text.utf8)[...]) }

  /// Adds one word. The multiplication carries differences to higher bits, the rotation brings them
  /// back to lower ones.
  mutating func combine(_ word: UInt64) {
    low = Self.rotated((low ^ word) &* 0x9fb2_1c65_1e98_df25, by: 29)
    high = Self.rotated((high &+ word) &* 0xd6e8_feb8_6659_fd93 ^ low, by: 37)
  }

  /// The fingerprint as 32 hexadecimal digits.
  var text: String { Self.hexadecimal(low) + Self.hexadecimal(high) }

  private static func rotated(_ word: UInt64, by count: UInt64) -> UInt64 {
    word << count | word >> (64 - count)
  }

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
