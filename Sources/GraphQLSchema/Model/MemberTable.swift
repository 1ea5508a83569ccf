import GraphQLSyntax

/// Finds a field, argument, input field or enum value by its owner and its name.
///
/// One open-addressing hash table for the whole schema. Owners are numbers that the schema assigns;
/// what is found is a position in the array that the owner's kind implies.
struct MemberTable: Sendable {
  private struct Slot {
    var owner: UInt32
    var name: UInt32
    /// Position plus one; zero marks a free slot.
    var position: UInt32
  }

  /// Argument lists up to this length are scanned; only longer ones are in the table.
  static let greatestScannedCount = 8

  /// The owner of a non-empty argument list. Types are owners by their index.
  static func owner(ofArgumentsAt list: NodeList<Schema.InputValue>) -> UInt32 {
    1 << 31 | list.start
  }

  private var slots: [Slot]
  private var count = 0

  /// A table with room for `capacity` members before it has to grow.
  init(capacity: Int) {
    slots = Array(repeating: Slot(owner: 0, name: 0, position: 0), count: Self.size(for: capacity))
  }

  /// Makes room for `capacity` members.
  mutating func reserveCapacity(_ capacity: Int) {
    let size = Self.size(for: capacity)
    if size > slots.count { resize(to: size) }
  }

  /// The position of the member, or nil when the owner has none of that name.
  ///
  /// - Complexity: O(1) on average.
  func position(of name: Symbol, in owner: UInt32) -> Int? {
    let slot = slots[slotIndex(owner, name.rawValue)]
    return slot.position == 0 ? nil : Int(slot.position &- 1)
  }

  /// Adds a member unless the owner has one of that name already.
  ///
  /// - Returns: The position of the earlier member with that name, or nil when `position` was
  ///   added.
  mutating func insert(_ name: Symbol, in owner: UInt32, at position: Int) -> Int? {
    let index = slotIndex(owner, name.rawValue)
    if slots[index].position != 0 { return Int(slots[index].position &- 1) }
    slots[index] = Slot(
      owner: owner, name: name.rawValue, position: UInt32(truncatingIfNeeded: position) &+ 1)
    count += 1
    if count * 4 > slots.count * 3 { resize(to: slots.count * 2) }
    return nil
  }
}

// MARK: - Slots

extension MemberTable {
  private static func size(for capacity: Int) -> Int {
    var size = 16
    while size * 3 < capacity * 4 { size *= 2 }
    return size
  }

  /// The slot that holds the member, or the free one where it belongs.
  private func slotIndex(_ owner: UInt32, _ name: UInt32) -> Int {
    let mask = slots.count &- 1
    var index = Self.hash(owner, name) & mask
    while true {
      let slot = slots[index]
      if slot.position == 0 || (slot.name == name && slot.owner == owner) { return index }
      index = (index &+ 1) & mask
    }
  }

  /// Mixes both numbers (the finalizer of MurmurHash3), as owners and names are dense.
  private static func hash(_ owner: UInt32, _ name: UInt32) -> Int {
    var bits = UInt64(owner) << 32 | UInt64(name)
    bits = (bits ^ bits >> 33) &* 0xff51_afd7_ed55_8ccd
    bits = (bits ^ bits >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return Int(truncatingIfNeeded: bits ^ bits >> 33)
  }

  private mutating func resize(to size: Int) {
    let old = slots
    slots = Array(repeating: Slot(owner: 0, name: 0, position: 0), count: size)
    for slot in old where slot.position != 0 {
      slots[slotIndex(slot.owner, slot.name)] = slot
    }
  }
}
