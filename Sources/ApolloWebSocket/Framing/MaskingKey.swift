/// Four bytes with which a client combines its payloads, so that they cannot imitate another
/// protocol to what is between it and the server.
///
/// Spec: RFC 6455, section 5.3.
struct MaskingKey: Hashable, Sendable {
  /// The bytes in the order of the wire, the first in the lowest bits.
  let word: UInt32

  init(word: UInt32) { self.word = word }

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  func write(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// The key for payload bytes from `offset` on.
  func advanced(by offset: Int) -> MaskingKey {
    let bits = UInt32(offset & 3) * 8
    return bits == 0 ? self : MaskingKey(word: word >> bits | word << (32 - bits))
  }

  /// Combines `bytes` with the key, in place. The same call again restores them.
  func apply(to bytes: UnsafeMutableRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    let key = UInt64(word) << 32 | UInt64(word)
    let wide = SIMD8<UInt64>(repeating: key.littleEndian)
    var offset = 0
    while offset &+ 64 <= bytes.count {
      let block = base.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt64>.self)
      base.storeBytes(of: block ^ wide, toByteOffset: offset, as: SIMD8<UInt64>.self)
      offset &+= 64
    }
    while offset < bytes.count {
      bytes[offset] ^= UInt8(truncatingIfNeeded: word >> (UInt32(offset & 3) &* 8))
      offset &+= 1
    }
  }
}

/// Masking keys, which are unpredictable unless a test brings its own generator.
struct MaskingKeys: Sendable {
  private var generator: any RandomNumberGenerator & Sendable
  /// The second half of a number whose first half was used.
  private var spare: UInt32?

  init(_ generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
    self.generator = generator
  }

  mutating func next() -> MaskingKey {
    if let word = spare {
      spare = nil
      return MaskingKey(word: word)
    }
    let number: UInt64 = generator.next()
    spare = UInt32(truncatingIfNeeded: number >> 32)
    return MaskingKey(word: UInt32(truncatingIfNeeded: number))
  }
}
