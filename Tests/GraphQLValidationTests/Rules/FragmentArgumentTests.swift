import CorpusSupport
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Validates and expands variables of fragments and arguments of spreads.
@Suite struct FragmentArgumentTests {
  private static let schema = Schema.build([
    .sdl(
      "schema",
      """
      type Query {
        a(x: Int, y: [Int], o: Input, s: String = "s"): Int
        required(x: Int!): Int
        child: Query
        other: Other
      }
      type Other { b: Int }
      input Input { x: Int, y: [Int], o: Input, p: Input, z: Int! = 1 }
      directive @own on FRAGMENT_DEFINITION
      """)
  ]).schema

  private func validated(_ text: String) -> (result: ValidationResult, base: UInt32) {
    var document = Document(names: Self.schema.names, sources: Self.schema.document.sources)
    let errors = document.parse(
      Source(name: "test", text: text), options: ParserOptions(allowsFragmentArguments: true))
    #expect(errors.isEmpty, "\(errors)")
    let base = document.sources.span(ofSourceAt: document.sources.sources.count - 1).start
    return (validate(document, against: Self.schema), base)
  }

  static let expansions: [(String, String)] = [
    ("{ ...F(x: 3) } fragment F($x: Int) on Query { a(x: $x) }", "a(x: 3)"),
    ("{ ...F } fragment F($x: Int = 4) on Query { a(x: $x) }", "a(x: 4)"),
    ("{ ...F } fragment F($x: Int) on Query { a(x: $x) }", "a"),
    ("{ ...F } fragment F($x: Int) on Query { a(x: $x, s: \"t\") }", "a(s: \"t\")"),
    ("{ ...F(x: null) } fragment F($x: Int = 4) on Query { a(x: $x) }", "a(x: null)"),
    ("{ ...F } fragment F($x: Int) on Query { a(y: [1, $x]) }", "a(y: [1, null])"),
    ("{ ...F } fragment F($x: Int) on Query { a(o: {x: $x, z: 2}) }", "a(o: {z: 2})"),
    ("{ ...F(y: [1]) } fragment F($y: [Int]) on Query { a(o: {y: $y}) }", "a(o: {y: [1]})"),
    ("query($v: Int) { ...F(x: $v) } fragment F($x: Int) on Query { a(x: $x) }", "a(x: $v)"),
    (
      "query($v: Int) { ...F(y: [$v, 2]) } fragment F($y: [Int]) on Query { a(y: $y) }",
      "a(y: [$v, 2])"
    ),
    (
      "query($v: Int!) { ...F(x: $v) } fragment F($x: Int = 3) on Query { a(x: $x) }", "a(x: $v)"
    ),
    (
      "query($v: Int = 2) { ...F(x: $v) } fragment F($x: Int = 3) on Query { a(x: $x) }",
      "a(x: $v)"
    ),
    // Variables of operations of the same name.
    (
      "query($x: Int) { ...F(x: 1) b: a(x: $x) } fragment F($x: Int) on Query { a(x: $x) }",
      "a(x: 1)"
    ),
    (
      "query($x: Int) { ...F(y: $x) } fragment F($y: Int) on Query { a(x: $y) b: a(x: $x) }",
      "a(x: $x) b: a(x: $x)"
    ),
    (
      "query($x: Int) { ...F(x: 1) } fragment F($x: Int) on Query { a(x: $x) ...G } fragment G on Query { b: a(x: $x) }",
      "a(x: 1) ...G"
    ),
    // Fragments in fragments.
    (
      "{ ...F(x: 1) } fragment F($x: Int) on Query { ...G(y: $x) } fragment G($y: Int = 9) on Query { a(x: $y) }",
      "... on Query { a(x: 1) }"
    ),
    (
      "{ ...F } fragment F($x: Int) on Query { ...G(y: $x) } fragment G($y: Int = 9) on Query { a(x: $y) }",
      "... on Query { a(x: 9) }"
    ),
    (
      "query($v: Int!) { ...F(a: $v, b: 2) } fragment F($a: Int!, $b: Int!) on Query { ...G(a: $b, b: $a) } fragment G($a: Int!, $b: Int!) on Query { a(x: $a) b: a(x: $b) }",
      "... on Query { a(x: 2) b: a(x: $v) }"
    ),
    // Directives, selection sets and inline fragments.
    (
      "query($v: Boolean!) { ...F(c: $v) } fragment F($c: Boolean!) on Query { a @include(if: $c) child { a @skip(if: $c) } ... @include(if: $c) { b: a } }",
      "a @include(if: $v) child { a @skip(if: $v) } ... @include(if: $v) { b: a }"
    ),
    (
      "query { ...F } fragment F($c: Boolean! = true) on Query { a @include(if: $c) }",
      "a @include(if: true)"
    ),
    (
      "{ child { ...F(x: 1) child { ...F(x: 2) } } } fragment F($x: Int) on Query { a(x: $x) }",
      ""
    ),
  ]

