import CorpusSupport
import Testing

@testable import GraphQLSyntax

/// Tests that parsing resumes at the next item of a list after an error.
struct ListRecoveryTests {
  /// Definitions with a marker at each error.
  static let examples: [MarkedText] = [
    // The lists of type system definitions.
    """
    type A {
      a: 1️⃣!
      b: Int
      c 2️⃣Int
      d(e: Int, f: 3️⃣): Int
      "g" g: Int @4️⃣(h: 1)
    }
    """,
    "interface A { a: 1️⃣1 b: Int c: [2️⃣] }",
    """
    input A {
      a: Int = 1️⃣)
      b: Int = {c: 2️⃣!, d: ]}
      e: Int = 3️⃣$f
      g: [Int
      4️⃣h: Int
    }
    """,
    """
    enum A {
      B 1️⃣= 1
      2️⃣true
      C @d(e: 3️⃣)
      "F" 4️⃣"F"
      G
    }
    """,
    "enum A { 1️⃣true 2️⃣false B 3️⃣null }",
    """
    schema {
      query 1️⃣A
      2️⃣mutations: B
      subscription: 3️⃣4
    }
    """,
    "directive @a(b: 1️⃣!, c: Int = 2️⃣@) on 3️⃣FIELDS | QUERY | 4️⃣ANYWHERE",
    // The lists of executable definitions.
    """
    query A($b: Int = 1️⃣$c, $d: , 2️⃣$e 3️⃣Int, f: Int) {
      g(h: 4️⃣!, i: 1, j 5️⃣2)
      k: 6️⃣1
      l {
        m(n: [1, {o: 7️⃣]})
        ... on 8️⃣{ p }
      }
      q
    }
    """,
    "{ a(b: \"1️⃣\\x\", c: \"2️⃣\\y\") }",
  ]

  @Test(arguments: examples)
  func reportsTheFirstErrorOfEachItem(_ text: MarkedText) {
    let (document, diagnostics) = Document.parsing(text.text + "\ntype Next { a: Int }")
    #expect(text.markers(at: diagnostics) == text.markers, "\(diagnostics)")
    #expect(document.types.map { document.spelling($0.name) } == ["Next"])
    #expect(document.definitions.count == 1, "What has errors is left out.")
  }

  @Test(arguments: [
    // All text after the error is affected by it.
    "type A { \"a\"1️⃣: Int, \"b\": String }",
    "type A {\n  \"a\"1️⃣: Int,\n  \"b\": String\n}",
    "{ a(b: 1️⃣) { c(d: 1) { e } } }",
    "{ a { b { c ( 1️⃣} } }",
    "query A { a(b: {c: [1, 2, 1️⃣}) }",
    "query A($a: 1️⃣{b: [Int]}) { c }",
    "input A { b: C = {d: {e: 1️⃣}, f: 1} g: Int }",
    "type A {\n  c: D @e(f: \"1️⃣\n  g: Int\n}",
    "{ a 1️⃣'b' 'c' \"d\" 1.5 [ ] }",
  ])
  func doesNotReportConsequentialErrors(_ text: MarkedText) {
    let (_, diagnostics) = Document.parsing(text.text)
    #expect(text.markers(at: diagnostics) == ["1️⃣"], "\(diagnostics)")
  }

  @Test(
    arguments: [
      // A closing bracket is missing, and indentation shows its position.
      ("type A {\n  a(b: Int\n  c: Int\n1️⃣}\ntype B { a: Int }", ["B"]),
      ("type A {\n  a(\n    b: 1️⃣!\n  c: 2️⃣!\n}\ntype B { a: Int }", ["B"]),
      ("type A {\n  a: 1️⃣!\n  b: Int\ntype 2️⃣B {\n  c: Int\n}\n", ["B"]),
      ("type A {\n  a: 1️⃣!\n  b: Int\n\"B\"\ntype 2️⃣B {\n  c: Int\n}\n", ["B"]),
      ("input A {\n  a: Int = {\n  b: Int\n  c: 1️⃣!\n  d: 2️⃣!\n}\ntype B { a: Int }", ["B"]),
      ("{\n  a {\n    b(c: 1️⃣!\n  }\n  d(2️⃣)\n}\ntype B { a: Int }", ["B"]),
      ("{ a(b: [1 1️⃣) c(d: 2️⃣) }\ntype B { a: Int }", ["B"]),
      ("{ a(b: 1️⃣]) c }\ntype B { a: Int }", ["B"]),
      ("type A {\n  a: Int 1️⃣)\n  b: 2️⃣!\n}\ntype B { a: Int }", ["B"]),
    ] as [(MarkedText, [String])])
  func recoversFromAMissingBracket(_ text: MarkedText, types: [String]) {
    let (document, diagnostics) = Document.parsing(text.text)
    #expect(text.markers(at: diagnostics) == text.markers, "\(diagnostics)")
    #expect(document.types.map { document.spelling($0.name) } == types)
  }

  @Test func reportsExcessiveNestingOnce() {
    let deep = String(repeating: "{ a\n", count: 600) + String(repeating: "}\n", count: 600)
    let diagnostics = Document.parsing("query A \(deep) query B { a( }").diagnostics
    #expect(
      diagnostics.map(\.message) == [
        "Syntax Error: Nested more than 500 levels deep; make the document flatter.",
        "Syntax Error: Expected Name, found \"}\".",
      ])
  }

  @Test func stopsAtTheErrorLimitWithinADefinition() {
    let text = "type A {\n" + String(repeating: "  a: !\n", count: 20) + "}"
    let diagnostics = Document.parsing(text, options: ParserOptions(errorLimit: 5)).diagnostics
    #expect(diagnostics.count == 6)
    #expect(
      diagnostics.last?.message
        == "Syntax Error: More than 5 syntax errors; the rest is not checked.")
  }
}

extension MarkedText {
  /// Returns the markers of the diagnostics.
  fileprivate func markers(at diagnostics: [Diagnostic]) -> [String] {
    diagnostics.map { marker(at: $0.span?.start) }
  }
}
