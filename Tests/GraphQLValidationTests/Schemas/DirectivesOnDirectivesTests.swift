import CorpusSupport
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Builds schemas with directives on directive definitions, which are a part of the draft.
@Suite struct DirectivesOnDirectivesTests {
  private static let options = SchemaOptions(
    parser: ParserOptions(allowsDirectivesOnDirectives: true))

  private func build(_ sdl: String) -> SchemaResult {
    let query = sdl.contains("Query") ? "" : "\ntype Query { a: Int }"
    let mark = sdl.contains("@mark") ? "\n" + Self.mark : ""
    return Schema.build([.sdl("test", sdl + query + mark)], options: Self.options)
  }

  /// A directive for directives, in the schemas that use it.
  private static let mark = "directive @mark on DIRECTIVE_DEFINITION"

  private static let rules: [(String, [String])] = [
    // Locations.
    ("directive @a @mark on FIELD", []),
    ("directive @a on FIELD extend directive @a @mark", []),
    (
      "directive @b on FIELD directive @a 1️⃣@b on FIELD",
      ["KnownDirectives: Directive \"@b\" may not be used on DIRECTIVE_DEFINITION. 1️⃣"]
    ),
    (
      "directive @a 1️⃣@b on FIELD",
      ["KnownDirectives: Unknown directive \"@b\". 1️⃣"]
    ),
    (
      "type A 1️⃣@mark { a: Int }",
      ["KnownDirectives: Directive \"@mark\" may not be used on OBJECT. 1️⃣"]
    ),
    ("directive @a @deprecated on FIELD", []),
    ("directive @a @deprecated(reason: \"b\") on FIELD", []),
    (
      "directive @a 1️⃣@skip(if: true) on FIELD",
      ["KnownDirectives: Directive \"@skip\" may not be used on DIRECTIVE_DEFINITION. 1️⃣"]
    ),
    // Uniqueness.
    (
      "directive @a 1️⃣@mark 2️⃣@mark on FIELD",
      [
        "UniqueDirectivesPerLocation: The directive \"@mark\" can only be used once at this location. 1️⃣ 2️⃣"
      ]
    ),
    (
      "directive @a 1️⃣@mark on FIELD extend directive @a 2️⃣@mark",
      [
        "UniqueDirectivesPerLocation: The directive \"@mark\" can only be used once at this location. 1️⃣ 2️⃣"
      ]
    ),
    ("directive @a @mark on FIELD directive @b @mark on FIELD", []),
    (
      "directive @r repeatable on DIRECTIVE_DEFINITION directive @a @r @r on FIELD extend directive @a @r",
      []
    ),
    ("directive @A @mark on FIELD type A @A2 { a: Int } directive @A2 on OBJECT", []),
    // Extensions.
    (
      "extend directive @1️⃣missing @mark",
      [
        "PossibleTypeExtensions: Cannot extend directive \"@missing\" because it is not defined. 1️⃣"
      ]
    ),
    (
      "directive @animal on FIELD extend directive @1️⃣animals @mark",
      [
        "PossibleTypeExtensions: Cannot extend directive \"@animals\" because it is not defined. Did you mean \"@animal\"? 1️⃣"
      ]
    ),
    (
      "extend directive @1️⃣skip @mark",
      ["PossibleTypeExtensions: Cannot extend directive \"@skip\" because it is not defined. 1️⃣"]
    ),
    ("extend directive @a @mark directive @a on FIELD", []),
    (
      "type a { a: Int } extend directive @1️⃣a @mark",
      ["PossibleTypeExtensions: Cannot extend directive \"@a\" because it is not defined. 1️⃣"]
    ),
    // Arguments.
    (
      "directive @m(b: Int!) on DIRECTIVE_DEFINITION directive @a 1️⃣@m on FIELD",
      [
        "ProvidedRequiredArgumentsOnDirectives: Directive \"@m\" argument \"b\" of type \"Int!\" is required, but it was not provided. 1️⃣"
      ]
    ),
    // Cycles.
    (
      "1️⃣directive @a @a on DIRECTIVE_DEFINITION",
      ["DirectiveCycles: Directive \"@a\" cannot reference itself. 1️⃣"]
    ),
    (
      "1️⃣directive @a on DIRECTIVE_DEFINITION extend directive @a @a",
      ["DirectiveCycles: Directive \"@a\" cannot reference itself. 1️⃣"]
    ),
    (
      "1️⃣directive @a @b on ARGUMENT_DEFINITION 2️⃣directive @b(c: Int @a) on DIRECTIVE_DEFINITION",
      [
        "DirectiveCycles: Directive \"@a\" cannot reference itself via \"@b\". 1️⃣ 2️⃣",
        "DirectiveCycles: Directive \"@b\" cannot reference itself via \"@a\". 2️⃣ 1️⃣",
      ]
    ),
    // Redefinition of what is built in.
    (
      "directive @deprecated(reason: String) on FIELD_DEFINITION directive @a 1️⃣@deprecated on FIELD",
      ["KnownDirectives: Directive \"@deprecated\" may not be used on DIRECTIVE_DEFINITION. 1️⃣"]
    ),
  ]

