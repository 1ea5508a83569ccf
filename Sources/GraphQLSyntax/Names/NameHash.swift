/// Hashes names sixteen bytes at a time.
///
/// The words are the bytes of the name in little-endian order; what is missing in the last two of
/// them is zeros. The lexer feeds words as it scans, so that a name is read once, and nearly all
/// names take one multiplication.
struct NameHash {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  @inline(__always)
  mutating func combine(_ low: UInt64, _ high: UInt64) {
    let product = (state ^ low).multipliedFullWidth(by: high ^ 0xD6E8_FEB8_6659_FD93)
    state = product.high ^ product.low
  }

  /// The upper half is well mixed as well as the lower: a table may take its slot from one and its
  /// check from the other.
  @inline(__always)
  var value: UInt64 { state }
}

extension NameHash {
  /// The hash of the `count` bytes at `name`. Up to seven bytes after them are read and ignored.
  static func hash(_ name: UnsafePointer<UInt8>, count: Int) -> UInt64 {
    var hash = NameHash()
    var offset = 0
    while offset + 16 <= count {
      hash.combine(name.word(at: offset), name.word(at: offset + 8))
      offset += 16
    }
    let rest = count - offset
    if rest > 8 {
      let high = name.word(at: offset + 8) & (UInt64.max >> UInt64(128 - rest * 8))
      hash.combine(name.word(at: offset), high)
    } else if rest > 0 {
      hash.combine(name.word(at: offset) & (UInt64.max >> UInt64(64 - rest * 8)), 0)
    }
    return hash.value
  }
}
