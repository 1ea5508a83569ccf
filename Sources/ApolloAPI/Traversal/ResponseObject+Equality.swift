extension ResponseObject {
  /// Returns whether two objects show the same values to a view. Null and missing are the same;
  /// strings are compared by their bytes.
  static func isEqual(_ lhs: Self, _ rhs: Self, asSeenBy view: SelectionLayout) -> Bool {
    if lhs === rhs { return true }
    defer { withExtendedLifetime((lhs, rhs)) {} }
    var comparison = SlotComparison(understandsStrings: StringBits.areUnderstood)
    return comparison.areEqual(
      lhs, lhs.visibleLayout(asSeenBy: view), rhs, rhs.visibleLayout(asSeenBy: view))
  }
}

/// A comparison of two objects slot by slot, in place, without counting references and without
/// recursion.
///
/// 1. Both objects have the same layout and are seen at its position, in the usual case: their
///    slots are compared one by one. Otherwise each field that one object shows is looked up in the
///    other, and the other way around.
/// 2. Leaves are compared at once. A difference ends the comparison.
/// 3. Pairs of objects below are pushed on a stack.
/// 4. Steps 1 to 3 repeat for each pair on the stack until it is empty. The same object on both
///    sides is equal to itself.
///
///
private struct SlotComparison: ~Copyable {
  /// `true` if strings can be compared as ``StringBits``.
  private let understandsStrings: Bool
  /// The pairs that are left to compare. The objects of the comparison keep them alive.
  private var pending = ScratchStack<Pair>()

  /// Two objects, and the corresponding positions at which they are seen.
  private struct Pair {
    let lhs: Unmanaged<ObjectStorage>
    let lhsPosition: Unmanaged<ObjectPosition>
    let rhs: Unmanaged<ObjectStorage>
    let rhsPosition: Unmanaged<ObjectPosition>
  }

  init(understandsStrings: Bool) { self.understandsStrings = understandsStrings }

  // MARK: - Objects

  /// Returns whether two objects show the same values through layouts of the same view.
  mutating func areEqual(
    _ lhs: ResponseObject, _ lhsVisible: ObjectLayout, _ rhs: ResponseObject,
    _ rhsVisible: ObjectLayout
  ) -> Bool {
    guard haveEqualFields(lhs, lhsVisible, rhs, rhsVisible) else { return false }
    while !pending.isEmpty {
      let pair = pending.top.pointee
      pending.pop(to: pending.count &- 1)
      guard areEqual(pair.lhs, at: pair.lhsPosition, pair.rhs, at: pair.rhsPosition) else {
        return false
      }
    }
    return true
  }

  /// The same without the objects below, which are postponed.
  private mutating func haveEqualFields(
    _ lhs: ResponseObject, _ lhsVisible: ObjectLayout, _ rhs: ResponseObject,
    _ rhsVisible: ObjectLayout
  ) -> Bool {
    if lhs === rhs, lhsVisible === rhsVisible { return true }
    defer { withExtendedLifetime((lhs, rhs)) {} }
    if lhsVisible === rhsVisible, lhs.layout === lhsVisible, rhs.layout === lhsVisible {
      return haveEqualSlots(
        Unmanaged.passUnretained(lhs.storage), Unmanaged.passUnretained(rhs.storage))
    }
    return hasValues(lhs, lhsVisible, of: rhs, rhsVisible)
      && hasValues(rhs, rhsVisible, of: lhs, lhsVisible)
  }

  /// Returns whether two objects have the same values at corresponding positions.
  @inline(__always)
  private mutating func areEqual(
    _ lhs: Unmanaged<ObjectStorage>, at lhsPosition: Unmanaged<ObjectPosition>,
    _ rhs: Unmanaged<ObjectStorage>, at rhsPosition: Unmanaged<ObjectPosition>
  ) -> Bool {
    let layout = lhs._withUnsafeGuaranteedRef { $0.head.pointee.layout }
    let isSame = rhs._withUnsafeGuaranteedRef { $0.head.pointee.layout }.isSame(as: layout)
    if isSame, lhsPosition.isSame(as: rhsPosition), layout.belongs(to: lhsPosition) {
      return lhs.isSame(as: rhs) || haveEqualSlots(lhs, rhs)
    }
    return areEqualAcrossLayouts(lhs, at: lhsPosition, rhs, at: rhsPosition)
  }