  @Test(arguments: expansions)
  func replacesVariablesByValues(_ text: String, _ body: String) throws {
    let (result, _) = validated(text)
    #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map(\.message))")
    let printed = try #require(result.document).document.printed()
    #expect(!printed.contains("fragment F"))
    let words = printed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if body.isEmpty {
      #expect(words.contains("a(x: 1)") && words.contains("a(x: 2)"))
    } else {
      #expect(words.contains("... on Query { \(body) }"), "\(words)")
    }
    // It is a document that servers without fragment arguments know.
    var again = Document(names: Self.schema.names)
    #expect(again.parse(Source(name: "again", text: printed)).isEmpty)
    #expect(validate(again, against: Self.schema).diagnostics.isEmpty)
  }

  private static let errors: [(String, String)] = [
    (
      "{ ...F(1️⃣unlike: 1) } fragment F($x: Int) on Query { a(x: $x) }",
      "KnownArgumentNames: Unknown argument \"unlike\" on fragment \"F\"."
    ),
    (
      "{ ...F(1️⃣numbr: 1) } fragment F($number: Int) on Query { a(x: $number) }",
      "KnownArgumentNames: Unknown argument \"numbr\" on fragment \"F\". Did you mean \"number\"?"
    ),
    (
      "{ ...F(1️⃣x: 1) } fragment F on Query { a }",
      "KnownArgumentNames: Unknown argument \"x\" on fragment \"F\"."
    ),
    (
      "{ 1️⃣...F } fragment F($x: Int!) on Query { a(x: $x) }",
      "ProvidedRequiredArguments: Fragment \"F\" argument \"x\" of type \"Int!\" is required, but it was not provided."
    ),
    (
      "{ ...F(1️⃣x: 1, x: 2) } fragment F($x: Int) on Query { a(x: $x) }",
      "UniqueArgumentNames: There can be only one argument named \"x\"."
    ),
    (
      "{ ...F(x: 1️⃣\"1\") } fragment F($x: Int) on Query { a(x: $x) }",
      "ValuesOfCorrectType: Int cannot represent non-integer value: \"1\""
    ),
    (
      "{ ...F } fragment F($x: Int = 1️⃣\"1\") on Query { a(x: $x) }",
      "ValuesOfCorrectType: Int cannot represent non-integer value: \"1\""
    ),
    (
      "query(1️⃣$v: String) { ...F(x: $v) } fragment F($x: Int) on Query { a(x: $x) }",
      "VariablesInAllowedPosition: Variable \"$v\" of type \"String\" used in position expecting type \"Int\"."
    ),
    (
      "query(1️⃣$v: Int) { ...F(x: $v) } fragment F($x: Int!) on Query { a(x: $x) }",
      "VariablesInAllowedPosition: Variable \"$v\" of type \"Int\" used in position expecting type \"Int!\"."
    ),
    (
      "{ ...F(x: 1) } fragment F(1️⃣$x: Int) on Query { required(x: $x) }",
      "VariablesInAllowedPosition: Variable \"$x\" of type \"Int\" used in position expecting type \"Int!\"."
    ),
    (
      "{ ...F(x: 1) } fragment F(1️⃣$x: Int) on Query { a }",
      "NoUnusedVariables: Variable \"$x\" is never used in fragment \"F\"."
    ),
    (
      "{ ...F } fragment F($x: Int, $1️⃣x: Int) on Query { a(x: $x) }",
      "UniqueVariableNames: There can be only one variable named \"$x\"."
    ),
    (
      "{ ...F } fragment F($x: 1️⃣Unknown) on Query { a(s: $x) }",
      "KnownTypeNames: Unknown type \"Unknown\"."
    ),
    (
      "{ ...F(x: 1️⃣$v) } fragment F($x: Int) on Query { a(x: $x) }",
      "NoUndefinedVariables: Variable \"$v\" is not defined."
    ),
    (
      "{ ...F(x: 1) } fragment F($x: Int) on Query { a(x: $x) ...G } fragment G on Query { b: a(x: 1️⃣$x) }",
      "NoUndefinedVariables: Variable \"$x\" is not defined."
    ),
    (
      "{ ...F(x: 1) } fragment F($x: Int) on Query { a(x: $x) 1️⃣...F(x: $x) }",
      "NoFragmentCycles: Cannot spread fragment \"F\" within itself."
    ),
    (
      "{ other { 1️⃣...F(x: 1) } } fragment F($x: Int) on Query { a(x: $x) }",
      "PossibleFragmentSpreads: Fragment \"F\" cannot be spread here as objects of type \"Other\" can never be of type \"Query\"."
    ),
    (
      "{ ...F(x: 1) ...F(x: 2) } fragment F($x: Int) on Query { 1️⃣a(x: $x) }",
      "OverlappingFieldsCanBeMerged: Fields \"a\" conflict because they have differing arguments. Use different aliases on the fields to fetch both if this was intentional."
    ),
    (
      "{ 1️⃣a(x: 1) ...F(x: 2) } fragment F($x: Int) on Query { a(x: $x) }",
      "OverlappingFieldsCanBeMerged: Fields \"a\" conflict because they have differing arguments. Use different aliases on the fields to fetch both if this was intentional."
    ),
    // What cannot be expanded.
    (
      "query($v: Int) { ...F(1️⃣x: $v) } fragment F($x: Int = 3) on Query { a(x: $x) }",
      "FragmentArguments: \"$v\" can be without a value, and \"$x\" then has its default value, which cannot be sent. Make \"$v\" non-null, give it a default value, or make \"$x\" required."
    ),
    (
      "query($v: Int) { ...F(x: $v) } fragment F($x: Int) on Query { ...G(1️⃣y: $x) } fragment G($y: Int = 3) on Query { a(x: $y) }",
      "FragmentArguments: \"$v\" can be without a value, and \"$y\" then has its default value, which cannot be sent. Make \"$v\" non-null, give it a default value, or make \"$y\" required."
    ),
    (
      "{ ...F(x: 1) } fragment F($x: Int) on Query 1️⃣@own { a(x: $x) }",
      "FragmentArguments: The fragment \"F\" has variables, so that its selections are sent in place of each spread, and its directives nowhere. Remove the directives."
    ),
  ]

