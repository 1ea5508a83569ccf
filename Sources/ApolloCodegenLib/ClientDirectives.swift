import GraphQLSyntax

/// Definitions of the directives that instruct the generator, for schemas that do not define them.
enum ClientDirectives {
  private static let definitions: [(name: String, text: String)] = [
    ("typePolicy", "directive @typePolicy(keyFields: String!) on OBJECT | INTERFACE"),
    (
      "fieldPolicy",
      "directive @fieldPolicy(forField: String!, keyArgs: String!) repeatable on OBJECT | INTERFACE"
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

  /// A source with the definitions that none of `sources` has.
  static func missing(in sources: [Source]) -> Source {
    let defined = sources.reduce(into: Set<String>()) {
      $0.formUnion(definedDirectives(in: $1.bytes))
    }
    let text = definitions.filter { !defined.contains($0.name) }.map(\.text).joined(separator: "\n")
    return Source(name: "client directives", text: text)
  }

  /// The names that follow `directive @`. Comments and descriptions are not told apart, which only
  /// matters for who writes such definitions there.
  private static func definedDirectives(in bytes: ArraySlice<UInt8>) -> [String] {
    let keyword = Array("directive".utf8)
    var names: [String] = []
    var rest = bytes
    while let at = rest.firstIndex(of: UInt8(ascii: "@")) {
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
}
