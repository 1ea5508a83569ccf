/// A set of the fields of an object. Up to 64 fields take no memory of their own.
struct FieldSet {
  private var low: UInt64 = 0
  private var high: [UInt64]
  private var missing: Int

  init(count: Int) {
    missing = count
    high = count > 64 ? Array(repeating: 0, count: (count - 1) / 64) : []
  }

  /// `true` if the set contains every field.
  var isFull: Bool {
    @inline(__always) get { missing == 0 }
  }

  @inline(__always)
  func contains(_ index: Int) -> Bool {
    index < 64 ? low &>> UInt64(index) & 1 == 1 : containsHigh(index)
  }

  @inline(never)
  private func containsHigh(_ index: Int) -> Bool {
    high[index / 64 - 1] >> UInt64(index % 64) & 1 == 1
  }

  /// Adds a field. Returns `false` if the set contained it.
  @inline(__always)
  mutating func insert(_ index: Int) -> Bool {
    guard index < 64 else { return insertHigh(index) }
    let bit: UInt64 = 1 &<< UInt64(index)
    guard low & bit == 0 else { return false }
    low |= bit
    missing &-= 1
    return true
  }

  @inline(never)
  private mutating func insertHigh(_ index: Int) -> Bool {
    guard !contains(index) else { return false }
    high[index / 64 - 1] |= 1 << UInt64(index % 64)
    missing -= 1
    return true
  }

  /// Adds the fields of a group, none of which the set may contain.
  @inline(__always)
  mutating func insert(_ group: borrowing FieldGroup) {
    low |= group.low
    missing &-= group.low.nonzeroBitCount
    for index in group.others { _ = insertHigh(index) }
  }

  /// Removes a field.
  mutating func remove(_ index: Int) {
    guard contains(index) else { return }
    if index < 64 {
      low &= ~(1 &<< UInt64(index))
    } else {
      high[index / 64 - 1] &= ~(1 << UInt64(index % 64))
    }
    missing += 1
  }
}

/// Fields that are added to sets together, in one step if they are among the first 64.
struct FieldGroup {
  fileprivate private(set) var low: UInt64 = 0
  /// The indices of the fields after the first 64.
  fileprivate private(set) var others: [Int] = []

  /// Adds a field that is not in the group.
  mutating func insert(_ index: Int) {
    if index < 64 { low |= 1 &<< UInt64(index) } else { others.append(index) }
  }
}
