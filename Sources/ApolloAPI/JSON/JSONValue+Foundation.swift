internal import Foundation

extension JSONValue {
  /// The value in the form that Foundation's `JSONSerialization` expects.
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

  /// Creates a value from one that Foundation's `JSONSerialization` made, or from Swift's own
  /// types.
  ///
  /// - Throws: A ``ScalarError`` when it contains anything else, such as an infinite number or NaN,
  ///   or more than 512 nested objects and lists.
  public init(foundationValue value: Any) throws {
    try self.init(foundationValue: value, depth: 0)
  }

  private init(foundationValue value: Any, depth: Int) throws {
    guard depth <= 512 else {
      throw ScalarError(expected: "at most 512 nested objects and lists", found: "more")
    }
    switch value {
    case let value as JSONValue: self = value
    case let value as String: self = .string(value)
    case let value as [String: Any]:
      self = .object(try value.mapValues { try JSONValue(foundationValue: $0, depth: depth + 1) })
    case let value as [Any]:
      self = .array(try value.map { try JSONValue(foundationValue: $0, depth: depth + 1) })
    // As an `NSNumber`, it is stored like a Boolean. A Boolean may also be cast to an `Int8`.
    case let number as Int8 where type(of: value) == Int8.self: self = .int(Int64(number))
    case let value as NSNumber: self = try JSONValue(number: value)
    case is NSNull: self = .null
    default: throw ScalarError(expected: "a JSON value", found: .string("\(type(of: value))"))
    }
  }

  /// Foundation's numbers include Booleans, stored as characters, which JSON does not have.
  private init(number: NSNumber) throws {
    guard number.doubleValue.isFinite else {
      throw ScalarError(expected: "a finite number", found: .string("\(number.doubleValue)"))
    }
    let kind = String(cString: number.objCType)
    if kind == "c" || kind == "B" {
      self = .bool(number.boolValue)
    } else if number is NSDecimalNumber {
      self = JSONReader.number(number.stringValue)
    } else if kind == "d" || kind == "f" {
      self = .double(number.doubleValue)
    } else if kind == "Q", number.uint64Value > UInt64(Int64.max) {
      self = .decimal(number.stringValue)
    } else {
      self = .int(number.int64Value)
    }
  }
}
