public import Foundation

extension Date: CustomScalarType {
  /// Decodes a date and time of ISO 8601 with a time zone, with or without fractions of a second:
  /// `2026-11-20T12:30:00.5Z`.
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value.stringValue, let seconds = ISO8601.seconds(of: text) else {
      throw ScalarError(expected: "a date and time (ISO 8601, with a time zone)", found: value)
    }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }

  /// Decodes a date and time of ISO 8601 with or without a time zone, or a date.
  ///
  /// For servers in Python, many of which write naive times. A custom scalar of your own chooses
  /// it:
  ///
  /// ```swift
  /// struct DateTime: CustomScalarType {
  ///   var date: Date
  ///
  ///   init(_jsonValue value: JSONValue) throws {
  ///     date = try Date(lenientJSONValue: value)
  ///   }
  ///
  ///   var _jsonValue: JSONValue { date._jsonValue }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - value: Text such as `2026-11-20T12:30:00.5`, `2026-11-20 12:30` or `2026-11-20`.
  ///   - timeZone: The time zone of texts without one. UTC by default.
  /// - Throws: ``ScalarError`` for any other value.
  public init(
    lenientJSONValue value: JSONValue, timeZone: TimeZone = TimeZone(secondsFromGMT: 0) ?? .current
  ) throws {
    guard let text = value.stringValue, let time = ISO8601.lenientSeconds(of: text) else {
      throw ScalarError(expected: "a date and time (ISO 8601)", found: value)
    }
    self.init(timeIntervalSinceReferenceDate: time.seconds)
    guard !time.hasZone else { return }
    // The offset at about this time, then the one at the time itself, which differ around a change
    // of clocks.
    let guess = addingTimeInterval(-Double(timeZone.secondsFromGMT(for: self)))
    self = addingTimeInterval(-Double(timeZone.secondsFromGMT(for: guess)))
  }

  /// A date and time of ISO 8601 in UTC, with fractions of a second if there are any. Decoding it
  /// gives the same date again.
  ///
  /// `null` for a date outside the calendar, such as an infinite one.
  public var _jsonValue: JSONValue {
    ISO8601.text(timeIntervalSinceReferenceDate).map(JSONValue.string) ?? .null
  }
}

extension URL: CustomScalarType {
  /// Decodes a URL (RFC 3986).
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
  /// Decodes a UUID (RFC 9562) in hexadecimal digits of either case.
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
  /// Decodes a number, or a string with nothing but a number.
  ///
  /// A `Decimal` holds 38 digits. Further ones behind the point are dropped; a number whose digits
  /// before the point do not fit is an error.
  public init(_jsonValue value: JSONValue) throws {
    let text =
      switch value {
      case .string(let text): text
      case .int, .double, .decimal: value.description
      default: ""
      }
    // `Decimal` reads as much of a text as is a number, and as many digits as fit.
    guard let written = DecimalText(text), let decimal = Decimal(string: text, locale: nil),
      decimal.isFinite
    else {
      throw ScalarError(expected: "a decimal number", found: value)
    }
    guard written.hasWholeDigits(of: decimal) else {
      throw ScalarError(expected: "a decimal number of at most 38 digits", found: value)
    }
    self = decimal
  }

  /// The number as a string, which servers do not round.
  public var _jsonValue: JSONValue { .string(description) }
}
