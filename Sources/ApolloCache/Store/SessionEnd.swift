/// The steps in which the session of a user ends.
package enum SessionEnd: Sendable {
  /// Nothing of the session may be shown any more. Its data may still be in the cache.
  case begun
  /// The data of the session is gone from the cache.
  case cleared
}
