/// A JSON value that is not a valid value of a scalar.
public struct ScalarError: Error, Hashable, CustomStringConvertible {
  /// What the scalar expected, such as `an ISO 8601 date`.
  public var expected: String
  /// What it was given.
  public var found: JSONValue

  /// Says that `found` is not `expected`.
  public init(expected: String, found: JSONValue) {
    self.expected = expected
    self.found = found
  }

  /// `found "x" where an ISO 8601 date is expected`.
  public var description: String { "found \(found) where \(expected) is expected" }
}
