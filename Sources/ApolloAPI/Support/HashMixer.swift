/// Mixes words fast, seeded anew in each process so that nobody can prepare collisions.
///
/// Fetch ``shared`` once and hand it on: at each use the runtime checks whether it has been made.
struct HashMixer: Sendable {
  let seed: UInt64
  /// Whether strings can be hashed where they lie.
  let understandsStrings: Bool

  static let shared = HashMixer(
    seed: UInt64.random(in: .min ... .max), understandsStrings: StringBits.areUnderstood)

  /// Multiplies to twice the width and folds the halves.
  @inline(__always)
  func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = (first ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: second ^ 0xD1B5_4A32_D192_ED03 ^ seed)
    return product.high ^ product.low
  }
}