  /// Cycles of directives, through definitions, extensions, arguments and types. Each entry is a
  /// directive, and the places of the directives on its cycle.
  private static let cycles: [(String, [String])] = [
    (
      "1️⃣directive @a @b on DIRECTIVE_DEFINITION 2️⃣directive @b @c on DIRECTIVE_DEFINITION "
        + "3️⃣directive @c @a on DIRECTIVE_DEFINITION",
      [
        "\"@a\" via \"@b\", \"@c\" 1️⃣ 2️⃣ 3️⃣", "\"@b\" via \"@c\", \"@a\" 2️⃣ 3️⃣ 1️⃣",
        "\"@c\" via \"@a\", \"@b\" 3️⃣ 1️⃣ 2️⃣",
      ]
    ),
    // An extension closes the cycle.
    (
      "1️⃣directive @a on DIRECTIVE_DEFINITION 2️⃣directive @b @a on DIRECTIVE_DEFINITION "
        + "extend directive @a @b",
      ["\"@a\" via \"@b\" 1️⃣ 2️⃣", "\"@b\" via \"@a\" 2️⃣ 1️⃣"]
    ),
    (
      "extend directive @a @b extend directive @b @a "
        + "1️⃣directive @a on DIRECTIVE_DEFINITION 2️⃣directive @b on DIRECTIVE_DEFINITION",
      ["\"@a\" via \"@b\" 1️⃣ 2️⃣", "\"@b\" via \"@a\" 2️⃣ 1️⃣"]
    ),
    // The type of an argument is on the cycle: an input object, an enum, a scalar.
    (
      "1️⃣directive @a @b on INPUT_FIELD_DEFINITION 2️⃣directive @b(c: I) on DIRECTIVE_DEFINITION "
        + "input I { d: Int @a }",
      ["\"@a\" via \"@b\" 1️⃣ 2️⃣", "\"@b\" via \"@a\" 2️⃣ 1️⃣"]
    ),
    (
      "1️⃣directive @a @b on INPUT_OBJECT 2️⃣directive @b(c: [I!]) on DIRECTIVE_DEFINITION "
        + "input I { d: J } input J @a { e: I }",
      ["\"@a\" via \"@b\" 1️⃣ 2️⃣", "\"@b\" via \"@a\" 2️⃣ 1️⃣"]
    ),
    (
      "1️⃣directive @a @b on ENUM_VALUE 2️⃣directive @b(c: E) on DIRECTIVE_DEFINITION "
        + "enum E { V @a }",
      ["\"@a\" via \"@b\" 1️⃣ 2️⃣", "\"@b\" via \"@a\" 2️⃣ 1️⃣"]
    ),
    (
      "1️⃣directive @a @b on SCALAR 2️⃣directive @b(c: S) on DIRECTIVE_DEFINITION "
        + "scalar S extend scalar S @a",
      ["\"@a\" via \"@b\" 1️⃣ 2️⃣", "\"@b\" via \"@a\" 2️⃣ 1️⃣"]
    ),
    // The shortest of two cycles, once for each directive.
    (
      "1️⃣directive @a @b @c on DIRECTIVE_DEFINITION 2️⃣directive @b @c on DIRECTIVE_DEFINITION "
        + "3️⃣directive @c @a on DIRECTIVE_DEFINITION",
      [
        "\"@a\" via \"@c\" 1️⃣ 3️⃣", "\"@b\" via \"@c\", \"@a\" 2️⃣ 3️⃣ 1️⃣",
        "\"@c\" via \"@a\" 3️⃣ 1️⃣",
      ]
    ),
    // Two cycles apart, and a directive that uses one of them.
    (
      "1️⃣directive @a @a on DIRECTIVE_DEFINITION 2️⃣directive @b @b on DIRECTIVE_DEFINITION "
        + "directive @c @a @b on FIELD",
      ["\"@a\" 1️⃣", "\"@b\" 2️⃣"]
    ),
    ("1️⃣directive @a @a @a repeatable on DIRECTIVE_DEFINITION", ["\"@a\" 1️⃣"]),
    (
      "1️⃣directive @deprecated(reason: String) @deprecated on DIRECTIVE_DEFINITION",
      ["\"@deprecated\" 1️⃣"]
    ),
    // A directive can be reached on two ways, and on types that no argument has.
    (
      "directive @a @b @c on FIELD directive @b @d on DIRECTIVE_DEFINITION "
        + "directive @c @d on DIRECTIVE_DEFINITION directive @d on DIRECTIVE_DEFINITION",
      []
    ),
    (
      "directive @a @b on OBJECT directive @b on DIRECTIVE_DEFINITION type T @a { b: Int }",
      []
    ),
    (
      "directive @a @b on DIRECTIVE_DEFINITION directive @b on DIRECTIVE_DEFINITION "
        + "extend directive @b @mark extend directive @a @mark",
      []
    ),
  ]

