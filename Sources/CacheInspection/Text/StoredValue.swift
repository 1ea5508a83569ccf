package import ApolloAPI
package import ApolloCache

/// The text form of values of records: JSON that reads back as the same values.
///
/// | value | JSON |
/// | :-- | :-- |
/// | null, Boolean, number, string, list | the same; a floating-point number has a fraction |
/// | embedded object | an object with the keys of its fields |
/// | reference | `{"$reference": "Character:1000"}` |
/// | custom scalar that is an object, a list or a large number | `{"$json": …}` |
/// | failed field | `{"$failure": {"message": "…", "extensions": …}}` |
/// | number that JSON does not have | `{"$double": "nan"}` |
/// | embedded object whose keys JSON could confuse | `{"$object": [["key", value], …]}` |
package enum StoredValue {
  /// Returns the text form of a value.
  package static func json(_ value: CacheValue) -> JSONValue {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .double(let value):
      value.isFinite ? .double(value) : ["$double": .string(value.description)]
    case .string(let value): .string(value)
    case .list(let elements): .array(elements.map(json))
    case .json(let value): ["$json": value]
    case .object(let fields): json(fields)
    case .reference(let key): ["$reference": .string(key.rawValue)]
    case .failure(let failure):
      ["$failure": ["message": .string(failure.message), "extensions": failure.extensions]]
    }
  }

  /// Returns the text form of the fields of a record or of an embedded object.
  package static func json(_ fields: FieldMap) -> JSONValue {
    var members: [String: JSONValue] = [:]
    var isAmbiguous = false
    for (key, value) in fields {
      if key.rawValue.hasPrefix("$") || members[key.rawValue] != nil { isAmbiguous = true }
      members[key.rawValue] = json(value)
    }
    guard isAmbiguous else { return .object(members) }
    let pairs = fields.sorted { $0.key < $1.key }
    return ["$object": .array(pairs.map { [.string($0.key.rawValue), json($0.value)] })]
  }

  /// The reason that JSON is not the text form of a value.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Reads the text form of a value.
  package static func value(_ json: JSONValue) throws(Problem) -> CacheValue {
    switch json {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .double(let value): return .double(value)
    case .string(let value): return .string(value)
    case .decimal(let text):
      throw Problem(
        description: #"no 64-bit number has all digits of \#(text); write {"$json": \#(text)}"#)
    case .array(let elements):
      var values: [CacheValue] = []
      for element in elements { values.append(try value(element)) }
      return .list(values)
    case .object(let members):
      guard let (key, content) = members.first, key.hasPrefix("$") else {
        return .object(try fields(json))
      }
      guard members.count == 1 else {
        throw Problem(description: "'\(key)' is beside other keys")
      }
      return try special(key, content, json)
    }
  }

  private static func special(
    _ key: String, _ content: JSONValue, _ whole: JSONValue
  ) throws(Problem) -> CacheValue {
    switch (key, content) {
    case ("$reference", .string(let key)): return .reference(RecordKey(key))
    case ("$json", let value): return .json(value)
    case ("$object", _): return .object(try fields(whole))
    case ("$double", .string(let text)):
      guard let value = Double(text) else {
        throw Problem(description: "'\(text)' is no number")
      }
      return .double(value)
    case ("$failure", .object(let members)):
      guard case .string(let message)? = members["message"] else {
        throw Problem(description: "'$failure' needs a 'message'")
      }
      return .failure(
        FieldFailure(message: message, extensions: members["extensions"] ?? .null))
    default: throw Problem(description: "'\(key)' with this content has no meaning")
    }
  }

  /// Reads the text form of the fields of a record or of an embedded object.
  package static func fields(_ json: JSONValue) throws(Problem) -> FieldMap {
    guard case .object(let members) = json else {
      throw Problem(description: "the fields are no object")
    }
    var result: [(FieldKey, CacheValue)] = []
    if members.count == 1, let content = members["$object"] {
      guard case .array(let pairs) = content else {
        throw Problem(description: "'$object' needs a list of keys and values")
      }
      for pair in pairs {
        guard case .array(let parts) = pair, parts.count == 2, case .string(let key) = parts[0]
        else { throw Problem(description: "'$object' needs a list of keys and values") }
        result.append((FieldKey(key), try value(parts[1])))
      }
      return FieldMap(result)
    }
    for (key, content) in members.sorted(by: { $0.key < $1.key }) {
      guard !key.hasPrefix("$") else {
        throw Problem(description: "'\(key)' with this content has no meaning")
      }
      result.append((FieldKey(key), try value(content)))
    }
    return FieldMap(result)
  }
}
