/// A number that depends on nothing but what was added to it, on every platform.
///
/// Texts are added by FNV-1a. The result is mixed as SplitMix64 does, so that similar texts give
/// unrelated numbers.
struct Seed: Hashable, Sendable {
  private var state: UInt64

  init(_ value: UInt64) { state = value ^ 0xcbf2_9ce4_8422_2325 }

  func adding(_ text: String) -> Seed {
    var seed = self
    for byte in text.utf8 { seed.state = (seed.state ^ UInt64(byte)) &* 0x100_0000_01b3 }
    // The end of a text counts, so that "ab" + "c" differs from "a" + "bc".
    seed.state = (seed.state ^ 0xFF) &* 0x100_0000_01b3
    return seed
  }

  func adding(_ number: Int) -> Seed { adding("\(number)") }

  /// All bits.
  var value: UInt64 {
    var mixed = state &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, but not including, `bound`, which is positive.
  func number(below bound: Int) -> Int { Int(value % UInt64(bound)) }

  /// A number from 0 up to, but not including, 1.
  var fraction: Double { Double(value >> 11) / Double(1 << 53) }
}
