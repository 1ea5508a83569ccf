import GraphQLSyntax

/// A lookup table for fields, arguments, input fields and enum values, by owner and name.
///
/// The whole schema has one table, with open addressing. An owner is a number that the schema
/// assigns, and the result is an index in the array that the kind of owner implies.
struct MemberTable: Sendable {
  private struct Slot {
    var owner: UInt32
    var name: UInt32
    /// The index plus one. Zero marks an empty slot.
    var position: UInt32
  }

  /// The maximum length of an argument list that is searched linearly. Only longer ones are in the
  /// table.
  static let maximumScannedCount = 8

  /// Returns the owner of a nonempty argument list. The owner number of a type is its index.
  static func owner(ofArgumentsAt list: NodeList<Schema.InputValue>) -> UInt32 {
    1 << 31 | list.start
  }

  private var slots: [Slot]
  private var count = 0

  /// Creates a table that has room for `capacity` members.
  init(capacity: Int) {
    slots = Array(repeating: Slot(owner: 0, name: 0, position: 0), count: Self.size(for: capacity))
  }

  /// Reserves room for `capacity` members.
  mutating func reserveCapacity(_ capacity: Int) {
    let size = Self.size(for: capacity)
    if size > slots.count { resize(to: size) }
  }

  /// Returns the index of the member `name` of `owner`, or `nil` if there is none.
  ///
  /// - Complexity: O(1) on average.
  func position(of name: Symbol, in owner: UInt32) -> Int? {
    let slot = slots[slotIndex(owner, name.rawValue)]
    return slot.position == 0 ? nil : Int(slot.position &- 1)
  }

  /// Adds a member unless the owner already has one with the same name.
  ///
  /// - Returns: The index of the earlier member, or `nil` if the member was added.
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

  /// Returns the slot of the member, or the empty slot where to insert it.
  private func slotIndex(_ owner: UInt32, _ name: UInt32) -> Int {
    let mask = slots.count &- 1
    var index = Self.hash(owner, name) & mask
    while true {
      let slot = slots[index]
      if slot.position == 0 || (slot.name == name && slot.owner == owner) { return index }
      index = (index &+ 1) & mask
    }
  }

  /// Mixes both numbers with the finalizer of MurmurHash3, because owners and names are dense.
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
