import SeededRandom

/// Names that get in each other's way, and in the way of what generated code says.
struct RandomNames {
  /// Names that Swift, its library, the runtime and generated code use, and names that people
  /// choose.
  private static let words = [
    // Swift
    "Any", "AnyObject", "Protocol", "Self", "Type", "actor", "any", "as", "associatedtype", "async",
    "await", "borrowing", "break", "case", "catch", "class", "consume", "continue", "convenience",
    "copy", "default", "defer", "deinit", "didSet", "do", "dynamic", "else", "enum", "extension",
    "fallthrough", "false_", "fileprivate", "final", "for", "func", "get", "guard", "if", "import",
    "in", "indirect", "infix", "init", "inout", "internal", "is", "isolated", "lazy", "let",
    "macro", "mutating", "nil", "nonisolated", "open", "operator", "optional", "override",
    "package", "precedencegroup", "private", "protocol", "public", "repeat", "required", "rethrows",
    "return", "self", "sending", "set", "some", "static", "struct", "subscript", "super", "switch",
    "then", "throw", "throws", "true_", "try", "typealias", "unowned", "var", "weak", "where",
    "while", "willSet", "yield", "_", "newValue", "oldValue", "error", "none", "unknown",
    // The library
    "Array", "Codable", "Collection", "Data", "Date", "Decodable", "Decoder", "Dictionary",
    "Encoder", "Equatable", "Error", "Hashable", "Hasher", "Identifiable", "Int32", "Int64",
    "KeyPath", "Mirror", "Never", "Optional", "Result", "Sendable", "Sequence", "Set", "Swift",
    "Foundation", "URL", "UUID", "Void", "Bool", "Double", "Character", "Task", "Sendable_",
    "Double_",
    // The runtime and generated code
    "Apollo", "ApolloAPI", "Deferred", "EnumLiteral", "EnumType", "Field", "Fragment",
    "FragmentContainer", "Fragments", "GraphQLEnum", "GraphQLNullable", "GraphQLQuery", "Indirect",
    "InlineFragment", "InputFields", "InputObject", "Interface", "Interfaces", "JSONObject",
    "JSONValue", "LocalCacheMutation", "Mock", "MockField", "MockFields", "MockObject", "AnyMock",
    "Mutation", "Object", "ObjectData", "Objects", "OneOfInputObject", "OperationDocument", "Place",
    "Query", "ResponseObject", "RootEntityType", "RootModelValue", "RootSelectionSet", "Schema",
    "SchemaConfiguration", "SchemaMetadata", "SchemaTypes", "Selection", "SelectionLayout",
    "SelectionSet", "Selections", "Subscription", "Union", "Unions", "Value", "Variables",
    "MutableSelectionSet", "MutableInlineFragment", "ModelValue", "SlotValue", "LeafValue",
    "CacheKeyInfo", "CustomScalarType", "DataDict", "ParentType",
    // Members of ours and of what we conform to
    "allCases", "cacheKeyInfo", "case_", "checked", "configuration", "convert", "customMirror",
    "debugDescription", "decode", "description", "document", "encode", "fragment",
    "fragmentDefinition", "fulfilled", "from", "hash", "hashValue", "id", "json", "jsonBytes",
    "jsonObject", "jsonValue", "layout", "name", "object", "objectType", "operationDocument",
    "operationName", "pending", "projectedValue", "rawValue", "responseFormat", "schema",
    "selections", "state", "storage", "subscript_", "types", "typename", "value", "values",
    "variables", "wrappedValue", "withVariables", "keyFields", "keys", "__object", "__value",
    "__view", "__views",
    "__variables",
    // What people call things
    "address", "bus", "buses", "child", "children", "data", "datum", "dog", "dogs", "edge", "edges",
    "friend", "friends", "hero", "heroes", "human", "humans", "ID", "key", "news", "node", "nodes",
    "owner", "owners", "people", "person", "series", "status", "statuses", "url", "urls", "user",
    "users", "a", "b", "x", "a1", "e0", "_1", "A_B", "aB", "a_b",
  ]

  private var pool: [String] = []

  /// A few names for one project, with their relatives; that of its namespace may be one of them.
  init(namespace: String, using random: inout SeededGenerator) {
    if random.chance(0.05) { pool.append(namespace) }
    let count = random.pick([6, 10, 16])
    for _ in 0..<count {
      let word = random.pick(Self.words)
      pool.append(word)
      while random.chance(0.5) { pool.append(Self.relative(of: random.pick(pool), using: &random)) }
    }
    pool.removeAll { !Self.isAllowed($0) }
    pool.append("plain")
  }

  /// Names of directives and of what introspection offers begin with two underscores.
  private static func isAllowed(_ name: String) -> Bool {
    !name.hasPrefix("__") && name.first.map { $0.isLetter || $0 == "_" } ?? false
  }

  private static func relative(of name: String, using random: inout SeededGenerator) -> String {
    let stripped = name.drop { $0 == "_" }
    return switch random.below(16) {
    case 0: name.uppercased()
    case 1: name.lowercased()
    case 2: stripped.prefix(1).uppercased() + stripped.dropFirst()
    case 3: stripped.prefix(1).lowercased() + stripped.dropFirst()
    case 4: "_" + stripped
    case 5: name + "_"
    case 6: name + "s"
    case 7: name + "es"
    case 8: "as" + stripped.prefix(1).uppercased() + stripped.dropFirst()
    case 9: "if" + stripped.prefix(1).uppercased() + stripped.dropFirst()
    case 10: name + "_2"
    case 11: name + random.pick(["_Enum", "_Object", "_InputObject", "_Fragment", "_SelectionSet"])
    case 12: name + random.pick(["Query", "Mutation", "Subscription", "_Query"])
    case 13: name + "_" + random.pick(["a", "B", "type", "1"])
    case 14: "AS_" + name.uppercased()
    default: name.map { "\($0)" }.joined(separator: random.chance(0.1) ? "_" : "")
    }
  }

  /// Any name, such as that of a field.
  func any(using random: inout SeededGenerator) -> String { random.pick(pool) }

  /// A name that is none of `taken`, for things that share a scope.
  func unique(
    besides taken: inout Set<String>, capitalized: Bool = false,
    using random: inout SeededGenerator
  ) -> String {
    for attempt in 0... {
      var name = random.pick(pool)
      if capitalized, random.chance(0.7) {
        let stripped = name.drop { $0 == "_" }
        name = stripped.prefix(1).uppercased() + stripped.dropFirst()
      }
      if attempt > 4 { name = Self.relative(of: name, using: &random) }
      if attempt > 20 { name += "\(attempt)" }
      if Self.isAllowed(name), taken.insert(name).inserted { return name }
    }
    preconditionFailure("There is always another number.")
  }
}

extension SeededGenerator {
  mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }

  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  mutating func some<Element>(_ elements: [Element], _ probability: Double) -> [Element] {
    elements.filter { _ in chance(probability) }
  }
}
