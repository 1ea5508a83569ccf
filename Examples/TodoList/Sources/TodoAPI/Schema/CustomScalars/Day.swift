public import ApolloAPI

/// A day, such as `2026-12-01`.
public struct Day: CustomScalarType, CustomStringConvertible {
  /// The day in the form of ISO 8601.
  public let description: String

  /// Creates a day from its text, or `nil` if the text is not a day.
  public init?(_ text: String) {
    guard let match = text.wholeMatch(of: /\d{4}-(\d\d)-(\d\d)/),
      let month = Int(match.1), let day = Int(match.2), (1...12) ~= month, (1...31) ~= day
    else { return nil }
    description = text
  }

  /// Decodes a day of a response.
  public init(_jsonValue value: JSONValue) throws {
    guard let day = value.stringValue.flatMap(Day.init) else {
      throw ScalarError(expected: "a day such as 2026-12-01", found: value)
    }
    self = day
  }

  /// The text.
  public var _jsonValue: JSONValue { .string(description) }
}