  @inline(never)
  private mutating func areEqualAcrossLayouts(
    _ lhs: Unmanaged<ObjectStorage>, at lhsPosition: Unmanaged<ObjectPosition>,
    _ rhs: Unmanaged<ObjectStorage>, at rhsPosition: Unmanaged<ObjectPosition>
  ) -> Bool {
    let left = ResponseObject(storage: lhs.takeUnretainedValue())
    let right = ResponseObject(storage: rhs.takeUnretainedValue())
    return haveEqualFields(
      left, left.visibleLayout(at: lhsPosition.takeUnretainedValue()),
      right, right.visibleLayout(at: rhsPosition.takeUnretainedValue()))
  }

  /// Returns whether two objects of one layout have the same values in all slots.
  private mutating func haveEqualSlots(
    _ lhs: Unmanaged<ObjectStorage>, _ rhs: Unmanaged<ObjectStorage>
  ) -> Bool {
    let fields = lhs._withUnsafeGuaranteedRef { storage in
      storage.head.pointee.layout._withUnsafeGuaranteedRef { $0.fields }
    }
    let left = lhs._withUnsafeGuaranteedRef { $0.slot(0) }
    let right = rhs._withUnsafeGuaranteedRef { $0.slot(0) }
    for index in fields.indices {
      let field = fields.baseAddress! + index  // there is a field with this index
      let offset = field.pointee.slot &* MemoryLayout<Slot>.stride
      guard areEqual(left + offset, field, right + offset, field) else { return false }
    }
    return true
  }

  /// Returns whether each field of `visible` that has a value in one object has the same value in
  /// another object.
  private mutating func hasValues(
    _ object: ResponseObject, _ visible: ObjectLayout, of other: ResponseObject,
    _ otherVisible: ObjectLayout
  ) -> Bool {
    visible.fields.indices.allSatisfy { index in
      guard let mine = object.position(of: index, in: visible),
        mine.field.pointee.slotType.hasValue(mine.slot)
      else { return true }
      guard
        let otherIndex = otherVisible.fieldIndex(withKey: visible.fields[index].responseKey),
        let theirs = other.position(of: otherIndex, in: otherVisible)
      else { return false }
      return areEqual(mine.slot, mine.field, theirs.slot, theirs.field)
    }
  }

  // MARK: - Slots

  /// Returns whether two slots have the same value, or none.
  @inline(__always)
  private mutating func areEqual(
    _ lhs: UnsafeMutableRawPointer, _ lhsField: UnsafePointer<FieldLayout>,
    _ rhs: UnsafeMutableRawPointer, _ rhsField: UnsafePointer<FieldLayout>
  ) -> Bool {
    let reading = lhsField.pointee.slotType.kind
    guard reading == rhsField.pointee.slotType.kind else { return false }
    switch reading {
    case .string, .id, .text: return areEqualStrings(lhs, rhs)
    case .int:
      return Slot.haveSameBits(lhs, rhs)
        || ResponseObject.load(Int.self, lhs) == ResponseObject.load(Int.self, rhs)
    case .double:
      return Slot.haveSameBits(lhs, rhs)
        || ResponseObject.load(Double.self, lhs) == ResponseObject.load(Double.self, rhs)
    case .bool: return ResponseObject.load(Bool.self, lhs) == ResponseObject.load(Bool.self, rhs)
    case .object: return areEqualObjects(lhs, lhsField, rhs, rhsField)
    case .objects: return areEqualLists(lhs, lhsField, rhs, rhsField)
    case .strings: return areEqualStringLists(lhs, rhs)
    case .enumeration, .leaf, .leaves, .nestedObjects:
      return Slot.haveSameBits(lhs, rhs) || areOthersEqual(lhs, lhsField, rhs, rhsField)
    }
  }

  @inline(__always)
  private func areEqualStrings(
    _ lhs: UnsafeMutableRawPointer, _ rhs: UnsafeMutableRawPointer
  ) -> Bool {
    if understandsStrings,
      let areEqual = StringBits.areEqual(StringBits(in: lhs), StringBits(in: rhs))
    {
      return areEqual
    }
    return areEqualOtherStrings(lhs, rhs)
  }

