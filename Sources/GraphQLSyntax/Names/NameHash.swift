/// Hashes names eight bytes at a time.
///
/// The words are the bytes of the name in little-endian order; the last one is padded with zeros.
/// The lexer feeds words as it scans, so that a name is read once.
struct NameHash {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  @inline(__always)
  mutating func combine(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    state = product.high ^ product.low
  }

  /// The upper half is well mixed as well as the lower: a table may take its slot from one and its
  /// check from the other.
  @inline(__always)
  var value: UInt64 { state }
}
