import GraphQLSyntax

/// The result of an introspection query, written as SDL.
///
/// Introspection JSON and SDL say the same, so there is one way to build a schema, from SDL. Names
/// are checked before they are written; nothing a server says can become other syntax.
///
/// Spec: 4, "Introspection".
struct IntrospectionTranscript {
  /// A fault of the JSON and the offset where it is.
  struct Problem: Hashable, Sendable {
    var message: String
    var offset: Int
    /// Whether the schema is complete and correct in spite of it.
    var isHarmless = false
  }

  /// The definitions.
  private(set) var sdl: [UInt8] = []
  /// What is wrong with the JSON; what is wrong is left out of ``sdl``.
  private(set) var problems: [Problem] = []
  /// Which offset of the JSON each place of ``sdl`` was written for; both ascend in `sdl`.
  private(set) var origins: [(sdl: Int, json: Int)] = []
  /// The built-in scalars that the JSON defines.
  private var scalars: Set<String> = []
  /// Tells whether a text is exactly one constant GraphQL value.
  private let isConstantValue: (String) -> Bool

  /// Transcribes `json`.
  ///
  /// The `__schema` object may lie in `data`, as in a response.
  /// - Complexity: O(*n*).
  init(_ json: JSONText, isConstantValue: @escaping (String) -> Bool) {
    self.isConstantValue = isConstantValue
    guard let schema = (json.root["data"] ?? json.root)["__schema"], schema.kind == .object else {
      report(
        "Invalid or incomplete introspection result: there is no \"__schema\" object. "
          + "Save the whole response of an introspection query, or its \"data\".", at: json.root)
      return
    }
    transcribe(schema)
  }

