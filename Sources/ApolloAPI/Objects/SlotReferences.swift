// Values in place, without counting references. The results are valid while the object is alive and
// its slots do not change.

extension Unmanaged {
  /// Returns whether both are the same object.
  @inline(__always)
  func isSame(as other: Self) -> Bool { toOpaque() == other.toOpaque() }
}

extension Unmanaged<ObjectLayout> {
  /// Returns whether the layout belongs to a position.
  @inline(__always)
  func belongs(to position: Unmanaged<ObjectPosition>) -> Bool {
    _withUnsafeGuaranteedRef { $0.positionReference }.isSame(as: position)
  }
}

extension Slot {
  /// Returns whether two slots have the same bits, and so the same value. Other bits may be an
  /// equal value.
  @inline(__always)
  static func haveSameBits(_ lhs: UnsafeMutableRawPointer, _ rhs: UnsafeMutableRawPointer) -> Bool {
    let left = lhs.load(as: Slot.self).bits, right = rhs.load(as: Slot.self).bits
    return left.0 == right.0 && left.1 == right.1
  }

  /// Returns the reference in a slot for an object or a list, or `nil` when it holds none.
  ///
  /// Null and missing are numbers below the least address that an object can have.
  @inline(__always)
  private static func address(in slot: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let bits = slot.load(as: UInt.self)
    return bits < leastAddress ? nil : UnsafeMutableRawPointer(bitPattern: bits)
  }

  /// Every platform of Swift leaves the first page empty.
  private static var leastAddress: UInt { 4096 }

  /// Returns whether a slot for an object or a list holds one.
  static func hasReference(_ slot: UnsafeMutableRawPointer) -> Bool { address(in: slot) != nil }

  /// Returns the object in a slot, or `nil` when it holds none.
  @inline(__always)
  static func object(in slot: UnsafeMutableRawPointer) -> Unmanaged<ObjectStorage>? {
    address(in: slot).map { Unmanaged.fromOpaque($0) }
  }

  /// Calls `body` with the objects of the list in a slot, or with `nil` when it holds none.
  ///
  /// Lists of objects that may not be null have the same bits as lists of those that may.
  @inline(__always)
  static func withObjects<Result>(
    in slot: UnsafeMutableRawPointer,
    _ body: (UnsafeBufferPointer<Unmanaged<ObjectStorage>?>?) -> Result
  ) -> Result {
    guard address(in: slot) != nil else { return body(nil) }
    let list = slot.assumingMemoryBound(to: [Unmanaged<ObjectStorage>?].self)
    return list.pointee.withUnsafeBufferPointer { body($0) }
  }

  /// Calls `body` with the strings of the list in a slot, or with `nil` when it holds none.
  ///
  /// Lists of strings that may not be null have the same bits as lists of those that may.
  @inline(__always)
  static func withStrings<Result>(
    in slot: UnsafeMutableRawPointer, _ body: (UnsafeBufferPointer<String?>?) -> Result
  ) -> Result {
    guard address(in: slot) != nil else { return body(nil) }
    let list = slot.assumingMemoryBound(to: [String?].self)
    return list.pointee.withUnsafeBufferPointer { body($0) }
  }
}

extension UnsafeBufferPointer<Unmanaged<ObjectStorage>?> {
  /// Returns the address of an element that is a list itself, which is read like a slot.
  @inline(__always)
  func slot(_ index: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(mutating: baseAddress! + index)  // there is an element with this index
  }
}

extension UnsafeBufferPointer<String?> {
  /// Returns the address of an element, which has the form of a slot: `String?` and `String??` have
  /// equal representations.
  @inline(__always)
  func slot(_ index: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(mutating: baseAddress! + index)  // there is an element with this index
  }
}

// MARK: - Values

extension ResponseObject {
  /// Returns the value in a slot, which must fit it, or `nil` when the slot holds none.
  @inline(__always)
  static func load<Value>(_: Value.Type, _ slot: UnsafeMutableRawPointer) -> Value? {
    slot.assumingMemoryBound(to: Value??.self).pointee ?? nil
  }
}

extension UnsafeMutableRawPointer {
  /// Initializes a slot with a value that fits it, and with zeros after it, so that equal values
  /// usually have equal bits.
  @inline(__always)
  func initializeSlot<Value>(as type: Value??.Type, to value: Value??) {
    initializeMemory(as: Slot.self, to: Slot(bits: (0, 0)))
    initializeMemory(as: type, to: value)
  }
}
