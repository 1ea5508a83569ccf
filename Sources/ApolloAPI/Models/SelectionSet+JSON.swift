internal import Foundation

/// A JSON object as Foundation's `JSONSerialization` reads and writes it.
///
/// Values are `String`, `Int`, `Double`, `Bool`, `NSNull`, `[Any]` and `[String: Any]`.
public typealias JSONObject = [String: Any]

extension SelectionSet {
  /// What the view shows, for `JSONSerialization.data(withJSONObject:)`.
  ///
  /// - Complexity: O(*n*) in the fields below.
  public var jsonObject: JSONObject {
    __object.members(asSeenBy: Self.__layout).reduce(into: [:]) {
      $0[$1.key] = $1.value.foundationValue
    }
  }
}

extension JSONValue {
  /// The value as Foundation's `JSONSerialization` expects it.
  public var foundationValue: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .int(let value): Int(exactly: value) ?? NSNumber(value: value)
    case .double(let value): value
    case .decimal(let text): NSDecimalNumber(string: text, locale: nil)
    case .string(let value): value
    case .array(let elements): elements.map(\.foundationValue)
    case .object(let members): members.mapValues(\.foundationValue)
    }
  }
}
