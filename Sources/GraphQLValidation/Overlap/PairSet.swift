/// The pairs of numbers that have been compared, under one of two conditions.
struct PairSet {
  /// One element for each pair: `true` if it was compared only under the weaker condition.
  private var isWeak: [UInt64: Bool] = [:]

  /// Adds a pair unless it has been compared under the same or a stronger condition.
  ///
  /// - Returns: `true` if the pair was added.
  mutating func insert(_ first: UInt32, _ second: UInt32, weakly: Bool) -> Bool {
    let key = UInt64(first) << 32 | UInt64(second)
    if let known = isWeak[key], weakly || !known { return false }
    isWeak[key] = weakly
    return true
  }
}
