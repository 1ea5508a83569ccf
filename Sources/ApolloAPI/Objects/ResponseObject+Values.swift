extension ResponseObject {
  /// Returns whether a field of the layout has no value, not even null.
  package func isMissing(_ field: FieldLayout) -> Bool {
    defer { withExtendedLifetime(storage) {} }
    return field.slotType.isMissing(slot(field.slot))
  }

  /// Returns the value of a leaf or a list of leaves as JSON; `null` when there is none.
  package func leafValue(of field: FieldLayout) -> JSONValue {
    guard !field.slotType.holdsObjects else { return .null }
    defer { withExtendedLifetime(storage) {} }
    let slot = slot(field.slot)
    return field.slotType.hasValue(slot) ? field.slotType.jsonValue(slot) : .null
  }

  /// Calls `body` with each object of a field, in order, through all lists; with `nil` for each
  /// null in a list.
  package func forEachObject(of field: FieldLayout, _ body: (ResponseObject?) -> Void) {
    guard field.slotType.holdsObjects else { return }
    defer { withExtendedLifetime(storage) {} }
    field.slotType.forEachObject(slot(field.slot), body)
  }

  /// Returns the objects of a field in their lists; ``ObjectTree/null`` when there is none.
  package func objects(of field: FieldLayout) -> ObjectTree {
    guard field.slotType.holdsObjects else { return .null }
    defer { withExtendedLifetime(storage) {} }
    return field.slotType.objects(slot(field.slot))
  }
}

extension ResponseObject {
  /// The name of the object's type, if it is known.
  package var typename: String? {
    if let typename = layout.typename { return typename }
    guard let index = layout.typenameField else { return nil }
    let slot = slot(layout.fields[index].slot)
    defer { withExtendedLifetime(storage) {} }
    return Self.load(String.self, from: slot) ?? nil
  }
}
