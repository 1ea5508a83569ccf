// Storing, copying and releasing values, whatever their type.

extension SlotType {
  /// Initializes a slot as null, or as missing.
  @inline(__always)
  func initializeEmpty(_ slot: UnsafeMutableRawPointer, isNull: Bool) {
    switch kind {
    case .string, .id, .text:
      slot.initializeSlot(as: String??.self, to: isNull ? .some(nil) : nil)
    case .int: slot.initializeSlot(as: Int??.self, to: isNull ? .some(nil) : nil)
    case .double: slot.initializeSlot(as: Double??.self, to: isNull ? .some(nil) : nil)
    case .bool: slot.initializeSlot(as: Bool??.self, to: isNull ? .some(nil) : nil)
    case .object, .objects, .nestedObjects, .strings, .leaves:
      slot.initializeSlot(as: ResponseObject??.self, to: isNull ? .some(nil) : nil)
    case .enumeration, .leaf: initializeEmptyLeaf(slot, isNull: isNull)
    }
  }

  /// Returns whether a slot holds neither null nor nothing.
  @inline(__always)
  func hasValue(_ slot: UnsafeMutableRawPointer) -> Bool { emptiness(slot) == nil }

  /// Returns whether a slot holds nothing, not even null.
  @inline(__always)
  func isMissing(_ slot: UnsafeMutableRawPointer) -> Bool { emptiness(slot) == .missing }

  private enum Emptiness {
    case null, missing
  }

  /// Returns why a slot has no value, or `nil` when it has one.
  @inline(__always)
  private func emptiness(_ slot: UnsafeMutableRawPointer) -> Emptiness? {
    switch kind {
    case .string, .id, .text:
      Self.emptiness(of: slot.assumingMemoryBound(to: String??.self).pointee)
    case .int: Self.emptiness(of: slot.assumingMemoryBound(to: Int??.self).pointee)
    case .double: Self.emptiness(of: slot.assumingMemoryBound(to: Double??.self).pointee)
    case .bool: Self.emptiness(of: slot.assumingMemoryBound(to: Bool??.self).pointee)
    case .object, .objects, .nestedObjects, .strings, .leaves:
      Slot.hasReference(slot)
        ? nil : Self.emptiness(of: slot.assumingMemoryBound(to: ResponseObject??.self).pointee)
    case .enumeration: isKnownCase(slot) ? nil : leafEmptiness(slot)
    case .leaf: leafEmptiness(slot)
    }
  }

  @inline(__always)
  private static func emptiness<Value>(of value: Value??) -> Emptiness? {
    switch value {
    case .none: .missing
    case .some(.none): .null
    case .some(.some): nil
    }
  }

  /// Initializes a slot with the value of another one.
  @inline(__always)
  func copy(_ source: UnsafeMutableRawPointer, to slot: UnsafeMutableRawPointer) {
    switch kind {
    case .string, .id, .text:
      slot.initializeMemory(
        as: String??.self, to: source.assumingMemoryBound(to: String??.self).pointee)
    case .int, .double, .bool:
      slot.initializeMemory(as: Slot.self, to: source.load(as: Slot.self))  // nothing to count
    case .object:
      slot.initializeMemory(
        as: ResponseObject??.self, to: source.assumingMemoryBound(to: ResponseObject??.self).pointee
      )
    case .objects, .nestedObjects, .strings, .leaves:
      slot.initializeMemory(
        as: [ResponseObject]??.self,
        to: source.assumingMemoryBound(to: [ResponseObject]??.self).pointee)
    case .enumeration where Slot.flag(in: source) == 0:
      slot.initializeMemory(as: Slot.self, to: source.load(as: Slot.self))
    case .enumeration, .leaf: copyLeaf(source, to: slot)
    }
  }

  /// Releases the value of a slot, which is uninitialized afterwards.
  ///
  /// ``ObjectLayout/releaseSlots(at:)`` does so for all slots of an object.
  func release(_ slot: UnsafeMutableRawPointer) {
    switch kind {
    case .string, .id, .text: _ = slot.assumingMemoryBound(to: String??.self).move()
    case .object: _ = slot.assumingMemoryBound(to: ResponseObject??.self).move()
    case .objects, .nestedObjects, .strings, .leaves:
      _ = slot.assumingMemoryBound(to: [ResponseObject]??.self).move()
    case .int, .double, .bool: break
    case .enumeration, .leaf: releaseLeaf(slot)
    }
  }

  /// The name of the known value of an enum in a slot, or `nil` when there is none.
  func caseName(_ slot: UnsafeMutableRawPointer) -> String? {
    cases?._withUnsafeGuaranteedRef { $0.name(of: slot) }
  }

  private func isKnownCase(_ slot: UnsafeMutableRawPointer) -> Bool {
    cases?._withUnsafeGuaranteedRef { $0.hash(of: slot) } != nil
  }
}

// MARK: - Leaves

extension SlotType {
  // Each function opens the metatype: `Value` is a type that only the program knows. A slot that
  // holds objects never gets here.

  /// Initializes a slot with a decoded value, which is not `null`.
  ///
  /// - Returns: `false` if the type writes the value in another form.
  @inline(never)
  func decode(_ value: JSONValue, into slot: UnsafeMutableRawPointer) throws -> Bool {
    func decode<Value: LeafElement & SlotValue>(_: Value.Type) throws -> Bool {
      let decoded = try Value(_jsonValue: value)
      Self.store(.some(decoded), in: slot)
      return decoded.isWritten(as: value)
    }
    return try leaf.map { try decode($0) } ?? true
  }

