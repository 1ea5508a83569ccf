import enum ApolloAPI.JSONValue

/// The arguments of a field together with the members of those that are input objects.
struct FlatArguments {
  /// The values by name. An argument wins over the member of an input object.
  let values: [String: JSONValue]

  /// Creates the values.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - whole: The names of arguments that are values as a whole, such as the address of a user.
  init(_ arguments: [String: JSONValue], whole: Set<String> = []) {
    var values: [String: JSONValue] = [:]
    /// The objects at one level, in the order of their names.
    var level = [arguments]
    for depth in 0..<Self.levelCount {
      var next: [[String: JSONValue]] = []
      for (name, value) in level.flatMap({ $0.sorted { $0.key < $1.key } }) {
        if values[name] == nil { values[name] = value }
        if case .object(let members) = value, !whole.contains(name),
          depth == 0 || Self.wrappers.contains(name)
        {
          next.append(members)
        }
      }
      level = next
    }
    self.values = values
  }

  /// Arguments, the members of input objects, and those of the objects in them that wrap values.
  private static let levelCount = 3
  private static let wrappers: Set<String> = [
    "attributes", "changes", "data", "fields", "input", "object", "patch", "record", "set",
    "values",
  ]

  /// Returns the text of the key that names an object of a type, or `nil` if none does.
  ///
  /// - Parameters:
  ///   - typeName: The name of the object's type, since `userId` names a `User`.
  ///   - field: The name of the field that leads to the object.
  /// - Returns: The text.
  func key(of typeName: String, field: String) -> String? {
    let names = ["id", "_id", "uuid", "nodeid", "globalid", "\(typeName)id", "\(field)id"]
    for name in names {
      let found = values.filter { $0.key.lowercased() == name.lowercased() }
      if let text = found.min(by: { $0.key < $1.key })?.value.keyText { return text }
    }
    return nil
  }

  /// The texts of the keys in an argument that is a list of them, such as `ids`.
  var keys: [String]? {
    for (name, value) in values.sorted(by: { $0.key < $1.key })
    where name.lowercased() == "ids" || name.hasSuffix("Ids") || name.hasSuffix("IDs") {
      if case .array(let items) = value { return items.compactMap(\.keyText) }
    }
    return nil
  }
}

extension JSONValue {
  /// The text of a value that can be a key.
  var keyText: String? {
    switch self {
    case .string(let text): text
    case .int(let number): "\(number)"
    default: nil
    }
  }

  /// The value as a part of a seed: an object has its keys in order.
  var seedText: String { description }
}
