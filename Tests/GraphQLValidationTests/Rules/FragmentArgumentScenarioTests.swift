import CorpusSupport
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// The documents that are sent for scenarios with fragment arguments.
///
/// graphql-core 3.3, which knows fragment arguments, responds to both documents of each scenario
/// with the same values; `scripts/differential fragments` compares random ones.
@Suite struct FragmentArgumentScenarioTests {
  struct Scenario: Sendable, CustomTestStringConvertible {
    var name: String
    var document: String
    var sent: String

    init(_ name: String, _ document: String, _ sent: String) {
      (self.name, self.document, self.sent) = (name, document, sent)
    }

    var testDescription: String { name }
  }

  private static let sdl = """
    interface Node { id: ID! size(unit: Int): Int }
    type Item implements Node { id: ID! size(unit: Int): Int name(length: Int): String }
    type Other implements Node { id: ID! size(unit: Int): Int rank(of: Int): Int }
    input Filter { int: Int, list: [Int], inner: Filter, must: Int! = 1 }
    enum Kind { A B }
    scalar Any
    directive @note(text: Int) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    type Query {
      echo(
        int: Int, list: [Int], filter: Filter, text: String = "t", flag: Boolean, kind: Kind
        any: Any
      ): String
      must(int: Int!): String
      or(int: Int! = 5): String
      self(int: Int): Query
      nodes: [Node!]
    }
    type Mutation { set(int: Int): Query }
    """

  private func validated(
    _ text: String, _ sdl: String = sdl
  ) -> (result: ValidationResult, base: UInt32) {
    let schema = Schema.build([.sdl("schema", sdl)]).schema
    var document = Document(names: schema.names, sources: schema.document.sources)
    let errors = document.parse(
      Source(name: "test", text: text), options: ParserOptions(allowsFragmentArguments: true))
    #expect(errors.isEmpty, "\(errors)")
    let base = document.sources.span(ofSourceAt: document.sources.sources.count - 1).start
    return (validate(document, against: schema), base)
  }

