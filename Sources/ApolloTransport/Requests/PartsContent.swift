/// The meaning of the parts of a response.
package enum PartsContent: Hashable, Sendable {
  /// One response, all at once or with `@defer` and `@stream`.
  case response
  /// The events of a subscription.
  case events
}
