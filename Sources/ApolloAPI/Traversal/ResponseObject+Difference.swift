/// The difference between an object and an earlier one of the same layout, for a cache.
package struct ObjectDifference {
  /// A bit for each field with another value, by its index. All fields from the 64th on share the
  /// last bit.
  ///
  /// Objects with identities are compared by these; embedded objects by their fields.
  package fileprivate(set) var fields: UInt64 = 0
  /// `true` if the earlier object can replace this one: nothing differs, and objects with
  /// identities are the same objects.
  package fileprivate(set) var isInterchangeable = true

  package static let none = ObjectDifference()
  fileprivate static let other = ObjectDifference(fields: 1, isInterchangeable: false)
  fileprivate static let sameIdentity = ObjectDifference(fields: 0, isInterchangeable: false)

  fileprivate mutating func add(_ difference: ObjectDifference, _ index: Int) {
    if difference.fields != 0 { fields |= 1 &<< UInt64(min(index, 63)) }
    isInterchangeable = isInterchangeable && difference.isInterchangeable
  }
}

extension ResponseObject {
  /// Compares this object with an earlier one, slot by slot.
  ///
  /// - Parameter other: An object of the same layout.
  /// - Returns: The fields that differ, and whether the other object can replace this one.
  /// - Complexity: O(*n*) in the fields of both and of their embedded objects.
  package func difference(
    from other: ResponseObject
  ) -> ObjectDifference {
    guard self !== other else { return .none }
    guard layout === other.layout else { return .other }
    defer { withExtendedLifetime((self, other)) {} }
    let slots = slot(0), others = other.slot(0)
    var difference = ObjectDifference()
    for index in layout.fields.indices {
      let field = layout.fields.baseAddress! + index  // there is a field with this index
      let offset = field.pointee.slot &* MemoryLayout<Slot>.stride
      let value = slots + offset, known = others + offset
      if field.pointee.isDeferred, isMissing(value, field) != isMissing(known, field) {
        difference.add(.other, index)  // null differs from a missing value
      } else if field.pointee.positionReference == nil {
        if !Self.areSameLeaves(value, known, field) { difference.add(.other, index) }
      } else {
        difference.add(Self.difference(value, known, field), index)
      }
    }
    addForms(from: other, to: &difference)
    return difference
  }

  /// Adds the fields with equal values that the server sent in different forms.
  @inline(__always)
  private func addForms(from other: ResponseObject, to difference: inout ObjectDifference) {
    let hasForms = storage.head.pointee.annotation.hasFacts
    guard hasForms || other.storage.head.pointee.annotation.hasFacts else { return }
    addOtherForms(from: other, to: &difference)
  }

  @inline(never)
  private func addOtherForms(from other: ResponseObject, to difference: inout ObjectDifference) {
    let forms = sentForms, others = other.sentForms
    guard !forms.isEmpty || !others.isEmpty else { return }
    for (index, field) in layout.fields.enumerated() {
      let isSame =
        switch (forms[field.slot], others[field.slot]) {
        case (nil, nil): true
        case (let form?, let other?): form.isIdentical(to: other)
        default: false
        }
      if !isSame { difference.add(.other, index) }
    }
  }

  @inline(never)
  private func isMissing(
    _ slot: UnsafeMutableRawPointer, _ field: UnsafePointer<FieldLayout>
  ) -> Bool {
    field.pointee.slotType.isMissing(slot)
  }

  /// Returns whether two slots of one leaf hold the same value, bit by bit where that matters.
  @inline(__always)
  private static func areSameLeaves(
    _ value: UnsafeMutableRawPointer, _ known: UnsafeMutableRawPointer,
    _ field: UnsafePointer<FieldLayout>
  ) -> Bool {
    switch field.pointee.slotType.kind {
    case .string, .id, .text: areSameStrings(value, known)
    case .int: load(Int.self, value) == load(Int.self, known)
    case .double: load(Double.self, value)?.bitPattern == load(Double.self, known)?.bitPattern
    case .bool: load(Bool.self, value) == load(Bool.self, known)
    case .enumeration where Slot.haveSameBits(value, known): true
    case .strings: areSameStringLists(value, known)
    case .enumeration, .leaf, .leaves, .object, .objects, .nestedObjects:
      areSameOtherLeaves(value, known, field)
    }
  }

