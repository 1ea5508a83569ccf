/// Is told of each object of a response while the response is read, so that nothing has to walk the result again.
///
/// This is the seam between the reader and the cache. What a listener needs is on the object and its layout:
///
/// - `object.typename`, `object.layout.position` (and its `plan.schema`, `staticTypename`);
/// - `object.layout.fields`: in the order of the response, each with `responseKey`, `name` (the schema's), `slot`, `position` of its
///   objects (`nil` for a leaf), `listRank`, `isNonNull`; ``FieldKeys`` gives a field's name with its canonical arguments;
/// - the values: `object.isMissing(_:)`, `object.hasValue(_:)`, `object.leafValue(of:)`, `object.forEachObject(of:_:)`,
///   `object.objects(of:)`;
/// - `object.name`: what the listener calls the object. It may be set when the listener is told of the object, and read when the
///   listener meets the object again as a child, or whenever it finds the object later.
///
/// The other way around, ``ResponseObjectBuilder`` makes the same objects from values, with the layouts that
/// `SelectionLayout.plan(schema:variables:)`, `OperationPlan.position(for:)` and `ObjectPosition.layout(forTypename:)` give.
package protocol ResponseObserver: AnyObject {
  /// An object is complete. Its children were told of before it; the root comes last.
  ///
  /// Returns the object that goes into the result: this one, or one of the same layout with equal values, such as one that is
  /// known from before, so that equal objects are one and need not be compared.
  ///
  /// The object may still be missing from the result: a null that an error explains takes the objects around it with it, and when
  /// reading fails as a whole, nothing is delivered. Keep what you collect to yourself until the reader has returned.
  func didComplete(_ object: ResponseObject) -> ResponseObject
}

// MARK: - Values, without knowing their types

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

/// An object, nothing, or a list of such: what a field with a selection set can hold.
package enum ObjectTree {
  case null
  case object(ResponseObject)
  case list([ObjectTree])
}
