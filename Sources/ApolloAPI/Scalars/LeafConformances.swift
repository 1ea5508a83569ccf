extension String: LeafValue {
  /// Decodes a string, or the text of a number or a Boolean: servers may send either for custom
  /// scalars that are aliases of `String`.
  public init(_jsonValue value: JSONValue) throws {
    switch value {
    case .string(let text): self = text
    case .int, .double, .decimal, .bool: self = value.description
    case .null, .array, .object: throw ScalarError(expected: "a string", found: value)
    }
  }

  /// A JSON string.
  public var _jsonValue: JSONValue { .string(self) }
}

extension Int: LeafValue {
  /// Decodes an integral number.
  public init(_jsonValue value: JSONValue) throws {
    guard let int = value.intValue else { throw ScalarError(expected: "an integer", found: value) }
    self = int
  }

  /// A JSON number.
  public var _jsonValue: JSONValue { .int(Int64(self)) }
}

extension Double: LeafValue {
  /// A number.
  public init(_jsonValue value: JSONValue) throws {
    guard let double = value.doubleValue, double.isFinite else {
      throw ScalarError(expected: "a number", found: value)
    }
    self = double
  }

  /// A JSON number.
  public var _jsonValue: JSONValue { .double(self) }
}

extension Bool: LeafValue {
  /// `true` or `false`.
  public init(_jsonValue value: JSONValue) throws {
    guard let bool = value.boolValue else {
      throw ScalarError(expected: "a Boolean", found: value)
    }
    self = bool
  }

  /// `true` or `false`.
  public var _jsonValue: JSONValue { .bool(self) }
}

extension JSONValue: LeafValue {
  /// Wraps any value.
  public init(_jsonValue value: JSONValue) throws { self = value }

  /// The value itself.
  public var _jsonValue: JSONValue { self }
}

extension GraphQLEnum: LeafValue {
  /// Decodes the name of a known or unknown value.
  public init(_jsonValue value: JSONValue) throws {
    guard case .string(let name) = value else {
      throw ScalarError(expected: "the name of an enum value", found: value)
    }
    self.init(rawValue: name)
  }

  /// The name as a JSON string.
  public var _jsonValue: JSONValue { .string(rawValue) }
}

extension Array: LeafElement where Element: GeneratedCode.LeafElement {
  /// Decodes each element of a list.
  public init(_jsonValue value: JSONValue) throws {
    guard case .array(let elements) = value else {
      throw ScalarError(expected: "a list", found: value)
    }
    self = try elements.map { try Element(_jsonValue: $0) }
  }

  /// A JSON array.
  public var _jsonValue: JSONValue { .array(map(\._jsonValue)) }
}
