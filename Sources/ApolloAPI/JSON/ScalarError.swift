public import protocol Foundation.LocalizedError

/// The error for a JSON value that is not valid for a scalar.
public struct ScalarError: Error, Hashable, CustomStringConvertible, LocalizedError {
  /// The expected value, such as `an ISO 8601 date`.
  public var expected: String
  /// The value that was found.
  public var found: JSONValue

  /// Creates an error for `found` where `expected` is required.
  public init(expected: String, found: JSONValue) {
    self.expected = expected
    self.found = found
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// `found "x" where an ISO 8601 date is expected`.
  public var description: String { "found \(found) where \(expected) is expected" }
}
