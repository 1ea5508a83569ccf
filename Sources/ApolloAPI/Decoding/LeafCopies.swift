/// The leaves that objects of one layout take over from objects of another, slot by slot.
package struct LeafCopies {
  private let source: ObjectLayout
  private let target: ObjectLayout
  fileprivate private(set) var fields: [LeafCopy] = []
  /// The fields that are set by copying.
  fileprivate private(set) var group = FieldGroup()

  fileprivate struct LeafCopy {
    let slot: Int
    let sourceSlot: Int
    let slotType: SlotType
  }

  /// Creates an empty list.
  package init(from source: ObjectLayout, to target: ObjectLayout) {
    self.source = source
    self.target = target
  }

  /// Adds a field if its slot can hold every value of a field of the other layout.
  ///
  /// - Returns: `false` if it cannot, or if the field holds objects.
  package mutating func add(from sourceIndex: Int, to index: Int) -> Bool {
    let from = source.fields[sourceIndex]
    let field = target.fields[index]
    guard field.canHoldAll(of: from) else { return false }
    fields.append(LeafCopy(slot: field.slot, sourceSlot: from.slot, slotType: from.slotType))
    group.insert(index)
    return true
  }
}

extension ResponseObjectBuilder {
  /// Sets leaves to those of an object of the other layout. None of them may have been set.
  package mutating func copy(_ copies: borrowing LeafCopies, of other: ResponseObject) {
    for field in copies.fields {
      field.slotType.copy(other.slot(field.sourceSlot), to: slot(field.slot))
      copyForm(other, field.sourceSlot, field.slot)
    }
    didSet(copies.group)
    withExtendedLifetime(other) {}
  }
}

extension FieldLayout {
  /// Returns whether every value in a slot of another field could be in a slot of this one.
  fileprivate func canHoldAll(of other: FieldLayout) -> Bool {
    guard other.isNonNull || !isNonNull, !other.isDeferred else { return false }
    return switch (slotType.kind, other.slotType.kind) {
    case (.string, .string), (.string, .id), (.string, .text): true
    case (.id, .string), (.id, .id), (.id, .text): true
    case (.text, .string), (.text, .id), (.text, .text): true
    case (.int, .int), (.double, .double), (.bool, .bool): true
    case (.enumeration, .enumeration), (.strings, .strings), (.leaves, .leaves), (.leaf, .leaf):
      slotType.hasSameType(as: other.slotType)
    default: false  // converted by way of a JSON value, or read as objects
    }
  }
}
