import ApolloIR
package import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Definitions of the directives for the generator, for schemas that do not define them.
package enum ClientDirectives {
  private static let definitions: [(name: String, text: String)] = [
    ("typePolicy", "directive @typePolicy(keyFields: String!) on OBJECT | INTERFACE"),
    (
      "fieldPolicy",
      "directive @fieldPolicy(forField: String!, keyArgs: String!) repeatable on OBJECT | INTERFACE"
    ),
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

  /// The locations of the directives in schemas and documents.
  private static let locations: [String: DirectiveLocationSet] = {
    let text = definitions.map(\.text).joined(separator: "\n") + " type Query { a: Int }"
    let schema = Schema.build([.sdl(Source(name: "client directives", text: text))]).schema
    let names = Set(definitions.map(\.name))
    return schema.directives.reduce(into: [:]) { locations, directive in
      let name = schema.spelling(directive.name)
      if names.contains(name) { locations[name] = directive.locations }
    }
  }()

  /// The locations of the directives in documents, for those that are checked against a schema
  /// without them.
  package static let documentLocations = locations.merging(ClientDirective.locations) { $1 }

  /// Returns a source with the definitions that none of `sources` has.
  static func missing(in sources: [Source]) -> Source {
    let defined = sources.reduce(into: Set<String>()) {
      switch SchemaInput(detecting: $1) {
      case .sdl(let source): $0.formUnion(definedDirectives(in: source.bytes))
      case .introspection(let source): $0.formUnion(introspectedDirectives(in: source.bytes))
      }
    }
    let text = definitions.filter { !defined.contains($0.name) }.map(\.text).joined(separator: "\n")
    return Source(name: "client directives", text: text)
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
    while let key = rest.firstRange(of: "\"directives\"".utf8) {
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
