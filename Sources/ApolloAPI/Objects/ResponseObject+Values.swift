extension ResponseObject {
  /// Whether the object has no value for one of its layout's fields, not even null.
  package func isMissing(_ field: FieldLayout) -> Bool {
    defer { withExtendedLifetime(storage) {} }
    return field.operations.isMissing(slot(field.slot))
  }

  /// Whether one of the layout's fields is neither missing nor null.
  package func hasValue(_ field: FieldLayout) -> Bool {
    defer { withExtendedLifetime(storage) {} }
    return field.operations.hasValue(slot(field.slot))
  }

  /// The value of a leaf or list of leaves: what a server would send for it. `null` when there is none.
  package func leafValue(of field: FieldLayout) -> JSONValue {
    guard let operations = field.leafOperations else { return .null }
    defer { withExtendedLifetime(storage) {} }
    let slot = slot(field.slot)
    return operations.hasValue(slot) ? operations.jsonValue(slot) : .null
  }

  /// Visits the objects of a field, through all lists, in order; `nil` stands for a null in a list.
  package func forEachObject(of field: FieldLayout, _ body: (ResponseObject?) -> Void) {
    guard let operations = field.operations as? any ObjectSlotOperations else { return }
    defer { withExtendedLifetime(storage) {} }
    operations.forEachObject(slot(field.slot), body)
  }

  /// The objects of a field in the lists they are in; ``ObjectTree/null`` when there is none.
  package func objects(of field: FieldLayout) -> ObjectTree {
    guard let operations = field.operations as? any ObjectSlotOperations else { return .null }
    defer { withExtendedLifetime(storage) {} }
    return operations.objects(slot(field.slot))
  }
}