  @Test(arguments: cycles) func findsCycles(_ marked: String, _ expected: [String]) {
    let text = MarkedText(marked)
    let result = build(text.text)
    let base = result.schema.document.sources.span(ofSourceAt: 1).start
    let found = result.diagnostics.map { diagnostic in
      let spans = [diagnostic.span].compactMap { $0 } + diagnostic.notes.map(\.span)
      let markers = spans.map { text.marker(at: $0.start - base) }.joined(separator: " ")
      let names = diagnostic.message.dropFirst("Directive ".count).dropLast()
        .replacing(" cannot reference itself", with: "")
      return "\(diagnostic.rule.rawValue): \(names) \(markers)"
    }
    #expect(found == expected.map { "DirectiveCycles: \($0)" })
  }

  /// A ring of many directives ends with errors for some of them, in bounded time.
  @Test(arguments: [1, 2, 100, 5_000]) func findsARing(of count: Int) {
    let sdl = (0..<count).map {
      "directive @d\($0) @d\(($0 + 1) % count) on DIRECTIVE_DEFINITION"
    }
    let found = build(sdl.joined(separator: "\n")).diagnostics
    #expect(Set(found.map(\.rule)) == ["DirectiveCycles"])
    if count <= 100 { #expect(found.count == count) }
    // Without one link, there is no cycle.
    let last = "directive @d\(count - 1) on DIRECTIVE_DEFINITION"
    #expect(build((sdl.dropLast() + [last]).joined(separator: "\n")).diagnostics.isEmpty)
  }

  @Test(arguments: rules) func checksTheRules(_ marked: String, _ expected: [String]) {
    let text = MarkedText(marked)
    let result = build(text.text)
    let base = result.schema.document.sources.span(ofSourceAt: 1).start
    let found = result.diagnostics.map { diagnostic in
      let spans = [diagnostic.span].compactMap { $0 } + diagnostic.notes.map(\.span)
      let markers = spans.map { text.marker(at: $0.start - base) }.joined(separator: " ")
      return "\(diagnostic.rule.rawValue): \(diagnostic.message) \(markers)"
    }
    #expect(found == expected)
  }

  @Test(
    arguments: [
      ("directive @a @deprecated on FIELD", "directive @a @deprecated on FIELD"),
      (
        "directive @a(b: Int) @deprecated(reason: \"c\") repeatable on FIELD | DIRECTIVE_DEFINITION",
        "directive @a(b: Int) @deprecated(reason: \"c\") repeatable on FIELD | DIRECTIVE_DEFINITION"
      ),
      (
        "directive @a on FIELD extend directive @a @deprecated(reason: \"c\")",
        "directive @a @deprecated(reason: \"c\") on FIELD"
      ),
    ] as [(String, String)])
  func printsAndIntrospectsADeprecatedDirective(_ sdl: String, _ printed: String) throws {
    let schema = build(sdl).schema
    #expect(schema.printed().contains(printed))
    let json = Source(name: "json", text: schema.introspection())
    let again = Schema.build([.introspection(json)], options: Self.options)
    #expect(again.diagnostics.isEmpty)
    #expect(again.schema.printed() == schema.printed())
  }

  @Test func readsTheIntrospectionOfANewerServerWithoutTheOption() {
    let schema = build("directive @a @deprecated on FIELD | DIRECTIVE_DEFINITION").schema
    let json = Source(name: "json", text: schema.introspection())
    let result = Schema.build([.introspection(json)])
    #expect(result.isUsable && result.diagnostics.isEmpty)
    #expect(result.schema.printed().contains("directive @a on FIELD\n"))
  }

  @Test func showsTheDraftsIntrospectionWithTheOption() {
    let query =
      "{ __schema { directives(includeDeprecated: true) { isDeprecated deprecationReason } } }"
    for (schema, count) in [
      (build("").schema, 0), (Schema.build([.sdl("", "type Query { a: Int }")]).schema, 3),
    ] {
      var document = Document(names: schema.names)
      #expect(document.parse(Source(name: "query", text: query)).isEmpty)
      #expect(validate(document, against: schema).diagnostics.count == count)
    }
  }

  @Test func reportsADeprecatedDirectiveInAnOperation() {
    let schema = build("directive @old @deprecated(reason: \"Use @new.\") on FIELD").schema
    var document = Document(names: schema.names)
    #expect(document.parse(Source(name: "query", text: "{ a @old }")).isEmpty)
    #expect(validate(document, against: schema).diagnostics.isEmpty)
    for rule in [ValidationRule.noDeprecated, .noDeprecatedInputs] {
      let found = validate(document, against: schema, configuration: .only(rule)).diagnostics
      #expect(found.map(\.message) == ["The directive \"@old\" is deprecated. Use @new."])
    }
  }

  @Test func listsTheDeprecationOfADirectiveAsAChange() {
    let old = build("directive @a on FIELD").schema
    let new = build("directive @a @deprecated(reason: \"b\") on FIELD").schema
    #expect(new.changes(since: old).map(\.message) == ["@a is deprecated: b"])
    #expect(old.changes(since: new).map(\.message) == ["@a is no longer deprecated."])
  }
}
