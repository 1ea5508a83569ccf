/// The errors that a server reported for the fields of one object, by response key.
///
/// `@unchecked Sendable` because nothing writes to an ``ObjectIdentity`` once it is made.
final class FieldErrors: @unchecked Sendable {
  let byKey: [String: [GraphQLError]]
  /// See ``ResponseObject/identity``.
  let identity: ObjectIdentity?

  init(_ byKey: [String: [GraphQLError]], identity: ObjectIdentity? = nil) {
    self.byKey = byKey
    self.identity = identity
  }
}
