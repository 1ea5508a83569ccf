/// How a slot is released.
@usableFromInline
package enum SlotKind: UInt8, Sendable {
  /// Nothing to release.
  case trivial
  case string
  case object
  case list
  /// A `GraphQLEnum`. The last byte of the slot, which the value does not reach, is 0 when there is nothing to release.
  case enumeration
  /// Through ``SlotOperations``.
  case other
}

/// What can be done with the values of one type in their slots, without knowing the type.
///
/// A slot that is read, copied or destroyed must have been initialized; the owner of the object sees to that.
package protocol SlotOperations: AnyObject, Sendable {
  /// How a slot is released.
  var kind: SlotKind { get }
  /// The type of the values; of objects, `ResponseObject` in place of the views.
  var valueType: any SlotValue.Type { get }
  /// Does what is due after a value was put into a slot from outside.
  func didStore(_ slot: UnsafeMutableRawPointer)
  /// Whether the slot holds neither null nor nothing.
  func hasValue(_ slot: UnsafeMutableRawPointer) -> Bool
  /// Whether the slot holds nothing, not even null.
  func isMissing(_ slot: UnsafeMutableRawPointer) -> Bool
  /// Initializes a slot as `null`, or as not there at all.
  func initializeEmpty(_ slot: UnsafeMutableRawPointer, isNull: Bool)
  /// Initializes a slot with the value of another one.
  func initialize(_ slot: UnsafeMutableRawPointer, copying source: UnsafeMutableRawPointer)
  /// Releases what the slot holds, which is uninitialized afterwards.
  func destroy(_ slot: UnsafeMutableRawPointer)
}

/// Operations on scalars and enums, and on lists of them.
package protocol LeafSlotOperations: SlotOperations {
  /// Initializes a slot with a decoded value, which is not `null`.
  func initialize(_ slot: UnsafeMutableRawPointer, decoding value: JSONValue) throws
  /// Whether two slots that both have values have equal ones.
  func isEqual(_ lhs: UnsafeMutableRawPointer, _ rhs: UnsafeMutableRawPointer) -> Bool
  /// Hashes the value of a slot that has one.
  func hash(_ slot: UnsafeMutableRawPointer, into hasher: inout Hasher)
  /// The value of a slot that has one.
  func jsonValue(_ slot: UnsafeMutableRawPointer) -> JSONValue
}

/// Operations on slots whose values are of type `Value`.
class TypedSlot<Value: SlotValue>: SlotOperations, @unchecked Sendable {
  // `@unchecked` because classes with subclasses cannot conform otherwise; there is nothing stored but `kind`.
  let kind: SlotKind

  init(kind: SlotKind) { self.kind = kind }

  final var valueType: any SlotValue.Type { Value.self }

  private static var isBoxed: Bool { MemoryLayout<Value??>.size > MemoryLayout<Slot>.size }

  final func hasValue(_ slot: UnsafeMutableRawPointer) -> Bool { load(slot) != nil }

  final func isMissing(_ slot: UnsafeMutableRawPointer) -> Bool {
    if case .none = ResponseObject.load(Value.self, from: slot) { true } else { false }
  }

  /// The value, or `nil` when the slot holds null or nothing.
  final func load(_ slot: UnsafeMutableRawPointer) -> Value? {
    ResponseObject.load(Value.self, from: slot) ?? nil
  }

  final func initializeEmpty(_ slot: UnsafeMutableRawPointer, isNull: Bool) {
    store(isNull ? .some(nil) : nil, in: slot)
  }

  final func initialize(
    _ slot: UnsafeMutableRawPointer, copying source: UnsafeMutableRawPointer
  ) {
    store(ResponseObject.load(Value.self, from: source), in: slot)
  }

  final func destroy(_ slot: UnsafeMutableRawPointer) {
    if Self.isBoxed {
      slot.assumingMemoryBound(to: SlotBox<Value>??.self).deinitialize(count: 1)
    } else {
      slot.assumingMemoryBound(to: Value??.self).deinitialize(count: 1)
    }
  }

  /// Initializes a slot.
  final func store(_ value: Value??, in slot: UnsafeMutableRawPointer) {
    if Self.isBoxed {
      slot.initializeSlot(as: SlotBox<Value>??.self, to: value.map { $0.map(SlotBox.init) })
    } else {
      slot.initializeSlot(as: Value??.self, to: value)
      didStore(slot)
    }
  }

  final func didStore(_ slot: UnsafeMutableRawPointer) {
    guard kind == .enumeration else { return }
    let value = ResponseObject.load(Value.self, from: slot)
    flagEnumeration(slot, isUnknown: isUnknown(value))
  }

  private func isUnknown(_ value: Value??) -> Bool {
    (value ?? nil).map { ($0 as? any EnumLeaf)?.isUnknown != false } ?? false
  }
}

/// Notes in the last byte of a slot whether its enum has to be released.
private func flagEnumeration(_ slot: UnsafeMutableRawPointer, isUnknown: Bool) {
  slot.storeBytes(of: isUnknown ? 1 : 0, toByteOffset: MemoryLayout<Slot>.size - 1, as: UInt8.self)
}

/// Operations on slots of leaves.
final class LeafSlot<Value: LeafElement & SlotValue>: TypedSlot<Value>, LeafSlotOperations,
  @unchecked Sendable
{
  // `@unchecked` for the same reason as the superclass.
  func initialize(_ slot: UnsafeMutableRawPointer, decoding value: JSONValue) throws {
    store(.some(try Value(_jsonValue: value)), in: slot)
  }

  func isEqual(_ lhs: UnsafeMutableRawPointer, _ rhs: UnsafeMutableRawPointer) -> Bool {
    load(lhs) == load(rhs)
  }

  func hash(_ slot: UnsafeMutableRawPointer, into hasher: inout Hasher) {
    hasher.combine(load(slot))
  }

  func jsonValue(_ slot: UnsafeMutableRawPointer) -> JSONValue { load(slot)?._jsonValue ?? .null }
}
