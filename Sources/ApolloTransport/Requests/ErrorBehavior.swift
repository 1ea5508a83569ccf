/// The treatment that a request asks of its server when a field fails: the request parameter
/// `onError` of specification pull request 1236.
///
/// A server that does not know the parameter ignores it, or rejects the request.
public enum ErrorBehavior: String, Hashable, Sendable, CaseIterable {
  /// The field is null, even if the schema says that it never is.
  ///
  /// Properties of fields with `@catch` report the error there. A null in the place of any other
  /// field that is never null goes up to the nearest field that may be null, as with
  /// ``propagate``; its error stays that of the field.
  case null = "NULL"
  /// A null goes up to the nearest field that may be null: what servers always did.
  case propagate = "PROPAGATE"
  /// The response has no data.
  case halt = "HALT"
}
