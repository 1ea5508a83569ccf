/// A value that can be sent to a server: as a variable, or as a field of an input object.
///
/// Scalars, enums, input objects, lists and optionals of them conform.
public protocol InputValue: Sendable {
  /// The value as JSON, or `nil` when it is to be left out altogether.
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
  /// A JSON number.
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
  /// A JSON array. An element that would be left out is `null`, so that the others keep their places.
  public var __inputValue: JSONValue? { .array(map { $0.__inputValue ?? .null }) }
}

extension Optional: InputValue where Wrapped: InputValue {
  /// The value, or left out when there is none.
  public var __inputValue: JSONValue? { flatMap(\.__inputValue) }
}
