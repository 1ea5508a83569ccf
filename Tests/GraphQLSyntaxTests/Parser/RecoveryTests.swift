import CorpusSupport
import Testing

@testable import GraphQLSyntax

struct RecoveryTests {
  struct Example: Sendable {
    var text: MarkedText
    /// The names of the remaining definitions.
    var definitions: [String]

    init(_ text: MarkedText, _ definitions: [String]) {
      self.text = text
      self.definitions = definitions
    }
  }

  static let examples = [
    Example("type A { a: 1️⃣} type B { b: Int } type C 2️⃣= D type E", ["B", "C", "E"]),
    Example("query A { a( 1️⃣) { b { c } } } query B { b } { c }", ["B", "?"]),
    Example("{ a(b: 1️⃣) } { b }", ["?"]),
    Example("type A {\n  a: Int\n\ntype 1️⃣B { b: Int }\ntype C", ["B", "C"]),
    Example("enum A { A\nenum B 1️⃣{ C }", ["B"]),
    Example("type A {\n  type: String\n  query: 1️⃣!\n  input: Int\n}\ntype C", ["C"]),
    Example("type A {\ninput: 1️⃣!\ntype: Int\n}\ntype C", ["C"]),
    Example("1️⃣foo bar baz type A", ["A"]),
    Example("type A @ 1️⃣\"x\" \"y\" type B", ["B"]),
    Example("type A { 1️⃣} \"\"\"b\"\"\" type B", ["B"]),
    Example("type A { a: 1️⃣' } type B { b: \"2️⃣\n } type C", ["C"]),
    Example("1️⃣} type A", ["A"]),
    Example("fragment 1️⃣on on A { a } fragment B on C { d }", ["B"]),
    Example("enum A { 1️⃣true } extend enum B { C }", ["B"]),
    Example("query A($a: Int = 1️⃣$b) { a } query B { a }", ["B"]),
    Example("type A { a: [Int 1️⃣} type B { b: Int }", ["B"]),
    Example("1️⃣\"a\" { b(2️⃣) } type B", ["B"]),
  ]

  @Test(arguments: examples.indices)
  func reportsEachDefinitionWithAnError(_ index: Int) {
    let example = Self.examples[index]
    let (document, diagnostics) = Document.parsing(example.text.text)
    let markers = diagnostics.map { example.text.marker(at: $0.span?.start) }
    #expect(markers == example.text.markers, "\(diagnostics)")
    #expect(document.names(ofDefinitions: ()) == example.definitions)
  }

  @Test func removesAllNodesOfAnAbandonedDefinition() {
    let text = """
      type A implements B @c(d: [1, {e: 2}]) { f(g: Int = 1): Int }
      query H($i: Int) { j(k: [1]) { ...L ... @m { n } } !
      enum O { P } union Q = R !
      """
    let (document, _) = Document.parsing(text + "\nextend schema { query: S ")
    #expect(document.operations.isEmpty)
    #expect(document.fields.isEmpty && document.selections.isEmpty)
    #expect(document.fragmentSpreads.isEmpty && document.inlineFragments.isEmpty)
    #expect(document.variableDefinitions.isEmpty && document.rootOperationTypes.isEmpty)
    #expect(document.values.count == 2 && document.objectFields.count == 1)
    #expect(document.nameList.map { document.spelling($0) } == ["B", "R"])
  }

  @Test func stopsAtTheErrorLimit() {
    let text = String(repeating: "type ! ", count: 20)
    let diagnostics = Document.parsing(text, options: ParserOptions(errorLimit: 5)).diagnostics
    #expect(diagnostics.count == 6)
    #expect(
      diagnostics.last?.message
        == "Syntax Error: More than 5 syntax errors; the rest is not checked.")
  }
}

extension Document {
  /// Returns the name of each definition, or `?` for those without one.
  fileprivate func names(ofDefinitions: Void) -> [String] {
    definitions.map { definition in
      switch definition {
      case .operation(let id): self[id].name.map { spelling($0) } ?? "?"
      case .fragment(let id): spelling(self[id].name)
      case .schema: "schema"
      case .type(let id): spelling(self[id].name)
      case .directive(let id): spelling(self[id].name)
      }
    }
  }
}
