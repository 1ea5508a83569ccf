/// Detects results that repeat the latest delivered one.
///
/// An error resets the filter: data after an error is new, even if it equals the data before it.
package struct DuplicateFilter<Value> {
  private let areEqual: (Value, Value) -> Bool
  private var latest: Value?

  package init(areEqual: @escaping (Value, Value) -> Bool) { self.areEqual = areEqual }

  /// `true` if a value was delivered and no error after it.
  package var hasDelivered: Bool { latest != nil }

  /// Returns `true` if `value` differs from the latest one, and remembers it.
  package mutating func accept(_ value: Value) -> Bool {
    if let latest, areEqual(latest, value) { return false }
    latest = value
    return true
  }

  package mutating func reset() { latest = nil }
}
