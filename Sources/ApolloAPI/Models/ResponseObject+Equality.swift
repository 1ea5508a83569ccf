#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension ResponseObject {
  static func isEqual(_ lhs: Self, _ rhs: Self, asSeenBy view: SelectionLayout) -> Bool {
    if lhs === rhs { return true }
    return isEqual(lhs, lhs.visibleLayout(asSeenBy: view), rhs, rhs.visibleLayout(asSeenBy: view))
  }

  /// Whether each object shows the same values, through layouts that were made for the same view.
  private static func isEqual(
    _ lhs: Self, _ lhsVisible: ObjectLayout, _ rhs: Self, _ rhsVisible: ObjectLayout
  ) -> Bool {
    if lhs === rhs, lhsVisible === rhsVisible { return true }
    defer { withExtendedLifetime((lhs, rhs)) {} }
    if lhsVisible === rhsVisible, lhs.layout === rhs.layout {
      for index in lhsVisible.steps.indices {
        guard let left = lhs.place(of: index, in: lhsVisible) else { continue }
        let step = left.step.pointee
        guard isEqual(left.slot, left.step, rhs.slot(step.slot), left.step) else { return false }
      }
      return true
    }
    return lhs.hasValues(of: rhs, lhsVisible, rhsVisible)
      && rhs.hasValues(of: lhs, rhsVisible, lhsVisible)
  }

  /// Whether each field of `visible` that has a value here has the same one in another object.
  private func hasValues(
    of other: ResponseObject, _ visible: ObjectLayout, _ otherVisible: ObjectLayout
  ) -> Bool {
    visible.steps.indices.allSatisfy { index in
      guard let mine = place(of: index, in: visible), mine.step.pointee.hasValue(mine.slot) else {
        return true
      }
      guard
        let otherIndex = otherVisible.fieldIndex(withKey: visible.fields[index].responseKey),
        let theirs = other.place(of: otherIndex, in: otherVisible)
      else { return false }
      return Self.isEqual(mine.slot, mine.step, theirs.slot, theirs.step)
    }
  }

  /// Whether two slots have the same value, or none.
  @inline(__always)
  private static func isEqual(
    _ lhs: UnsafeMutableRawPointer, _ lhsStep: UnsafePointer<ReadStep>,
    _ rhs: UnsafeMutableRawPointer, _ rhsStep: UnsafePointer<ReadStep>
  ) -> Bool {
    let step = lhsStep.pointee
    guard step.reading == rhsStep.pointee.reading else { return false }
    switch step.reading {
    case .string, .id, .text: return isEqualString(lhs, rhs)
    case .int: return load(Int.self, lhs) == load(Int.self, rhs)
    case .double: return load(Double.self, lhs) == load(Double.self, rhs)
    case .bool: return load(Bool.self, lhs) == load(Bool.self, rhs)
    case .object: return isEqualObject(lhs, lhsStep, rhs, rhsStep)
    case .objects: return isEqualObjects(lhs, lhsStep, rhs, rhsStep)
    case .enumeration, .leaf, .strings, .nestedObjects:
      return isEqualByOperations(lhs, lhsStep, rhs, rhsStep)
    }
  }

  @inline(__always)
  static func load<Value>(_: Value.Type, _ slot: UnsafeMutableRawPointer) -> Value? {
    slot.assumingMemoryBound(to: Value??.self).pointee ?? nil
  }

  /// Compares strings by their bytes; short ones lie in the slot itself.
  @inline(__always)
  private static func isEqualString(
    _ lhs: UnsafeMutableRawPointer, _ rhs: UnsafeMutableRawPointer
  ) -> Bool {
    let left = lhs.load(as: (UInt64, UInt64).self), right = rhs.load(as: (UInt64, UInt64).self)
    if left == right { return true }
    switch (load(String.self, lhs), load(String.self, rhs)) {
    case (let left?, let right?): return haveEqualBytes(left, right)
    case (nil, nil): return true
    default: return false
    }
  }

  @inline(never)
  private static func haveEqualBytes(_ lhs: String, _ rhs: String) -> Bool {
    let count = lhs.utf8.count
    guard count == rhs.utf8.count else { return false }
    let isEqual = lhs.utf8.withContiguousStorageIfAvailable { left in
      rhs.utf8.withContiguousStorageIfAvailable { right in
        count == 0 || memcmp(left.baseAddress!, right.baseAddress!, count) == 0  // not empty
      }
    }
    return isEqual.flatMap(\.self) ?? lhs.utf8.elementsEqual(rhs.utf8)
  }

  @inline(never)
  private static func isEqualObject(
    _ lhs: UnsafeMutableRawPointer, _ lhsStep: UnsafePointer<ReadStep>,
    _ rhs: UnsafeMutableRawPointer, _ rhsStep: UnsafePointer<ReadStep>
  ) -> Bool {
    switch (load(ResponseObject.self, lhs), load(ResponseObject.self, rhs)) {
    case (let left?, let right?):
      return isEqual(
        left, left.visibleLayout(at: lhsStep.pointee.objectPlace),
        right, right.visibleLayout(at: rhsStep.pointee.objectPlace))
    case (nil, nil): return true
    default: return false
    }
  }

  @inline(never)
  private static func isEqualObjects(
    _ lhs: UnsafeMutableRawPointer, _ lhsStep: UnsafePointer<ReadStep>,
    _ rhs: UnsafeMutableRawPointer, _ rhsStep: UnsafePointer<ReadStep>
  ) -> Bool {
    // Lists of objects that may not be null have the same bits as lists of those that may.
    switch (load([ResponseObject?].self, lhs), load([ResponseObject?].self, rhs)) {
    case (let left?, let right?):
      guard left.count == right.count else { return false }
      let leftPlace = lhsStep.pointee.objectPlace, rightPlace = rhsStep.pointee.objectPlace
      for index in left.indices {
        switch (left[index], right[index]) {
        case (let one?, let other?):
          guard
            isEqual(
              one, one.visibleLayout(at: leftPlace), other, other.visibleLayout(at: rightPlace))
          else { return false }
        case (nil, nil): continue
        default: return false
        }
      }
      return true
    case (nil, nil): return true
    default: return false
    }
  }

  @inline(never)
  private static func isEqualByOperations(
    _ lhs: UnsafeMutableRawPointer, _ lhsStep: UnsafePointer<ReadStep>,
    _ rhs: UnsafeMutableRawPointer, _ rhsStep: UnsafePointer<ReadStep>
  ) -> Bool {
    let step = lhsStep.pointee, other = rhsStep.pointee
    if step.reading == .enumeration, EnumCases.areSame(lhs, rhs) { return true }
    let hasValue = step.hasValue(lhs)
    guard hasValue == other.hasValue(rhs) else { return false }
    guard hasValue else { return true }
    guard type(of: step.operations) == type(of: other.operations) else { return false }
    if let operations = step.leafOperations { return operations.isEqual(lhs, rhs) }
    guard let operations = step.objectOperations else { return false }
    return operations.isEqual(lhs, rhs) { left, right in
      isEqual(
        left, left.visibleLayout(at: step.objectPlace),
        right, right.visibleLayout(at: other.objectPlace))
    }
  }
}