  @inline(__always)
  private static func areSameStrings(
    _ value: UnsafeMutableRawPointer, _ known: UnsafeMutableRawPointer
  ) -> Bool {
    if StringBits.areUnderstood,
      let areSame = StringBits.areEqual(StringBits(in: value), StringBits(in: known))
    {
      return areSame
    }
    switch (load(String.self, value), load(String.self, known)) {
    case (let text?, let knownText?): return text.hasSameBytes(as: knownText)
    case (nil, nil): return true
    default: return false
    }
  }

  @inline(never)
  private static func areSameStringLists(
    _ value: UnsafeMutableRawPointer, _ known: UnsafeMutableRawPointer
  ) -> Bool {
    Slot.withStrings(in: value) { strings in
      Slot.withStrings(in: known) { known in
        guard let strings, let known else { return strings == nil && known == nil }
        return strings.count == known.count
          && strings.indices.allSatisfy { areSameStrings(strings.slot($0), known.slot($0)) }
      }
    }
  }

  @inline(never)
  private static func areSameOtherLeaves(
    _ value: UnsafeMutableRawPointer, _ known: UnsafeMutableRawPointer,
    _ field: UnsafePointer<FieldLayout>
  ) -> Bool {
    let hasValue = field.pointee.slotType.hasValue(value)
    guard hasValue == field.pointee.slotType.hasValue(known) else { return false }
    guard hasValue else { return true }
    // As JSON, because a type of the program may treat different values as equal.
    return field.pointee.slotType.jsonValue(value)
      .isIdentical(to: field.pointee.slotType.jsonValue(known))
  }

  @inline(never)
  private static func difference(
    _ value: UnsafeMutableRawPointer, _ known: UnsafeMutableRawPointer,
    _ field: UnsafePointer<FieldLayout>
  ) -> ObjectDifference {
    switch field.pointee.slotType.kind {
    case .object:
      return difference(
        load(ResponseObject.self, value), load(ResponseObject.self, known))
    case .objects:
      // Lists of objects that may not be null have the same bits as lists of those that may.
      return difference(
        load([ResponseObject?].self, value), load([ResponseObject?].self, known))
    default:
      let slotType = field.pointee.slotType
      return difference(slotType.objects(value), slotType.objects(known))
    }
  }

  private static func difference(
    _ value: ResponseObject?, _ known: ResponseObject?
  ) -> ObjectDifference {
    guard let value, let known else { return value == nil && known == nil ? .none : .other }
    guard value !== known else { return .none }
    switch (value.identity, known.identity) {
    case (nil, nil): return value.difference(from: known)
    case (let identity?, let knownIdentity?):
      return ObjectIdentity.areEqual(identity, knownIdentity) ? .sameIdentity : .other
    default: return .other
    }
  }

  private static func difference(
    _ values: [ResponseObject?]?, _ known: [ResponseObject?]?
  ) -> ObjectDifference {
    guard let values, let known else { return values == nil && known == nil ? .none : .other }
    guard values.count == known.count else { return .other }
    var result = ObjectDifference()
    for index in values.indices {
      result.add(difference(values[index], known[index]), 0)
      if result.fields != 0 { return .other }
    }
    return result
  }

  private static func difference(
    _ value: ObjectTree, _ known: ObjectTree
  ) -> ObjectDifference {
    switch (value, known) {
    case (.null, .null): return .none
    case (.object(let value), .object(let known)):
      return difference(value, known)
    case (.list(let values), .list(let known)) where values.count == known.count:
      var result = ObjectDifference()
      for (value, known) in zip(values, known) {
        result.add(difference(value, known), 0)
      }
      return result
    default: return .other
    }
  }
}