  /// The offset in the JSON from which the SDL at `offset` was made.
  ///
  /// - Complexity: O(log *n*).
  func jsonOffset(of offset: Int) -> Int {
    var (low, high) = (0, origins.count)
    while low < high {
      let middle = (low + high) / 2
      if origins[middle].sdl <= offset { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? 0 : origins[low - 1].json
  }
}

// MARK: - Schema

extension IntrospectionTranscript {
  private mutating func transcribe(_ schema: JSONValue) {
    let types = list("types", of: schema, called: "__schema") ?? []
    scalars = Set(types.compactMap { $0["name"]?.string }).intersection(Self.builtInScalars)
    transcribeRoots(of: schema)
    for type in types { transcribe(type: type) }
    for directive in list("directives", of: schema, called: "__schema") ?? [] {
      transcribe(directive: directive)
    }
  }

  private mutating func transcribeRoots(of schema: JSONValue) {
    var roots: [(operation: String, type: JSONValue)] = []
    for (key, operation) in Self.rootKeys {
      guard let type = present(key, of: schema) else { continue }
      roots.append((operation, type))
    }
    guard !roots.isEmpty else {
      report("Introspection result missing queryType.", at: schema)
      return
    }
    writeDescription(of: schema)
    write("schema {\n")
    for (operation, type) in roots {
      let start = sdl.count
      write("  \(operation): ")
      if writeName(of: type, as: "type") { write("\n") } else { rollBack(to: start) }
    }
    write("}\n")
  }

  /// How many lists and non-nulls may be around a type.
  private static let greatestWrapperCount = 64

  private static let rootKeys: [(StaticString, String)] = [
    ("queryType", "query"), ("mutationType", "mutation"), ("subscriptionType", "subscription"),
  ]

  static let builtInScalars: Set<String> = ["Int", "Float", "String", "Boolean", "ID"]
}

// MARK: - Types

extension IntrospectionTranscript {
  private mutating func transcribe(type: JSONValue) {
    let name = type["name"]?.string ?? ""
    guard !Self.builtInScalars.contains(name), !Self.introspectionTypes.contains(name) else {
      return
    }
    switch type["kind"]?.string {
    case "SCALAR": transcribe(type, "scalar") { $0.writeSpecification(of: type) }
    case "OBJECT":
      transcribe(type, "type") {
        $0.writeInterfaces(of: type, areRequired: true)
        $0.writeFields(of: type)
      }
    case "INTERFACE":
      transcribe(type, "interface") {
        $0.writeInterfaces(of: type, areRequired: false)
        $0.writeFields(of: type)
      }
    case "UNION": transcribe(type, "union") { $0.writeMembers(of: type) }
    case "ENUM": transcribe(type, "enum") { $0.writeEnumValues(of: type) }
    case "INPUT_OBJECT":
      transcribe(type, "input") {
        if type["isOneOf"]?.kind == .true { $0.write(" @oneOf") }
        $0.writeInputFields(of: type)
      }
    default:
      report("The type \"\(name)\" has no \"kind\" that GraphQL knows.", at: type["kind"] ?? type)
    }
  }

  private static let introspectionTypes: Set<String> = [
    "__Schema", "__Type", "__TypeKind", "__Field", "__InputValue", "__EnumValue", "__Directive",
    "__DirectiveLocation",
  ]

  /// Writes a type definition, or nothing when the type has no proper name.
  private mutating func transcribe(
    _ type: JSONValue, _ keyword: String, body: (inout Self) -> Void
  ) {
    let start = sdl.count
    writeDescription(of: type)
    write("\(keyword) ")
    guard writeName(of: type, as: keyword) else {
      rollBack(to: start)
      return
    }
    body(&self)
    write("\n")
  }

  private mutating func writeSpecification(of type: JSONValue) {
    let address = present("specifiedByURL", of: type) ?? present("specifiedByUrl", of: type)
    guard let url = address?.string else { return }
    write(" @specifiedBy(url: ")
    SDLString.appendQuoted(url, to: &sdl)
    write(")")
  }

  private mutating func writeInterfaces(of type: JSONValue, areRequired: Bool) {
    guard areRequired || present("interfaces", of: type) != nil else { return }
    writeNames(list("interfaces", of: type) ?? [], before: " implements ", between: " & ")
  }

  private mutating func writeMembers(of type: JSONValue) {
    writeNames(list("possibleTypes", of: type) ?? [], before: " = ", between: " | ")
  }

  /// Writes the names of `types`, or nothing at all when there are none.
  private mutating func writeNames(
    _ types: [JSONValue], before prefix: String, between separator: String
  ) {
    var next = prefix
    for type in types {
      let start = sdl.count
      write(next)
      if writeName(of: type, as: "type") { next = separator } else { rollBack(to: start) }
    }
  }

  private mutating func writeFields(of type: JSONValue) {
    writeBlock(list("fields", of: type) ?? []) { transcript, field in
      transcript.writeDescription(of: field)
      guard transcript.writeName(of: field, as: "field") else { return false }
      transcript.writeArguments(of: field, called: "field")
      transcript.write(": ")
      guard transcript.writeType(of: field) else { return false }
      transcript.writeDeprecation(of: field)
      return true
    }
  }

  private mutating func writeEnumValues(of type: JSONValue) {
    writeBlock(list("enumValues", of: type) ?? []) { transcript, value in
      transcript.writeDescription(of: value)
      guard transcript.writeName(of: value, as: "enum value") else { return false }
      transcript.writeDeprecation(of: value)
      return true
    }
  }

  private mutating func writeInputFields(of type: JSONValue) {
    writeBlock(list("inputFields", of: type) ?? []) { $0.writeInputValue($1, as: "input field") }
  }

  /// Writes the items that can be written, in braces, or nothing when there are none.
  private mutating func writeBlock(
    _ items: [JSONValue], item writeItem: (inout Self, JSONValue) -> Bool
  ) {
    var (opening, closing) = (" {\n", "")
    for item in items {
      let start = sdl.count
      write(opening)
      guard writeItem(&self, item) else {
        rollBack(to: start)
        continue
      }
      write("\n")
      (opening, closing) = ("", "}")
    }
    write(closing)
  }
}

// MARK: - Directives

extension IntrospectionTranscript {
  private mutating func transcribe(directive: JSONValue) {
    let start = sdl.count
    writeDescription(of: directive)
    write("directive @")
    guard writeName(of: directive, as: "directive") else {
      rollBack(to: start)
      return
    }
    writeArguments(of: directive, called: "directive")
    if directive["isRepeatable"]?.kind == .true { write(" repeatable") }
    guard writeLocations(of: directive) else {
      rollBack(to: start)
      return
    }
    write("\n")
  }

  /// Writes the locations that the specification has. Returns false when there are none.
  private mutating func writeLocations(of directive: JSONValue) -> Bool {
    guard let locations = list("locations", of: directive, called: "directive") else {
      return false
    }
    var next = " on "
    for location in locations {
      guard let name = location.string, Self.locations.contains(name) else {
        report(
          "\"\(location.string ?? "")\" is not a directive location; it is ignored.",
          at: location, isHarmless: true)
        continue
      }
      write(next + name)
      next = " | "
    }
    if next == " on " {
      report("The directive has no location; it is ignored.", at: directive, isHarmless: true)
    }
    return next == " | "
  }

  private static let locations: Set<String> = [
    "QUERY", "MUTATION", "SUBSCRIPTION", "FIELD", "FRAGMENT_DEFINITION", "FRAGMENT_SPREAD",
    "INLINE_FRAGMENT", "VARIABLE_DEFINITION", "SCHEMA", "SCALAR", "OBJECT", "FIELD_DEFINITION",
    "ARGUMENT_DEFINITION", "INTERFACE", "UNION", "ENUM", "ENUM_VALUE", "INPUT_OBJECT",
    "INPUT_FIELD_DEFINITION",
  ]
}

// MARK: - Members

extension IntrospectionTranscript {
  private mutating func writeArguments(of owner: JSONValue, called kind: String) {
    var (next, closing) = ("(\n", "")
    for argument in list("args", of: owner, called: kind) ?? [] {
      let start = sdl.count
      write(next)
      guard writeInputValue(argument, as: "argument") else {
        rollBack(to: start)
        continue
      }
      (next, closing) = ("\n", ")")
    }
    write(closing)
  }

  private mutating func writeInputValue(_ value: JSONValue, as kind: String) -> Bool {
    writeDescription(of: value)
    guard writeName(of: value, as: kind) else { return false }
    write(": ")
    guard writeType(of: value) else { return false }
    if let defaultValue = present("defaultValue", of: value) {
      if let text = defaultValue.string, isConstantValue(text) {
        write(" = ")
        note(defaultValue)
        write("\(text)\n")
      } else {
        report("The default value is not a constant GraphQL value in a string.", at: defaultValue)
      }
    }
    writeDeprecation(of: value)
    return true
  }

  private mutating func writeDeprecation(of element: JSONValue) {
    if let reason = element["deprecationReason"]?.string {
      write(" @deprecated(reason: ")
      SDLString.appendQuoted(reason, to: &sdl)
      write(")")
    } else if element["isDeprecated"]?.kind == .true {
      write(" @deprecated")
    }
  }

  /// Writes the description of `element`, with which its definition starts.
  private mutating func writeDescription(of element: JSONValue) {
    note(element)
    guard let description = element["description"]?.string else { return }
    SDLString.appendQuoted(description, to: &sdl)
    write("\n")
  }

  /// Writes the type of a field, argument or input field, or reports why it cannot be written.
  private mutating func writeType(of element: JSONValue) -> Bool {
    guard var type = present("type", of: element) else {
      report("Introspection result missing type.", at: element)
      return false
    }
    note(type)
    var suffix: [UInt8] = []
    while let kind = type["kind"]?.string, kind == "LIST" || kind == "NON_NULL" {
      if kind == "LIST" {
        write("[")
        suffix.append(UInt8(ascii: "]"))
      } else if suffix.last == UInt8(ascii: "!") {
        report("A non-null type cannot be non-null again.", at: type)
        return false
      } else {
        suffix.append(UInt8(ascii: "!"))
      }
      guard let inner = present("ofType", of: type), suffix.count < Self.greatestWrapperCount
      else {
        report("Decorated type deeper than introspection query.", at: type)
        return false
      }
      type = inner
    }
    guard writeName(of: type, as: "type") else { return false }
    sdl.append(contentsOf: suffix.reversed())
    return checkScalar(type)
  }

  /// Reports a built-in scalar that is used although the introspection does not list it.
  private mutating func checkScalar(_ type: JSONValue) -> Bool {
    guard let name = type["name"]?.string, Self.builtInScalars.contains(name),
      !scalars.contains(name)
    else { return true }
    report(
      "Invalid or incomplete schema, unknown type: \(name). "
        + "Ensure that a full introspection query is used in order to build a client schema.",
      at: type)
    return true
  }
}

// MARK: - Writing

extension IntrospectionTranscript {
  private mutating func write(_ text: String) {
    sdl.append(contentsOf: text.utf8)
  }

  /// Takes back what was written after `count` bytes of SDL.
  private mutating func rollBack(to count: Int) {
    sdl.removeSubrange(count...)
    while let last = origins.last, last.sdl > count { origins.removeLast() }
  }

  /// Remembers that what is written next comes from `value`.
  private mutating func note(_ value: JSONValue) {
    origins.append((sdl.count, value.offset))
  }

  /// Writes the `name` of `element` if it is a name.
  private mutating func writeName(of element: JSONValue, as kind: String) -> Bool {
    guard let value = element["name"], let name = value.string else {
      report("A \(kind) has no \"name\".", at: element)
      return false
    }
    guard Self.isName(name) else {
      report("The name \"\(name)\" of a \(kind) is not a GraphQL name.", at: value)
      return false
    }
    note(value)
    write(name)
    return true
  }

  /// Name :: NameStart NameContinue*
  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  /// The value of `key`, unless it is absent or null.
  private func present(_ key: StaticString, of object: JSONValue) -> JSONValue? {
    guard let value = object[key], value.kind != .null else { return nil }
    return value
  }

  /// The items of the array at `key`; reports its absence.
  private mutating func list(
    _ key: StaticString, of object: JSONValue, called owner: String? = nil
  ) -> [JSONValue]? {
    if let items = object[key]?.items { return items }
    let subject = owner ?? "type \"\(object["name"]?.string ?? "")\""
    report("Introspection result missing \(subject) \(key).", at: object)
    return nil
  }

  private mutating func report(_ message: String, at value: JSONValue, isHarmless: Bool = false) {
    // One more than is looked at, so that it shows that this is not all.
    guard problems.count <= DiagnosticList.greatestFoundCount else { return }
    problems.append(Problem(message: message, offset: value.offset, isHarmless: isHarmless))
  }
}
