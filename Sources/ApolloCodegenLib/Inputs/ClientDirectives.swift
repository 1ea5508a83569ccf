import ApolloIR
package import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Definitions of the directives for the generator, for schemas that do not define them.
package enum ClientDirectives {
  private static let definitions: [(name: String, text: String)] = [
    (
      "typePolicy",
      "directive @typePolicy(keyFields: String, connectionFields: String) on OBJECT | INTERFACE"
    ),
    (
      "fieldPolicy",
      "directive @fieldPolicy(forField: String!, keyArgs: String, paginationArgs: String) "
        + "repeatable on OBJECT | INTERFACE"
    ),
    ("connection", "directive @connection(key: String, filters: [String!]) on FIELD"),
    (
      "cacheControl",
      "directive @cacheControl(maxAge: Int, inheritMaxAge: Boolean) "
        + "on FIELD_DEFINITION | OBJECT | INTERFACE | UNION"
    ),
    (
      "cacheControlField",
      "directive @cacheControlField(name: String!, maxAge: Int, inheritMaxAge: Boolean) "
        + "repeatable on OBJECT | INTERFACE"
    ),
    (
      "apollo_client_ios_localCacheMutation",
      "directive @apollo_client_ios_localCacheMutation "
        + "on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION"
    ),
    (
      "import",
      "directive @import(module: String!) repeatable "
        + "on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION"
    ),
    (
      "defer",
      "directive @defer(label: String, if: Boolean! = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT"
    ),
  ]
  private static let ownDefinitions = definitions + ListEditDirective.definitions

  /// The locations of the directives in schemas and documents.
  private static let locations: [String: DirectiveLocationSet] = {
    let nullability = NullabilityNames(in: Document()).definitions { _ in false }
    let all = ownDefinitions + nullability.directives
    let text =
      all.map(\.text).joined(separator: "\n") + "\n\(nullability.types) type Query { a: Int }"
    let schema = Schema.build([.sdl(Source(name: "client directives", text: text))]).schema
    let names = Set(all.map(\.name))
    return schema.directives.reduce(into: [:]) { locations, directive in
      let name = schema.spelling(directive.name)
      if names.contains(name) { locations[name] = directive.locations }
    }
  }()

  /// The locations of the directives in documents, for those that are checked against a schema
  /// without them.
  package static let documentLocations = locations.merging(ClientDirective.locations) { $1 }

  private static let sourceName = "client directives"

  /// The types of a schema, without those that only the directives for the generator need.
  package static func typesOfProgram(in schema: Schema) -> [Schema.NamedType.ID] {
    let sources = schema.document.sources
    return schema.definedTypes.filter { type in
      let span = schema.document[schema[type].definition].name.span
      return sources.sources[sources.sourceIndex(at: span.start)].name != sourceName
    }
  }

  /// Returns a source with the definitions that none of `sources` has.
  static func missing(in sources: [Source]) -> Source {
    let defined = sources.reduce(into: Set<String>()) {
      switch SchemaInput(detecting: $1) {
      case .sdl(let source): $0.formUnion(definedDirectives(in: source.bytes))
      case .introspection(let source): $0.formUnion(introspectedDirectives(in: source.bytes))
      }
    }
    let nullability = nullabilityDefinitions(for: sources, defined)
    let text = (ownDefinitions + nullability.directives).filter { !defined.contains($0.name) }
      .map(\.text).joined(separator: "\n")
    return Source(name: sourceName, text: text + "\n" + nullability.types)
  }

  // MARK: - Nullability

  /// Returns the definitions of the nullability directives under the names that the sources give
  /// them, and of the types that they need.
  private static func nullabilityDefinitions(
    for sources: [Source], _ defined: Set<String>
  ) -> (directives: [(name: String, text: String)], types: String) {
    let names = nullabilityNames(in: sources)
    let inputs = sources.map(SchemaInput.init(detecting:))
    var (directives, types) = names.definitions { name in
      inputs.contains { $0.definesType(named: name) }
    }
    if names.isLinked, !defined.contains("link") {
      let arguments = "url: String!, as: String, import: [link__Import], for: link__Purpose"
      directives.append(("link", "directive @link(\(arguments)) repeatable on SCHEMA"))
      types += "scalar link__Import\nenum link__Purpose { SECURITY EXECUTION }\n"
    }
    return (directives, types)
  }

  /// Reads the `@link` to the specification, if one of the sources has it.
  private static func nullabilityNames(in sources: [Source]) -> NullabilityNames {
    var document = Document()
    for source in sources {
      guard case .sdl(let source) = SchemaInput(detecting: source),
        source.bytes.firstPlace(of: NullabilityNames.specification) != nil
      else { continue }
      // Building the schema reports errors of the syntax.
      _ = document.parse(source, options: .drafts)
    }
    return NullabilityNames(in: document)
  }

  /// Returns the names that follow `directive @`.
  ///
  /// Comments and descriptions are searched as well. That only affects sources with such
  /// definitions in them.
  private static func definedDirectives(in bytes: ArraySlice<UInt8>) -> [String] {
    let keyword = Array("directive".utf8)
    var names: [String] = []
    var rest = bytes
    while let at = rest.withUnsafeBufferPointer({ $0.firstIndex(of: UInt8(ascii: "@")) }).map({
      $0 + rest.startIndex
    }) {
      rest = rest[(at + 1)...]
      guard let last = bytes[..<at].lastIndex(where: { $0 > 0x20 && $0 != UInt8(ascii: ",") }),
        bytes[...last].suffix(keyword.count).elementsEqual(keyword)
      else { continue }
      let name = rest.prefix { byte in
        byte == UInt8(ascii: "_") || Character(Unicode.Scalar(byte)).isLetter
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
      names.append(String(decoding: name, as: UTF8.self))
    }
    return names
  }

  /// Returns the names of the elements of `"directives": […]`. Of all objects in an introspection,
  /// only the schema has that member.
  private static func introspectedDirectives(in bytes: ArraySlice<UInt8>) -> [String] {
    var rest = bytes
    while let key = rest.firstPlace(of: "\"directives\"") {
      rest = rest[key.upperBound...]
      let value = rest.drop { $0 <= 0x20 || $0 == UInt8(ascii: ":") }
      guard value.startIndex > rest.startIndex, value.first == UInt8(ascii: "[") else { continue }
      return namesOfElements(in: value)
    }
    return []
  }

  /// Returns the members `name` of the objects in a list, but not of the objects inside of these.
  private static func namesOfElements(in list: ArraySlice<UInt8>) -> [String] {
    var names: [String] = []
    var depth = 0
    var isName = false
    var rest = list
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: "\""):
        let text = string(&rest)
        if isName { names.append(text) }
        let isKey = rest.first { $0 > 0x20 } == UInt8(ascii: ":")
        isName = isKey && depth == 2 && text == "name"
      default: break
      }
      if depth == 0 { break }
    }
    return names
  }

  /// Returns the text before the quote that ends a string, with escapes as they are written.
  private static func string(_ rest: inout ArraySlice<UInt8>) -> String {
    let text = rest
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
    }
    return String(decoding: text[..<rest.startIndex].dropLast(), as: UTF8.self)
  }
}

extension SchemaInput {
  /// Returns whether a schema may define a type, or extends it.
  fileprivate func definesType(named name: String) -> Bool {
    switch self {
    case .sdl(let source):
      source.bytes.hasName(name) { before in
        ["type", "enum", "scalar", "input", "interface", "union"].contains { keyword in
          before.suffix(keyword.utf8.count).elementsEqual(keyword.utf8)
        }
      }
    case .introspection(let source): source.bytes.hasName(name) { _ in true }
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns whether the bytes have a name that is not a part of a longer one, after text that
  /// fulfils a condition.
  fileprivate func hasName(
    _ name: String, after condition: (ArraySlice<UInt8>) -> Bool
  ) -> Bool {
    func isPart(_ byte: UInt8) -> Bool {
      let letter = byte | 0x20
      return byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    var rest = self
    while let found = rest.firstPlace(of: name) {
      let before = self[..<found.lowerBound]
      rest = rest[found.upperBound...]
      guard before.last.map(isPart) != true, rest.first.map(isPart) != true,
        let end = before.lastIndex(where: { $0 > 0x20 && $0 != UInt8(ascii: ",") })
      else { continue }
      if condition(before[...end]) { return true }
    }
    return false
  }
}
