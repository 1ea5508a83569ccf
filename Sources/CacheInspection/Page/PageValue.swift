package import ApolloAPI

/// The form in which values reach the page: JSON whose numbers a browser reads as they are.
///
/// JavaScript has floating-point numbers only. A whole number beyond 2⁵³, a number with more
/// digits, and one such as `3.0`, which it would show as `3`, is `{"$number": "9007199254740993"}`.
/// A custom scalar that is an object or a list is `{"$text": "…"}`, its JSON text.
package enum PageValue {
  /// Returns the form of a stored value (``StoredValue``).
  package static func json(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null, .bool, .string: value
    case .int(let number):
      number.magnitude < 1 << 53 ? value : ["$number": .string("\(number)")]
    case .double: ["$number": .string(value.description)]
    case .decimal(let text): ["$number": .string(text)]
    case .array(let elements): .array(elements.map(json))
    case .object(let members):
      if members.count == 1, let scalar = members["$json"] {
        ["$text": .string(scalar.description)]
      } else {
        .object(members.mapValues(json))
      }
    }
  }
}
