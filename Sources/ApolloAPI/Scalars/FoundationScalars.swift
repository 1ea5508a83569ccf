public import Foundation

extension Date: CustomScalarType {
  /// A date and time of ISO 8601 with a time zone, with or without fractions of a second: `2026-11-20T12:30:00.5Z`.
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value.stringValue, let date = Self.parse(text) else {
      throw ScalarError(expected: "a date and time (ISO 8601, with a time zone)", found: value)
    }
    self = date
  }

  /// A date and time of ISO 8601 in UTC, with milliseconds if there are any.
  public var _jsonValue: JSONValue {
    let hasFraction =
      (timeIntervalSinceReferenceDate * 1000).rounded() != timeIntervalSinceReferenceDate.rounded()
      * 1000
    return .string(formatted(hasFraction ? Self.fractionalStyle : Self.wholeStyle))
  }

  private static let wholeStyle = Date.ISO8601FormatStyle()
  private static let fractionalStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  private static func parse(_ text: String) -> Date? {
    // Both styles throw on what the other one takes.
    (try? wholeStyle.parse(text)) ?? (try? fractionalStyle.parse(text))
  }
}

extension URL: CustomScalarType {
  /// A URL (RFC 3986).
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value.stringValue, !text.isEmpty, let url = URL(string: text) else {
      throw ScalarError(expected: "a URL", found: value)
    }
    self = url
  }

  /// The URL as text.
  public var _jsonValue: JSONValue { .string(absoluteString) }
}

extension UUID: CustomScalarType {
  /// A UUID (RFC 9562) in hexadecimal digits, of either case.
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value.stringValue, let uuid = UUID(uuidString: text) else {
      throw ScalarError(expected: "a UUID", found: value)
    }
    self = uuid
  }

  /// The UUID in lower-case digits.
  public var _jsonValue: JSONValue { .string(uuidString.lowercased()) }
}

extension Decimal: CustomScalarType {
  /// A number, or a string that holds one.
  public init(_jsonValue value: JSONValue) throws {
    let text =
      switch value {
      case .string(let text): text
      case .int, .double, .decimal: value.description
      default: ""
      }
    let isNumber =
      text.utf8.contains { $0.isASCIIDigit }
      && text.utf8.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
    guard isNumber, let decimal = Decimal(string: text, locale: nil), decimal.isFinite else {
      throw ScalarError(expected: "a decimal number", found: value)
    }
    self = decimal
  }

  /// The number as a string, which no server can round.
  public var _jsonValue: JSONValue { .string(description) }
}