  private static func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  static let scenarios: [Scenario] = [
    // Names of variables.
    Scenario(
      "an argument shadows a variable of the operation",
      """
      query($x: Int = 1) { a: echo(int: $x) ...F(x: 2) }
      fragment F($x: Int) on Query { echo(int: $x) }
      """,
      "query ($x: Int = 1) { a: echo(int: $x) ... on Query { echo(int: 2) } }"),
    Scenario(
      "a missing argument shadows it too",
      """
      query($x: Int = 1) { a: echo(int: $x) ...F }
      fragment F($x: Int) on Query { echo(int: $x) }
      """,
      "query ($x: Int = 1) { a: echo(int: $x) ... on Query { echo } }"),
    Scenario(
      "a missing argument leaves the default value of the field",
      """
      query($x: Int = 1) { a: echo(int: $x) ...F }
      fragment F($x: Int) on Query { or(int: $x) }
      """,
      "query ($x: Int = 1) { a: echo(int: $x) ... on Query { or } }"),
    Scenario(
      "a fragment between them that declares nothing uses the operation's",
      """
      query($x: Int = 1) { ...F(x: 2) }
      fragment F($x: Int) on Query { echo(int: $x) ...G }
      fragment G on Query { b: echo(int: $x) }
      """,
      """
      query ($x: Int = 1) { ... on Query { echo(int: 2) ...G } }
      fragment G on Query { b: echo(int: $x) }
      """),
    Scenario(
      "two fragments have a variable of one name",
      """
      { ...F(x: 1) }
      fragment F($x: Int!) on Query { ...G(x: 2) f: echo(int: $x) }
      fragment G($x: Int!) on Query { g: echo(int: $x) }
      """,
      "{ ... on Query { ... on Query { g: echo(int: 2) } f: echo(int: 1) } }"),
    Scenario(
      "a value is the variable of the same name around the spread",
      """
      query($x: Int) { ...F(x: $x) }
      fragment F($x: Int) on Query { echo(int: $x) ...G(x: $x) }
      fragment G($x: Int) on Query { g: echo(int: $x) }
      """,
      "query ($x: Int) { ... on Query { echo(int: $x) ... on Query { g: echo(int: $x) } } }"),
    Scenario(
      "variables change places",
      """
      query($a: Int, $b: Int) { ...F(a: $b, b: $a) }
      fragment F($a: Int, $b: Int) on Query { ...G(a: $b, b: $a) x: echo(int: $a) }
      fragment G($a: Int, $b: Int) on Query { y: echo(int: $a) z: echo(int: $b) }
      """,
      """
      query ($a: Int, $b: Int) { ... on Query { ... on Query { y: echo(int: $a) z: echo(int: $b) }
        x: echo(int: $b) } }
      """),
    // Default values and null.
    Scenario(
      "the default value is null",
      """
      { ...F }
      fragment F($x: Int = null) on Query { echo(int: $x) }
      """,
      "{ ... on Query { echo(int: null) } }"),
    Scenario(
      "null wins over the default value",
      """
      { ...F(x: null) }
      fragment F($x: Int = 3) on Query { echo(int: $x) }
      """,
      "{ ... on Query { echo(int: null) } }"),
    Scenario(
      "null is a value in a list and in an object",
      """
      { ...F(x: null) }
      fragment F($x: Int) on Query { echo(list: [$x], filter: {int: $x}) }
      """,
      "{ ... on Query { echo(list: [null], filter: {int: null}) } }"),
    Scenario(
      "a missing value is null in a list, and no field of an object",
      """
      { ...F }
      fragment F($x: Int) on Query { echo(list: [1, $x], filter: {int: $x}) }
      """,
      "{ ... on Query { echo(list: [1, null], filter: {}) } }"),
    Scenario(
      "a missing value leaves the default value of an input field",
      """
      { ...F }
      fragment F($x: Int) on Query { echo(filter: {int: 2, must: $x}) }
      """,
      "{ ... on Query { echo(filter: {int: 2}) } }"),
    Scenario(
      "the default value of one fragment is the argument of another",
      """
      { ...F }
      fragment F($a: Int! = 7) on Query { ...G(b: $a) }
      fragment G($b: Int!) on Query { must(int: $b) }
      """,
      "{ ... on Query { ... on Query { must(int: 7) } } }"),
    Scenario(
      "a missing value leaves the default value of the inner fragment",
      """
      { ...F }
      fragment F($a: Int) on Query { ...G(b: $a) }
      fragment G($b: Int = 9) on Query { echo(int: $b) }
      """,
      "{ ... on Query { ... on Query { echo(int: 9) } } }"),
    Scenario(
      "null leaves nothing of the default value of the inner fragment",
      """
      { ...F(a: null) }
      fragment F($a: Int) on Query { ...G(b: $a) }
      fragment G($b: Int = 9) on Query { echo(int: $b) }
      """,
      "{ ... on Query { ... on Query { echo(int: null) } } }"),
    Scenario(
      "a variable of the operation with a default value always has one",
      """
      query($v: Int = 4) { ...F(x: $v) }
      fragment F($x: Int! = 3) on Query { must(int: $x) }
      """,
      "query ($v: Int = 4) { ... on Query { must(int: $v) } }"),
    Scenario(
      "the default value of the operation's variable can be null",
      """
      query($v: Int = null) { ...F(x: $v) }
      fragment F($x: Int = 3) on Query { echo(int: $x) }
      """,
      "query ($v: Int = null) { ... on Query { echo(int: $v) } }"),
    Scenario(
      "the default value is an object",
      """
      { ...F }
      fragment F($f: Filter = {int: 1, inner: {list: [2]}}) on Query { echo(filter: $f) }
      """,
      "{ ... on Query { echo(filter: {int: 1, inner: {list: [2]}}) } }"),
    // Values.
    Scenario(
      "a list has variables of both kinds",
      """
      query($v: Int = 1) { ...F(x: 2) }
      fragment F($x: Int) on Query { ...G(list: [$x, 3]) a: echo(int: $x) }
      fragment G($list: [Int]) on Query { echo(list: $list) b: echo(list: [$v]) }
      """,
      """
      query ($v: Int = 1) { ... on Query { ... on Query { echo(list: [2, 3]) b: echo(list: [$v]) }
        a: echo(int: 2) } }
      """),
    Scenario(
      "a list of values that are missing",
      """
      query($v: Int = 1) { ...F(a: 2) }
      fragment F($a: Int, $b: Int) on Query { ...G(a: [$a, 3], b: [$b, $v]) }
      fragment G($a: [Int], $b: [Int], $c: Int) on Query { a: echo(list: $a) b: echo(list: $b) c:
        echo(list: [$c]) }
      """,
      """
      query ($v: Int = 1) { ... on Query { ... on Query { a: echo(list: [2, 3]) b: echo(list:
        [null, $v]) c: echo(list: [null]) } } }
      """),
    Scenario(
      "an object is a field of another",
      """
      query($v: Int) { ...F(f: {int: $v, list: [$v]}) }
      fragment F($f: Filter) on Query { echo(filter: {inner: $f}) }
      """,
      "query ($v: Int) { ... on Query { echo(filter: {inner: {int: $v, list: [$v]}}) } }"),
    Scenario(
      "one value is a list of one",
      """
      { ...F(list: 1) }
      fragment F($list: [Int]) on Query { echo(list: $list) }
      """,
      "{ ... on Query { echo(list: 1) } }"),
    Scenario(
      "enum values, strings and Booleans",
      #"""
      { ...F(k: B, s: "a\"\u00e9", b: false) }
      fragment F($k: Kind, $s: String, $b: Boolean) on Query { echo(kind: $k, text: $s, flag: $b) }
      """#,
      #"{ ... on Query { echo(kind: B, text: "a\"é", flag: false) } }"#),
    Scenario(
      "any value of a custom scalar",
      """
      query($v: Any) { ...F(a: {x: [1, {y: $v}], z: W}) }
      fragment F($a: Any) on Query { echo(any: $a) }
      """,
      "query ($v: Any) { ... on Query { echo(any: {x: [1, {y: $v}], z: W}) } }"),
    Scenario(
      "a value is used twice",
      """
      { ...F(x: 1) }
      fragment F($x: Int) on Query { echo(int: $x, list: [$x, $x]) b: self(int: $x) { echo(int: $x)
        } }
      """,
      "{ ... on Query { echo(int: 1, list: [1, 1]) b: self(int: 1) { echo(int: 1) } } }"),
    // Directives.
    Scenario(
      "on fields and inner fields",
      """
      { ...F(c: true) }
      fragment F($c: Boolean!) on Query { a: echo @skip(if: $c) self { echo @include(if: $c) } }
      """,
      "{ ... on Query { a: echo @skip(if: true) self { echo @include(if: true) } } }"),
    Scenario(
      "on an inline fragment with a variable of the operation",
      """
      query($v: Boolean!) { ...F(c: $v) }
      fragment F($c: Boolean!) on Query { ... @include(if: $c) { echo } }
      """,
      "query ($v: Boolean!) { ... on Query { ... @include(if: $v) { echo } } }"),
    Scenario(
      "on the spread itself",
      """
      query($v: Boolean!) { ...F(x: 1) @include(if: $v) @skip(if: false) }
      fragment F($x: Int) on Query { echo(int: $x) }
      """,
      "query ($v: Boolean!) { ... on Query @include(if: $v) @skip(if: false) { echo(int: 1) } }"),
    Scenario(
      "on a spread in a fragment with variables",
      """
      { ...F(c: false) }
      fragment F($c: Boolean!) on Query { ...G(x: 1) @skip(if: $c) ...H @include(if: $c) }
      fragment G($x: Int) on Query { echo(int: $x) }
      fragment H on Query { h: echo }
      """,
      """
      { ... on Query { ... on Query @skip(if: false) { echo(int: 1) } ...H @include(if: false) } }
      fragment H on Query { h: echo }
      """),
    Scenario(
      "a missing value leaves the default value of the directive's argument",
      """
      query($c: Int = 4) { a: echo(int: $c) ...F }
      fragment F($c: Int) on Query { echo @note(text: $c) }
      """,
      "query ($c: Int = 4) { a: echo(int: $c) ... on Query { echo @note } }"),
    Scenario(
      "a condition has a default value",
      """
      { ...F ...G(c: false) }
      fragment F($c: Boolean = true) on Query { a: echo @include(if: $c) }
      fragment G($c: Boolean = true) on Query { b: echo @include(if: $c) }
      """,
      """
      { ... on Query { a: echo @include(if: true) } ... on Query { b: echo @include(if: false) } }
      """),
    // Selections.
    Scenario(
      "one fragment has different values at different places",
      """
      query($x: Int = 1) { a: self { ...F(x: 2) } b: self { ...F(x: 3, c: true) } c: self { ...F(x:
        $x) } }
      fragment F($x: Int, $c: Boolean = false) on Query { echo(int: $x) @skip(if: $c) b: echo(int:
        $x) @include(if: $c) }
      """,
      """
      query ($x: Int = 1) { a: self { ... on Query { echo(int: 2) @skip(if: false) b: echo(int: 2)
        @include(if: false) } } b: self { ... on Query { echo(int: 3) @skip(if: true) b: echo(int:
        3) @include(if: true) } } c: self { ... on Query { echo(int: $x) @skip(if: false) b:
        echo(int: $x) @include(if: false) } } }
      """),
    Scenario(
      "one fragment has the same values twice at one place",
      """
      { ...F(x: 1) ...F(x: 1) echo(int: 1) }
      fragment F($x: Int) on Query { echo(int: $x) }
      """,
      "{ ... on Query { echo(int: 1) } ... on Query { echo(int: 1) } echo(int: 1) }"),
    Scenario(
      "the type of the fragment is an object of the interface",
      """
      { nodes { id ...I(n: 2) } }
      fragment I($n: Int) on Item { name(length: $n) }
      """,
      "{ nodes { id ... on Item { name(length: 2) } } }"),
    Scenario(
      "objects of different types have different values",
      """
      { nodes { ...I(u: 1) ...O(u: 2) } }
      fragment I($u: Int) on Item { size(unit: $u) }
      fragment O($u: Int) on Other { size(unit: $u) }
      """,
      "{ nodes { ... on Item { size(unit: 1) } ... on Other { size(unit: 2) } } }"),
    Scenario(
      "a fragment without variables has the spread",
      """
      { ...G ...H }
      fragment G on Query { ...F(x: 1) }
      fragment H on Query { self { ...F(x: 2) } }
      fragment F($x: Int) on Query { echo(int: $x) }
      """,
      """
      { ...G ...H }
      fragment G on Query { ... on Query { echo(int: 1) } }
      fragment H on Query { self { ... on Query { echo(int: 2) } } }
      """),
    Scenario(
      "a variable of the operation is used only by an argument",
      """
      query($v: [Int!]!) { ...F(l: $v) }
      fragment F($l: [Int]) on Query { self { self { echo(list: $l) } } }
      """,
      "query ($v: [Int!]!) { ... on Query { self { self { echo(list: $v) } } } }"),
    Scenario(
      "a mutation",
      """
      mutation($v: Int) { ...F(x: $v) }
      fragment F($x: Int) on Mutation { set(int: $x) { ...G(x: $x) } }
      fragment G($x: Int) on Query { echo(int: $x) }
      """,
      """
      mutation ($v: Int) { ... on Mutation { set(int: $v) { ... on Query { echo(int: $v) } } } }
      """),
    Scenario(
      "two operations share a fragment",
      """
      query A($v: Int) { ...F(x: $v) }
      query B($v: Int!) { ...F(x: $v) b: self { ...F } }
      fragment F($x: Int) on Query { echo(int: $x) }
      """,
      """
      query A($v: Int) { ... on Query { echo(int: $v) } }
      query B($v: Int!) { ... on Query { echo(int: $v) } b: self { ... on Query { echo } } }
      """),
    Scenario(
      "a fragment has variables and no spread gives them values",
      """
      { a: self { ...F } b: self { ...F } }
      fragment F($x: Int, $y: Int = 2) on Query { echo(int: $x) must(int: $y) }
      """,
      """
      { a: self { ... on Query { echo must(int: 2) } } b: self { ... on Query { echo must(int: 2) }
        } }
      """),
  ]

  @Test(arguments: scenarios) func sends(_ scenario: Scenario) throws {
    let (result, _) = validated(scenario.document)
    #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map(\.message))")
    let sent = try #require(result.document).document.printed()
    #expect(Self.words(sent) == Self.words(scenario.sent))
  }

  static let errors: [(String, String)] = [
    (
      """
      { nodes { ... on Item { ...S(u: 1) } ... on Other { ...S(u: 2) } } }
      fragment S($u: Int) on Node { 1️⃣size(unit: $u) }
      """,
      "OverlappingFieldsCanBeMerged: Fields \"size\" conflict because they have differing "
        + "arguments. Use different aliases on the fields to fetch both if this was intentional."
    ),
    (
      "{ self { ...F(x: 1) } ...G } "
        + "fragment G on Query { self { ...F(x: 2) } } fragment F($x: Int) on Query { 1️⃣echo(int: $x) }",
      "OverlappingFieldsCanBeMerged: Fields \"self\" conflict because subfields \"echo\" conflict "
        + "because they have differing arguments. Use different aliases on the fields to fetch both "
        + "if this was intentional."
    ),
    (
      "query(1️⃣$x: Int) { ...F(x: 2) } fragment F($x: Int) on Query { echo(int: $x) }",
      "NoUnusedVariables: Variable \"$x\" is never used."
    ),
    (
      "query(1️⃣$v: Int) { ...F(x: $v) } fragment F($x: Int! = 3) on Query { must(int: $x) }",
      "VariablesInAllowedPosition: Variable \"$v\" of type \"Int\" used in position expecting type "
        + "\"Int!\"."
    ),
    (
      "query(1️⃣$v: Int = null) { ...F(x: $v) } fragment F($x: Int! = 3) on Query { must(int: $x) }",
      "VariablesInAllowedPosition: Variable \"$v\" of type \"Int\" used in position expecting type "
        + "\"Int!\"."
    ),
    (
      "query(1️⃣$v: Int) { ...F(list: $v) } fragment F($list: [Int]) on Query { echo(list: $list) }",
      "VariablesInAllowedPosition: Variable \"$v\" of type \"Int\" used in position expecting type "
        + "\"[Int]\"."
    ),
    (
      "{ ...F(c: 1️⃣null) } fragment F($c: Boolean = true) on Query { echo @include(if: $c) }",
      "ValuesOfCorrectType: Expected value of type \"Boolean!\", found null."
    ),
    (
      "{ ...F(f: {1️⃣unknown: 1}) } fragment F($f: Filter) on Query { echo(filter: $f) }",
      "ValuesOfCorrectType: Field \"unknown\" is not defined by type \"Filter\"."
    ),
    (
      "{ ...F(k: 1️⃣C) } fragment F($k: Kind) on Query { echo(kind: $k) }",
      "ValuesOfCorrectType: Value \"C\" does not exist in \"Kind\" enum. Did you mean the enum value "
        + "\"A\" or \"B\"?"
    ),
    (
      "{ ...F(x: 1) } fragment F($x: Int) on Query { echo(int: $x) 1️⃣...G(x: 1) } "
        + "fragment G($x: Int) on Query { g: echo(int: $x) ...F(x: 2) }",
      "NoFragmentCycles: Cannot spread fragment \"F\" within itself via \"G\"."
    ),
    (
      "{ ...F(x: 1) } fragment F($x: Int) on Query { echo(int: $x) 1️⃣...G } "
        + "fragment G on Query { ...F(x: 2) }",
      "NoFragmentCycles: Cannot spread fragment \"F\" within itself via \"G\"."
    ),
    (
      "{ ...1️⃣Missing(x: 1) }",
      "KnownFragmentNames: Unknown fragment \"Missing\"."
    ),
    (
      "{ echo } 1️⃣fragment F($x: Int) on Query { echo(int: $x) }",
      "NoUnusedFragments: Fragment \"F\" is never used."
    ),
    (
      "{ ...F } fragment F($a: Int) on Query { echo(int: $a) 1️⃣...G } "
        + "fragment G($b: Int!) on Query { must(int: $b) }",
      "ProvidedRequiredArguments: Fragment \"G\" argument \"b\" of type \"Int!\" is required, but it "
        + "was not provided."
    ),
    (
      "{ ...F(x: 1) 1️⃣@unknown } fragment F($x: Int) on Query { echo(int: $x) }",
      "KnownDirectives: Unknown directive \"@unknown\"."
    ),
  ]

  @Test(arguments: errors) func reports(_ marked: String, _ expected: String) {
    let text = MarkedText(marked)
    let (result, base) = validated(text.text)
    #expect(result.diagnostics.map { "\($0.rule.rawValue): \($0.message)" } == [expected])
    #expect(result.document == nil)
    let spans = result.diagnostics.flatMap { [$0.span].compactMap { $0 } + $0.notes.map(\.span) }
    #expect(spans.contains { text.marker(at: $0.start - base) == "1️⃣" })
  }

  /// Relay's directives for the same purpose are those of the schema, or unknown ones, as before.
  @Test func leavesTheDirectivesOfRelayAlone() throws {
    let text = """
      { ...F @arguments(size: 1) }
      fragment F on Query @argumentDefinitions(size: {type: "Int"}) { echo }
      """
    #expect(
      validated(text).result.diagnostics.map(\.message) == [
        "Unknown directive \"@arguments\".", "Unknown directive \"@argumentDefinitions\".",
      ])
    let definitions = """

      directive @arguments(size: Any) on FRAGMENT_SPREAD
      directive @argumentDefinitions(size: Any) on FRAGMENT_DEFINITION
      """
    let (result, _) = validated(text, Self.sdl + definitions)
    #expect(result.diagnostics.isEmpty)
    let sent = try #require(result.document).document.printed()
    #expect(Self.words(sent) == Self.words(text))
  }

  /// Without an argument or a variable of a fragment, the option changes nothing.
  @Test func leavesOtherDocumentsAlone() throws {
    let text = "query A($x: Int) { ...F } fragment F on Query @own { echo(int: $x) }"
    let (result, _) = validated(text, Self.sdl + "\ndirective @own on FRAGMENT_DEFINITION")
    #expect(Self.words(try #require(result.document).document.printed()) == text)
  }
}
