/// Receives each object of a response while the response is decoded, so that the result need not be
/// walked again.
///
/// This is the seam between decoding and the cache. The object and its layout tell everything that
/// an observer needs:
///
/// - `object.typename`, `object.layout.position` (and its `plan.schema`, `staticTypename`);
/// - `object.layout.fields`: in the order of the response, each with `responseKey`, `name` (the
///   schema's), `slot`, `position` of its objects (`nil` for a leaf), `listRank`, `isNonNull`;
///   ``FieldKeys`` gives a field's name with its canonical arguments;
/// - the values: `object.isMissing(_:)`, `object.leafValue(of:)`, `object.forEachObject(of:_:)`,
///   `object.objects(of:)`;
/// - `object.identity`: the observer may set it when it receives the object, and read it when it
///   meets the object again, such as a child of a later one.
///
/// In the other direction, ``ResponseObjectBuilder`` makes the same objects from values, with the
/// layouts that `SelectionLayout.plan(schema:variables:)`, `OperationPlan.position(for:)` and
/// `ObjectPosition.layout(forTypename:)` give.
///
/// `ResponseNormalizer` alone conforms to it. It is a protocol because that type is in the module
/// of the cache, which this one does not know.
package protocol ResponseObserver: AnyObject {
  /// Receives an object that is complete. Its children come before it; the root comes last.
  ///
  /// Returns the object to put into the result: this one, or an earlier one of the same layout with
  /// equal values, so that equal objects are shared and need not be compared.
  ///
  /// The object may still be missing from the result: a null that an error explains propagates to
  /// the objects around it, and a response that fails is not delivered at all. Use collected
  /// objects only after decoding has returned.
  func didComplete(_ object: ResponseObject) -> ResponseObject

  /// Receives the errors of the response, after all objects. Errors that the client adds, because
  /// the operation does not allow a null, are not among them.
  func didRead(_ errors: [GraphQLError])
}

extension ResponseObserver {
  /// Ignores the errors.
  package func didRead(_ errors: [GraphQLError]) {}
}
