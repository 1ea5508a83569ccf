/// A hash function for names that reads sixteen bytes at a time.
///
/// The input is the name in little-endian words, padded with zeros to a multiple of two words. The
/// lexer feeds the words while it scans, so it reads each name once. A name of up to sixteen bytes
/// takes one multiplication.
struct NameHash {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Adds sixteen bytes of the name.
  @inline(__always)
  mutating func combine(_ low: UInt64, _ high: UInt64) {
    let product = (state ^ low).multipliedFullWidth(by: high ^ 0xD6E8_FEB8_6659_FD93)
    state = product.high ^ product.low
  }

  /// The hash. Both halves are well mixed, so a hash table can use the lower bits for the slot and
  /// the upper bits for the check.
  @inline(__always)
  var value: UInt64 { state }
}

extension NameHash {
  /// Returns the hash of the `count` bytes at `name`. Up to seven bytes after the name are read and
  /// ignored.
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
