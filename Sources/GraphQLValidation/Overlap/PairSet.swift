/// Pairs of numbers that have been compared, under one of two conditions.
struct PairSet {
  /// By pair: whether it was compared under the weaker condition only.
  private var isWeak: [UInt64: Bool] = [:]

  /// Adds the pair unless it has been compared under this condition or a stronger one.
  ///
  /// - Returns: Whether it was added.
  mutating func insert(_ first: UInt32, _ second: UInt32, weakly: Bool) -> Bool {
    let key = UInt64(first) << 32 | UInt64(second)
    if let known = isWeak[key], weakly || !known { return false }
    isWeak[key] = weakly
    return true
  }
}
