import GraphQLSyntax

/// Transcribes the result of an introspection query to SDL.
///
/// Introspection JSON and SDL express the same schema, so the builder needs to read only one of
/// them. Names and default values are checked before they are written. Therefore no response of a
/// server can inject other syntax into the SDL.
///
/// Spec: 4, "Introspection".
struct IntrospectionTranscript {
  /// An error in the JSON, with its offset.
  struct Problem: Hashable, Sendable {
    var message: String
    var offset: Int
    /// A Boolean value that indicates whether the schema is complete and correct despite the
    /// problem.
    var isHarmless = false
  }

  /// The SDL in UTF-8.
  var sdl: [UInt8] = []
  /// The errors in the JSON. Faulty elements are left out of ``sdl``.
  private(set) var problems: [Problem] = []
  /// The offsets in the JSON from which positions of ``sdl`` were transcribed, in ascending order.
  private(set) var origins: [(sdl: Int, json: Int)] = []
  /// The built-in scalars that the JSON defines.
  var scalars: Set<String> = []
  /// Returns whether a text is exactly one constant GraphQL value.
  let isConstantValue: (String) -> Bool
  /// `true` if directives can have directives, as in the specification's draft.
  let allowsDirectivesOnDirectives: Bool

  /// Transcribes `json`.
  ///
  /// The `__schema` object can be at the top level or inside `data`, as in a response.
  /// - Complexity: O(*n*), where *n* is the length of the JSON.
  init(
    _ json: IndexedJSON, _ allowsDirectivesOnDirectives: Bool,
    isConstantValue: @escaping (String) -> Bool
  ) {
    self.isConstantValue = isConstantValue
    self.allowsDirectivesOnDirectives = allowsDirectivesOnDirectives
    let failure = Self.firstError(in: json.root)
    guard let schema = (json.root["data"] ?? json.root)["__schema"], schema.kind == .object else {
      let reason = failure.map { " \($0.alone)" } ?? ""
      report(
        "Invalid or incomplete introspection result: there is no \"__schema\" object.\(reason) "
          + "Save the whole response of an introspection query, or its \"data\".", at: json.root)
      return
    }
    if let failure {
      report(
        "The introspection result has \(failure.besideData). The schema may be incomplete.",
        at: failure.value, isHarmless: true)
    }
    transcribe(schema)
  }

  /// The first of the errors in a response, in words. Only those of the server are in quotes.
  private struct ServerError {
    var value: IndexedJSON.Value
    /// A sentence about a response without data.
    var alone: String
    /// The part of a sentence that follows "has", about a response with data.
    var besideData: String
  }

  /// Returns the first of the errors in a response, or `nil` if there is none.
  ///
  /// Some servers list texts in place of objects.
  private static func firstError(in response: IndexedJSON.Value) -> ServerError? {
    guard let errors = response["errors"], errors.kind != .null else { return nil }
    guard let items = errors.items else {
      return ServerError(
        value: errors, alone: "Its \"errors\" are not a list.",
        besideData: "\"errors\" beside its data that are not a list")
    }
    return items.first.map { error in
      guard let message = error.string ?? error["message"]?.string else {
        return ServerError(
          value: error, alone: "The server reported an error without a message.",
          besideData: "an error without a message beside its data")
      }
      let quoted = "\"\(String(message.prefix(300)).withoutControlCharacters)\""
      return ServerError(
        value: error, alone: "The server reported an error: \(quoted).",
        besideData: "an error beside its data: \(quoted)")
    }
  }

  /// Returns the offset in the JSON from which the SDL at `offset` was transcribed.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of transcribed elements.
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
  private mutating func transcribe(_ schema: IndexedJSON.Value) {
    let types = list("types", of: schema, called: "__schema") ?? []
    scalars = Set(types.compactMap { $0["name"]?.string }).intersection(Self.builtInScalars)
    transcribeRoots(of: schema)
    for type in types { transcribe(type: type) }
    guard present("directives", of: schema) != nil else {
      return report(
        "Introspection result missing __schema directives. Only the directives of the "
          + "specification are known.", at: schema, isHarmless: true)
    }
    for directive in list("directives", of: schema, called: "__schema") ?? [] {
      transcribe(directive: directive)
    }
  }

  private mutating func transcribeRoots(of schema: IndexedJSON.Value) {
    var roots: [(operation: String, type: IndexedJSON.Value)] = []
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

  private static let rootKeys: [(StaticString, String)] = [
    ("queryType", "query"), ("mutationType", "mutation"), ("subscriptionType", "subscription"),
  ]

  static let builtInScalars: Set<String> = ["Int", "Float", "String", "Boolean", "ID"]
}

// MARK: - Writing

extension IntrospectionTranscript {
  mutating func write(_ text: String) {
    sdl.append(contentsOf: text.utf8)
  }

  /// Removes all SDL after the first `count` bytes.
  mutating func rollBack(to count: Int) {
    sdl.removeSubrange(count...)
    while let last = origins.last, last.sdl > count { origins.removeLast() }
  }

  /// Records that the SDL written next is transcribed from `value`.
  mutating func recordOrigin(of value: IndexedJSON.Value) {
    origins.append((sdl.count, value.offset))
  }

  /// Writes the `name` of `element`. Reports an error and returns `false` if it is not a valid
  /// name.
  mutating func writeName(of element: IndexedJSON.Value, as kind: String) -> Bool {
    guard let value = element["name"], let name = value.string else {
      report("The \(kind) has no \"name\".", at: element)
      return false
    }
    guard Self.isName(name) else {
      report("The name \"\(name)\" of the \(kind) is not a GraphQL name.", at: value)
      return false
    }
    recordOrigin(of: value)
    write(name)
    return true
  }

  /// Returns whether `text` is a Name: NameStart NameContinue*
  private static func isName(_ text: String) -> Bool {
    text.utf8.first?.isNameStart == true && text.utf8.allSatisfy { $0.isNameStart || $0.isDigit }
  }

  /// Returns the value of `key`, or `nil` if it is absent or `null`.
  func present(_ key: StaticString, of object: IndexedJSON.Value) -> IndexedJSON.Value? {
    guard let value = object[key], value.kind != .null else { return nil }
    return value
  }

  /// Returns the items of the array at `key`, or reports an error if there is no array.
  mutating func list(
    _ key: StaticString, of object: IndexedJSON.Value, called owner: String? = nil
  ) -> [IndexedJSON.Value]? {
    if let items = object[key]?.items { return items }
    let subject = owner ?? "type \"\(object["name"]?.string ?? "")\""
    report("Introspection result missing \(subject) \(key).", at: object)
    return nil
  }

  /// Reports an error at `value`.
  mutating func report(_ message: String, at value: IndexedJSON.Value, isHarmless: Bool = false) {
    // One problem beyond the limit is kept, so that the list of diagnostics reports the excess.
    guard problems.count <= DiagnosticList.maximumFoundCount else { return }
    problems.append(Problem(message: message, offset: value.offset, isHarmless: isHarmless))
  }
}

extension String {
  /// The text with a blank for every control character, such as a line break.
  fileprivate var withoutControlCharacters: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map {
          $0.properties.generalCategory == .control ? " " : $0
        }))
  }
}
