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
