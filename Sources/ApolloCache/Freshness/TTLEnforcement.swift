/// The treatment of fields that have exceeded their maximum age.
public enum TTLEnforcement: Hashable, Sendable {
  /// A stale field is a miss, with the code ``CacheMiss/Code/expired``.
  case strict
  /// A stale field is read. The response says so: `containsStaleFields`.
  case permissive
}

/// The age that a reading tolerates.
package struct FreshnessDemand: Hashable, Sendable {
  /// The treatment of stale fields.
  package var enforcement: TTLEnforcement
  /// The largest age of any field, in addition to the maximum ages of the schema and the server.
  package var maxAge: Duration?
  /// The time after its expiry for which a field does not count as stale.
  package var maxStale: Duration

  package init(
    _ enforcement: TTLEnforcement = .strict, maxAge: Duration? = nil, maxStale: Duration = .zero
  ) {
    self.enforcement = enforcement
    self.maxAge = maxAge
    self.maxStale = maxStale
  }
}
