/// A JSON value.
///
/// ```swift
/// let review: JSONValue = ["stars": 5, "tags": ["space", "opera"], "reply": nil]
/// print(review["tags"]?[0]?.stringValue ?? "none")  // space
/// ```
///
/// Numbers lose no digits: an integer that fits 64 bits is an ``int(_:)``, any other number that a
/// `Double` can hold is a ``double(_:)``, and the rest keeps its text as a ``decimal(_:)``: numbers
/// of more than 17 significant digits, those of 16 or 17 that a `Double` rounds, and those out of
/// range.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction and exponent that fits 64 bits.
  case int(Int64)
  /// A finite number with a fraction or an exponent.
  case double(Double)
  /// A number that neither `Int64` nor `Double` can hold, in its written form.
  case decimal(String)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object. Keys are written in ascending order, so that the same value gives the same bytes.
  case object([String: JSONValue])
}

extension JSONValue {
  /// `true` for `null`.
  public var isNull: Bool { self == .null }

  /// The string, or `nil` for any other value.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The integer, or `nil` for any other value. An integral ``double(_:)`` such as `1.0` is an
  /// integer.
  public var intValue: Int? {
    switch self {
    case .int(let value): Int(exactly: value)
    case .double(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The number as a `Double`, or `nil` for any other value.
  public var doubleValue: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    case .decimal(let text): Double(text)
    default: nil
    }
  }

  /// The Boolean, or `nil` for any other value.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements, or `nil` unless this is an array.
  public var arrayValue: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members, or `nil` unless this is an object.
  public var objectValue: [String: JSONValue]? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member named `key`, or `nil` when there is none or this is not an object.
  public subscript(key: String) -> JSONValue? { objectValue?[key] }

  /// The element at `index`, or `nil` when there is none or this is not an array.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The kind of the value for messages: `null`, `a string`, `an object` ….
  package var kindDescription: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .int, .double, .decimal: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

// MARK: - Literals

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// A Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object; of equal keys the last one counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