  @Test(arguments: errors)
  func reports(_ marked: String, _ expected: String) {
    let text = MarkedText(marked)
    let (result, base) = validated(text.text)
    let found = result.diagnostics
    #expect(found.map { "\($0.rule.rawValue): \($0.message)" } == [expected])
    #expect(result.document == nil)
    let place = found.first?.span?.start ?? base
    // The second variable of a name is a note.
    let places = [place] + (found.first?.notes.map(\.span.start) ?? [])
    #expect(places.contains { text.marker(at: $0 - base) == "1️⃣" })
  }

  @Test func equalArgumentsDoNotConflict() {
    for text in [
      "{ ...F(x: 1) ...F(x: 1) } fragment F($x: Int) on Query { a(x: $x) }",
      "{ a(x: 1) ...F(x: 1) } fragment F($x: Int) on Query { a(x: $x) }",
      "query($v: Int) { ...F(x: $v) a(x: $v) } fragment F($x: Int) on Query { a(x: $x) }",
      "{ ...F ...F(x: 3) } fragment F($x: Int = 3) on Query { a(x: $x) }",
    ] {
      #expect(validated(text).result.diagnostics.isEmpty, "\(text)")
    }
  }

  /// Fragments that double 30 times would have a billion selections.
  @Test func endsWithAnErrorForTooManySelections() {
    var text = "{ ...F0(x: 1) }"
    for index in 0..<30 {
      text +=
        " fragment F\(index)($x: Int) on Query { p\(index): child { ...F\(index + 1)(x: $x) } "
        + "q\(index): child { ...F\(index + 1)(x: $x) } }"
    }
    text += " fragment F30($x: Int) on Query { a(x: $x) }"
    let found = validated(text).result.diagnostics
    #expect(found.count == 1)
    #expect(found.first?.message.contains("more than 200000 selections") ?? false)
  }

