extension ResponseObject {
  /// Makes this the only reference to the object, by a copy if necessary.
  mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { self = copied(as: layout) }
  }

  /// Returns a copy of this object that shares its children. `target` must be the object's layout,
  /// or one with the same fields.
  func copied(as target: ObjectLayout) -> ResponseObject {
    let copy = ResponseObject.uninitialized(target)
    for field in layout.fields {
      field.slotType.copy(slot(field.slot), to: copy.slot(field.slot))
    }
    copy.takeFacts(of: self)
    withExtendedLifetime(storage) {}
    return copy
  }
}