  @inline(never)
  private func areEqualOtherStrings(
    _ lhs: UnsafeMutableRawPointer, _ rhs: UnsafeMutableRawPointer
  ) -> Bool {
    switch (ResponseObject.load(String.self, lhs), ResponseObject.load(String.self, rhs)) {
    case (let left?, let right?): left.hasSameBytes(as: right)
    case (nil, nil): true
    default: false
    }
  }

  @inline(__always)
  private mutating func areEqualObjects(
    _ lhs: UnsafeMutableRawPointer, _ lhsField: UnsafePointer<FieldLayout>,
    _ rhs: UnsafeMutableRawPointer, _ rhsField: UnsafePointer<FieldLayout>
  ) -> Bool {
    // Objects have a position.
    postpone(
      Slot.object(in: lhs), lhsField.pointee.positionReference!, Slot.object(in: rhs),
      rhsField.pointee.positionReference!)
  }

  /// Postpones the comparison of two objects. Returns `false` when only one of them is present.
  @inline(__always)
  private mutating func postpone(
    _ lhs: Unmanaged<ObjectStorage>?, _ lhsPosition: Unmanaged<ObjectPosition>,
    _ rhs: Unmanaged<ObjectStorage>?, _ rhsPosition: Unmanaged<ObjectPosition>
  ) -> Bool {
    guard let lhs, let rhs else { return lhs == nil && rhs == nil }
    pending.push(Pair(lhs: lhs, lhsPosition: lhsPosition, rhs: rhs, rhsPosition: rhsPosition))
    return true
  }

  @inline(never)
  private mutating func areEqualLists(
    _ lhs: UnsafeMutableRawPointer, _ lhsField: UnsafePointer<FieldLayout>,
    _ rhs: UnsafeMutableRawPointer, _ rhsField: UnsafePointer<FieldLayout>
  ) -> Bool {
    // Objects have a position.
    let lhsPosition = lhsField.pointee.positionReference!,
      rhsPosition = rhsField.pointee.positionReference!
    return Slot.withObjects(in: lhs) { left in
      Slot.withObjects(in: rhs) { right in
        guard let left, let right else { return left == nil && right == nil }
        return left.count == right.count
          && left.indices.allSatisfy { postpone(left[$0], lhsPosition, right[$0], rhsPosition) }
      }
    }
  }

  /// Compares lists of strings and nulls, whose elements have the form of slots.
  @inline(never)
  private func areEqualStringLists(
    _ lhs: UnsafeMutableRawPointer, _ rhs: UnsafeMutableRawPointer
  ) -> Bool {
    Slot.withStrings(in: lhs) { left in
      Slot.withStrings(in: rhs) { right in
        guard let left, let right else { return left == nil && right == nil }
        return left.count == right.count
          && left.indices.allSatisfy { areEqualStrings(left.slot($0), right.slot($0)) }
      }
    }
  }

  @inline(never)
  private mutating func areOthersEqual(
    _ lhs: UnsafeMutableRawPointer, _ lhsField: UnsafePointer<FieldLayout>,
    _ rhs: UnsafeMutableRawPointer, _ rhsField: UnsafePointer<FieldLayout>
  ) -> Bool {
    let left = lhsField.pointee.slotType, right = rhsField.pointee.slotType
    let hasValue = left.hasValue(lhs)
    guard hasValue == right.hasValue(rhs) else { return false }
    guard hasValue else { return true }
    guard left.hasSameType(as: right) else { return false }
    guard left.holdsObjects else { return left.areEqualLeaves(lhs, rhs) }
    // Objects have a position.
    return areEqualTrees(
      left.objects(lhs), lhsField.pointee.positionReference!,
      right.objects(rhs), rhsField.pointee.positionReference!)
  }

  /// Compares the shape of two trees, and postpones the objects in them.
  private mutating func areEqualTrees(
    _ lhs: ObjectTree, _ lhsPosition: Unmanaged<ObjectPosition>,
    _ rhs: ObjectTree, _ rhsPosition: Unmanaged<ObjectPosition>
  ) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): return true
    case (.object(let left), .object(let right)):
      return postpone(
        Unmanaged.passUnretained(left.storage), lhsPosition,
        Unmanaged.passUnretained(right.storage), rhsPosition)
    case (.list(let left), .list(let right)) where left.count == right.count:
      for (left, right) in zip(left, right) {
        guard areEqualTrees(left, lhsPosition, right, rhsPosition) else { return false }
      }
      return true
    default: return false
    }
  }
}