  @Test func endsWithAnErrorForTooLargeValues() {
    var text = "{ ...F0(o: {x: 1}) }"
    for index in 0..<40 {
      text +=
        " fragment F\(index)($o: Input) on Query { a(o: $o) "
        + "c\(index): child { ...F\(index + 1)(o: {o: $o, p: $o}) } }"
    }
    text += " fragment F40($o: Input) on Query { a(o: $o) }"
    let found = validated(text).result.diagnostics
    #expect(found.map(\.rule) == ["FragmentArguments"])
    #expect(found.first?.message.contains("selections and values") ?? false)
  }

  @Test func endsWithAnErrorForTooDeepFragments() {
    var text = "{ ...F0(x: 1) }"
    for index in 0..<600 {
      text += " fragment F\(index)($x: Int) on Query { ...F\(index + 1)(x: $x) }"
    }
    text += " fragment F600($x: Int) on Query { a(x: $x) }"
    let found = validated(text).result.diagnostics
    #expect(found.map(\.rule) == ["FragmentArguments"])
    #expect(found.first?.message.contains("more than 500 levels deep") ?? false)
  }
}

/// Validates the documents of the reference corpora that have fragment arguments.
@Suite(.readsCorpus) struct FragmentArgumentCorpusTests {
  private struct File: Decodable {
    struct Case: Decodable {
      var id: String
      var rule: String?
      var feature: String?
      var schema: String
      var document: String
      var expected_errors: [CorpusError]?
      var apollo_valid_strict: Bool?
    }

    var schemas: [String: String]
    var cases: [Case]
  }

  private func diagnostics(_ item: File.Case, in file: File) -> (Document, [Diagnostic]) {
    let sdl = file.schemas[item.schema] ?? ""
    let schema = Schema.build([.sdl(Source(name: "schema", text: sdl))]).schema
    var document = Document(names: schema.names)
    let options = ParserOptions(allowsFragmentArguments: true)
    let errors = document.parse(Source(name: "document", text: item.document), options: options)
    return (document, errors + validate(document, against: schema).diagnostics)
  }

  /// The rules of the reference implementation, except the one for overlapping fields: we compare
  /// the fields that are sent, and it compares the spreads.
  @Test func rulesAgreeWithTheReferenceImplementation() throws {
    let name = "validation_experimental.json"
    let file = try Corpus.load(name, as: File.self)
    var tally = CorpusTally(
      name,
      knownDifferences: [
        "valx-KnownDirectivesRule-a2441d3d6e":
          "The proposal has no location for variables of fragments; the reference implementation has."
      ])
    var count = 0
    for item in file.cases where item.feature == "fragment-arguments" {
      guard let rule = item.rule, rule != "*", rule != "OverlappingFieldsCanBeMergedRule" else {
        continue
      }
      count += 1
      let (document, found) = diagnostics(item, in: file)
      var table = LocationTable(document.sources)
      let errors = found.filter { $0.rule.rawValue + "Rule" == rule }.map { diagnostic in
        let spans = [diagnostic.span].compactMap { $0 } + diagnostic.notes.map(\.span)
        return CorpusError(
          rule: "", message: diagnostic.message,
          locations: spans.map {
            let location = table.location(of: $0.start)
            return CorpusError.Location(line: location.line, column: location.column)
          })
      }
      tally.add(
        item.id, found: errors, expected: item.expected_errors ?? [], context: item.document)
    }
    #expect(count > 15)
    tally.finish(equalMessages: 0.9)
  }

  /// Apollo Kotlin compares the fields that are sent as we do, but accepts anonymous operations
  /// nowhere.
  @Test func verdictsAgreeWithApolloKotlin() throws {
    let file = try Corpus.load("apollo_kotlin_validation.json", as: File.self)
    let cases = file.cases.filter { $0.document.contains("allowFragmentArguments") }
    #expect(cases.count > 10)
    for item in cases where !item.document.contains("\n{\n") {
      let errors = diagnostics(item, in: file).1.filter { $0.severity == .error }
      #expect(
        errors.isEmpty == item.apollo_valid_strict, "\(item.document)\n\(errors.map(\.message))")
    }
  }
}
