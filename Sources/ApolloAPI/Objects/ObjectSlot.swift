/// An object, or lists and optionals of objects.
protocol ObjectElement: SlotElement {
  /// Visits each object, in order; `nil` for nulls.
  func forEachObject(_ body: (ResponseObject?) -> Void)
  /// Whether both have the same shape and equal objects in the same places.
  func isEqual(to other: Self, by areEqual: (ResponseObject, ResponseObject) -> Bool) -> Bool
  /// Hashes the shape and the objects.
  func hash(into hasher: inout Hasher, by hashObject: (ResponseObject, inout Hasher) -> Void)
  /// The objects in their lists.
  var objectTree: ObjectTree { get }
  /// The object that is so many elements into each list, outermost first; `nil` when there is none.
  func object(at indices: ArraySlice<PathEntry>) -> ResponseObject?
  /// The value with this shape, or `nil` when it is not one of this type.
  init?(_ tree: ObjectTree)
}

extension ResponseObject: SlotValue, ObjectElement {
  func forEachObject(_ body: (ResponseObject?) -> Void) { body(self) }

  func isEqual(to other: Self, by areEqual: (ResponseObject, ResponseObject) -> Bool) -> Bool {
    areEqual(self, other)
  }

  func hash(into hasher: inout Hasher, by hashObject: (ResponseObject, inout Hasher) -> Void) {
    hashObject(self, &hasher)
  }

  var objectTree: ObjectTree { .object(self) }

  func object(at indices: ArraySlice<PathEntry>) -> ResponseObject? {
    indices.isEmpty ? self : nil
  }

  init?(_ tree: ObjectTree) {
    guard case .object(let object) = tree else { return nil }
    self = object
  }
}

extension Optional: ObjectElement where Wrapped: ObjectElement & SlotValue {
  func forEachObject(_ body: (ResponseObject?) -> Void) {
    if let self { self.forEachObject(body) } else { body(nil) }
  }

  func isEqual(to other: Self, by areEqual: (ResponseObject, ResponseObject) -> Bool) -> Bool {
    switch (self, other) {
    case (let lhs?, let rhs?): lhs.isEqual(to: rhs, by: areEqual)
    case (nil, nil): true
    default: false
    }
  }

  func hash(into hasher: inout Hasher, by hashObject: (ResponseObject, inout Hasher) -> Void) {
    hasher.combine(self != nil)
    self?.hash(into: &hasher, by: hashObject)
  }

  var objectTree: ObjectTree { self?.objectTree ?? .null }

  func object(at indices: ArraySlice<PathEntry>) -> ResponseObject? { self?.object(at: indices) }

  init?(_ tree: ObjectTree) {
    if case .null = tree {
      self = nil
    } else {
      guard let value = Wrapped(tree) else { return nil }
      self = value
    }
  }
}

extension Array: ObjectElement where Element: ObjectElement {
  func forEachObject(_ body: (ResponseObject?) -> Void) {
    for element in self { element.forEachObject(body) }
  }

  func isEqual(to other: Self, by areEqual: (ResponseObject, ResponseObject) -> Bool) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isEqual(to: $1, by: areEqual) }
  }

  func hash(into hasher: inout Hasher, by hashObject: (ResponseObject, inout Hasher) -> Void) {
    hasher.combine(count)
    for element in self { element.hash(into: &hasher, by: hashObject) }
  }

  var objectTree: ObjectTree { .list(map(\.objectTree)) }

  func object(at path: ArraySlice<PathEntry>) -> ResponseObject? {
    guard case .index(let index)? = path.first, indices.contains(index) else { return nil }
    return self[index].object(at: path.dropFirst())
  }

  init?(_ tree: ObjectTree) {
    guard case .list(let trees) = tree else { return nil }
    self = []
    reserveCapacity(trees.count)
    for tree in trees {
      guard let element = Element(tree) else { return nil }
      append(element)
    }
  }
}

/// Operations on slots that hold objects or lists of objects.
protocol ObjectSlotOperations: SlotOperations {
  /// Visits each object of a slot, in order; `nil` for nulls.
  func forEachObject(_ slot: UnsafeMutableRawPointer, _ body: (ResponseObject?) -> Void)
  /// Whether two slots that both have values have equal ones.
  func isEqual(
    _ lhs: UnsafeMutableRawPointer, _ rhs: UnsafeMutableRawPointer,
    by areEqual: (ResponseObject, ResponseObject) -> Bool
  ) -> Bool
  /// Hashes the value of a slot that has one.
  func hash(
    _ slot: UnsafeMutableRawPointer, into hasher: inout Hasher,
    by hashObject: (ResponseObject, inout Hasher) -> Void)
  /// The value of a slot.
  func objects(_ slot: UnsafeMutableRawPointer) -> ObjectTree
  /// The object of a slot, or the one that is so many elements into each of its lists; `nil` when there is none.
  func object(
    _ slot: UnsafeMutableRawPointer, at indices: ArraySlice<PathEntry>
  ) -> ResponseObject?
  /// Initializes a slot; returns `false`, and leaves it alone, when the value has another shape.
  func initialize(_ slot: UnsafeMutableRawPointer, _ objects: ObjectTree) -> Bool
}

/// Operations on slots of objects and lists of objects.
final class ObjectSlot<Value: ObjectElement & SlotValue>: TypedSlot<Value>, ObjectSlotOperations,
  @unchecked Sendable
{
  // `@unchecked` for the same reason as the superclass.
  func forEachObject(_ slot: UnsafeMutableRawPointer, _ body: (ResponseObject?) -> Void) {
    load(slot)?.forEachObject(body)
  }

  func isEqual(
    _ lhs: UnsafeMutableRawPointer, _ rhs: UnsafeMutableRawPointer,
    by areEqual: (ResponseObject, ResponseObject) -> Bool
  ) -> Bool {
    switch (load(lhs), load(rhs)) {
    case (let lhs?, let rhs?): lhs.isEqual(to: rhs, by: areEqual)
    case (nil, nil): true
    default: false
    }
  }

  func hash(
    _ slot: UnsafeMutableRawPointer, into hasher: inout Hasher,
    by hashObject: (ResponseObject, inout Hasher) -> Void
  ) {
    load(slot)?.hash(into: &hasher, by: hashObject)
  }

  func objects(_ slot: UnsafeMutableRawPointer) -> ObjectTree { load(slot)?.objectTree ?? .null }

  func object(
    _ slot: UnsafeMutableRawPointer, at indices: ArraySlice<PathEntry>
  ) -> ResponseObject? {
    load(slot)?.object(at: indices)
  }

  func initialize(_ slot: UnsafeMutableRawPointer, _ objects: ObjectTree) -> Bool {
    guard let value = Value(objects) else { return false }
    store(.some(value), in: slot)
    return true
  }
}
