/// A fast mixer of words, with a new seed in each process so that collisions cannot be prepared.
///
/// Fetch ``shared`` once and pass it on: at each use the runtime checks whether it is initialized.
struct HashMixer: Sendable {
  let seed: UInt64
  /// `true` if strings can be hashed in place.
  let understandsStrings: Bool

  static let shared = HashMixer(
    seed: UInt64.random(in: .min ... .max), understandsStrings: StringBits.areUnderstood)

  /// Multiplies two words to twice the width and folds the halves.
  @inline(__always)
  func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = (first ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: second ^ 0xD1B5_4A32_D192_ED03 ^ seed)
    return product.high ^ product.low
  }
}
