extension JSONValue: Codable {
  /// Decodes any value.
  public init(from decoder: any Decoder) throws {
    // Throws when the value is not an object.
    if let container = try? decoder.container(keyedBy: MemberKey.self) {
      var members: [String: JSONValue] = [:]
      for key in container.allKeys {
        members[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
      }
      self = .object(members)
    } else if var container = try? decoder.unkeyedContainer() {  // throws unless it is an array
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
    } else {
      self = try Self.scalar(in: decoder.singleValueContainer())
    }
  }

  /// Tries one kind after the other; each attempt fails unless the value is of that kind.
  private static func scalar(in container: any SingleValueDecodingContainer) throws -> JSONValue {
    if container.decodeNil() { return .null }
    if let value = try? container.decode(Bool.self) { return .bool(value) }
    if let value = try? container.decode(Int64.self) { return .int(value) }
    // A decoder may read "NaN" as a number, which JSON does not have.
    if let value = try? container.decode(Double.self), value.isFinite { return .double(value) }
    return .string(try container.decode(String.self))
  }

  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: MemberKey.self)
      for (key, value) in members {
        try container.encode(value, forKey: MemberKey(stringValue: key))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      try encodeScalar(in: &container)
    }
  }

  private func encodeScalar(in container: inout any SingleValueEncodingContainer) throws {
    switch self {
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .decimal(let text): try encode(decimal: text, in: &container)
    case .string(let value): try container.encode(value)
    case .null, .array, .object: try container.encodeNil()
    }
  }

  /// Encodes a number that no `Double` holds as the nearest one: encoders have no other numbers in
  /// common.
  private func encode(decimal text: String, in container: inout any SingleValueEncodingContainer)
    throws
  {
    guard let value = Double(text), value.isFinite else {
      throw EncodingError.invalidValue(
        text,
        EncodingError.Context(
          codingPath: container.codingPath,
          debugDescription: "The number \(text) is out of the range of Double."))
    }
    try container.encode(value)
  }

  private struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
