extension ResponseObject {
  /// Makes sure that nobody else sees what is changed.
  mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { self = copied(as: layout) }
  }

  /// A copy of this object alone: its children are the same. `target` must be the object's layout, or one with the same fields.
  func copied(as target: ObjectLayout) -> ResponseObject {
    let copy = ResponseObject.uninitialized(target)
    for field in layout.fields {
      field.slotType.copy(slot(field.slot), to: copy.slot(field.slot))
    }
    copy.fieldErrors = fieldErrors
    withExtendedLifetime(storage) {}
    return copy
  }
}
