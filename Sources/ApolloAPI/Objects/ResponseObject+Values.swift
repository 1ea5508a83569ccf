extension ResponseObject {
  /// Whether the object has no value for one of its layout's fields, not even null.
  package func isMissing(_ field: FieldLayout) -> Bool {
    defer { withExtendedLifetime(storage) {} }
    return field.slotType.isMissing(slot(field.slot))
  }

  /// Whether one of the layout's fields is neither missing nor null.
  package func hasValue(_ field: FieldLayout) -> Bool {
    defer { withExtendedLifetime(storage) {} }
    return field.slotType.hasValue(slot(field.slot))
  }

  /// The value of a leaf or list of leaves: what a server would send for it. `null` when there is none.
  package func leafValue(of field: FieldLayout) -> JSONValue {
    guard !field.slotType.holdsObjects else { return .null }
    defer { withExtendedLifetime(storage) {} }
    let slot = slot(field.slot)
    return field.slotType.hasValue(slot) ? field.slotType.jsonValue(slot) : .null
  }

  /// Visits the objects of a field, through all lists, in order; `nil` stands for a null in a list.
  package func forEachObject(of field: FieldLayout, _ body: (ResponseObject?) -> Void) {
    guard field.slotType.holdsObjects else { return }
    defer { withExtendedLifetime(storage) {} }
    field.slotType.forEachObject(slot(field.slot), body)
  }

  /// The objects of a field in the lists they are in; ``ObjectTree/null`` when there is none.
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
