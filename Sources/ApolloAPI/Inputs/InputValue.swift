/// A value that a request can contain: a variable, or a field of an input object.
///
/// Scalars, enums, input objects, and lists and optionals of these conform.
public protocol InputValue: Sendable {
  /// The value as JSON, or `nil` when it is absent.
  var __inputValue: JSONValue? { get }
}

extension String: InputValue {
  /// A JSON string.
  public var __inputValue: JSONValue? { .string(self) }
}

extension Int: InputValue {
  /// A JSON number.
  public var __inputValue: JSONValue? { .int(Int64(self)) }
}

extension Int32: InputValue {
  /// A JSON number.
  public var __inputValue: JSONValue? { .int(Int64(self)) }
}

extension Int64: InputValue {
  /// A JSON number.
  public var __inputValue: JSONValue? { .int(self) }
}

extension Double: InputValue {
  /// A JSON number. Requests contain `null` for NaN and infinities, which JSON does not have.
  public var __inputValue: JSONValue? { .double(self) }
}

extension Bool: InputValue {
  /// `true` or `false`.
  public var __inputValue: JSONValue? { .bool(self) }
}

extension JSONValue: InputValue {
  /// The value itself.
  public var __inputValue: JSONValue? { self }
}

extension Array: InputValue where Element: InputValue {
  /// A JSON array. An absent element is `null`, so that the others keep their indices.
  public var __inputValue: JSONValue? { .array(map { $0.__inputValue ?? .null }) }
}

extension Optional: InputValue where Wrapped: InputValue {
  /// The value, or absent for `nil`.
  public var __inputValue: JSONValue? { flatMap(\.__inputValue) }
}
