/// The hash of the bytes of keys. It differs between processes, so that collisions cannot be
/// prepared.
///
/// Each word is mixed in by a multiplication to twice the width, with secrets that are drawn when
/// the process starts. Eight bytes take about a nanosecond; Swift's `Hasher` takes 20 for any key.
///
/// `HashMixer` of `ApolloAPI` hashes strings in slots, short ones in the two words in which Swift
/// stores them. Keys are bytes elsewhere: to bring them into that form takes 4 ns more for each.
package enum KeyHash {
  private struct Secrets {
    let seed = UInt64.random(in: .min ... .max)
    let first = UInt64.random(in: .min ... .max)
    let second = UInt64.random(in: .min ... .max)

    @inline(__always)
    func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
      let product = (hash ^ first).multipliedFullWidth(by: word ^ second)
      return product.high ^ product.low
    }
  }
  private static let secrets = Secrets()

  /// - Complexity: O(*n*), eight bytes at a time.
  package static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let secrets = secrets
    var hash = secrets.seed ^ UInt64(bytes.count)
    guard bytes.count >= 8 else { return secrets.mix(secrets.mix(hash, short(bytes)), hash) }
    var offset = 0
    while offset &+ 8 < bytes.count {
      hash = secrets.mix(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset &+= 8
    }
    // The last eight bytes, some of which may be mixed in already.
    let last = bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
    return secrets.mix(secrets.mix(hash, last), secrets.seed)
  }

  /// Packs up to seven bytes into one word.
  private static func short(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var word: UInt64 = 0
    for byte in bytes { word = word << 8 | UInt64(byte) }
    return word
  }

  package static func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
  }
}