  /// The value of a slot that has one.
  @inline(never)
  func jsonValue(_ slot: UnsafeMutableRawPointer) -> JSONValue {
    func jsonValue<Value: LeafElement & SlotValue>(_: Value.Type) -> JSONValue {
      Self.load(Value.self, slot)?._jsonValue ?? .null
    }
    return leaf.map { jsonValue($0) } ?? .null
  }

  /// The value of a slot that has one, for a cache. In debug builds, checks that it can be read
  /// back.
  @inline(__always)
  func writtenForm(_ slot: UnsafeMutableRawPointer) -> JSONValue {
    let value = jsonValue(slot)
    #if DEBUG
      leaf?.checkReading(of: value)
    #endif
    return value
  }

  /// Returns whether two slots of this type, which both have values, have equal ones. Texts are
  /// compared by their bytes.
  @inline(never)
  func areEqualLeaves(_ lhs: UnsafeMutableRawPointer, _ rhs: UnsafeMutableRawPointer) -> Bool {
    func areEqual<Value: LeafElement & SlotValue>(_ type: Value.Type) -> Bool {
      let left = Self.load(Value.self, lhs), right = Self.load(Value.self, rhs)
      return type is any Text.Type ? left?._jsonValue == right?._jsonValue : left == right
    }
    return leaf.map { areEqual($0) } ?? false
  }

  /// Hashes the value of a slot that has one.
  @inline(never)
  func hashLeaf(_ slot: UnsafeMutableRawPointer, into hasher: inout Hasher) {
    func hash<Value: LeafElement & SlotValue>(_: Value.Type, _ hasher: inout Hasher) {
      hasher.combine(Self.load(Value.self, slot))
    }
    if let leaf { hash(leaf, &hasher) }
  }

  /// Initializes a slot with a value that a program made, if it is of the slot's type.
  func initialize<Value: SlotValue>(_ slot: UnsafeMutableRawPointer, with value: Value) -> Bool {
    guard let leaf, leaf == Value.self else { return false }
    Self.store(value, in: slot)
    return true
  }

  @inline(never)
  private func initializeEmptyLeaf(_ slot: UnsafeMutableRawPointer, isNull: Bool) {
    func initialize<Value: SlotValue>(_: Value.Type) {
      Self.store(isNull ? .some(Value?.none) : nil, in: slot)
    }
    if let leaf { initialize(leaf) }
  }

  @inline(never)
  private func leafEmptiness(_ slot: UnsafeMutableRawPointer) -> Emptiness? {
    func emptiness<Value: SlotValue>(_: Value.Type) -> Emptiness? {
      Self.emptiness(of: ResponseObject.load(Value.self, from: slot))
    }
    return leaf.flatMap { emptiness($0) }
  }

  @inline(never)
  private func copyLeaf(_ source: UnsafeMutableRawPointer, to slot: UnsafeMutableRawPointer) {
    func copy<Value: SlotValue>(_: Value.Type) {
      Self.store(ResponseObject.load(Value.self, from: source), in: slot)
    }
    if let leaf { copy(leaf) }
  }

  @inline(never)
  private func releaseLeaf(_ slot: UnsafeMutableRawPointer) {
    func release<Value: SlotValue>(_: Value.Type) {
      if Self.isBoxed(Value.self) {
        slot.assumingMemoryBound(to: SlotBox<Value>??.self).deinitialize(count: 1)
      } else {
        slot.assumingMemoryBound(to: Value??.self).deinitialize(count: 1)
      }
    }
    if let leaf { release(leaf) }
  }

  /// Initializes a slot with a value of any type, in a box if it does not fit.
  static func store<Value: SlotValue>(_ value: Value??, in slot: UnsafeMutableRawPointer) {
    if isBoxed(Value.self) {
      return slot.initializeSlot(
        as: SlotBox<Value>??.self, to: value.map { $0.map(SlotBox.init) })
    }
    slot.initializeSlot(as: Value??.self, to: value)
    if MemoryLayout<Value??>.size < MemoryLayout<Slot>.size,
      let value = (value ?? nil) as? any EnumLeaf, value.isUnknown
    {
      Slot.setFlag(in: slot)
    }
  }

  private static func load<Value: SlotValue>(
    _: Value.Type, _ slot: UnsafeMutableRawPointer
  ) -> Value? {
    ResponseObject.load(Value.self, from: slot) ?? nil
  }

  private static func isBoxed<Value>(_: Value.Type) -> Bool {
    MemoryLayout<Value??>.size > MemoryLayout<Slot>.size
  }
}

extension Slot {
  private static var flagOffset: Int { MemoryLayout<Slot>.size - 1 }

  /// The last byte of a slot: for an enum, 1 if it requires a release.
  @inline(__always)
  static func flag(in slot: UnsafeMutableRawPointer) -> UInt8 {
    slot.load(fromByteOffset: flagOffset, as: UInt8.self)
  }

  fileprivate static func setFlag(in slot: UnsafeMutableRawPointer) {
    slot.storeBytes(of: 1, toByteOffset: flagOffset, as: UInt8.self)
  }
}

/// A string, or lists and optionals of strings, which `==` compares by their characters.
private protocol Text {}

extension String: Text {}
extension Optional: Text where Wrapped: Text {}
extension Array: Text where Element: Text {}
