import Testing

@testable import GraphQLSyntax

struct DocumentTests {
  @Test func givesEachSourceItsOwnOffsets() throws {
    var document = Document()
    #expect(document.parse(Source(name: "a", text: "type A {\n  \"é\" a: Int\n}")).isEmpty)
    #expect(document.parse(Source(name: "b", text: "\r\ntype B\rtype C\r\n  type D")).isEmpty)
    #expect(document.types.map { document.spelling($0.name) } == ["A", "B", "C", "D"])
    #expect(
      document.types.map { document.location(of: $0.name.span) } == [
        GraphQLSyntax.SourceLocation(source: 0, line: 1, column: 6),
        GraphQLSyntax.SourceLocation(source: 1, line: 2, column: 6),
        GraphQLSyntax.SourceLocation(source: 1, line: 3, column: 6),
        GraphQLSyntax.SourceLocation(source: 1, line: 4, column: 8),
      ])
    let field = try #require(document.fieldDefinitions.first)
    #expect(
      document.location(of: field.type.span)
        == GraphQLSyntax.SourceLocation(source: 0, line: 2, column: 10))
    #expect(document.types.last.map { document.text(of: $0.span) } == "type D")
  }

  @Test func countsLinesAndColumnsFromTheOriginOfASource() {
    let origin = Source.Origin(line: 10, column: 5)
    let source = Source(name: "a", text: "type A\ntype ?", origin: origin)
    var document = Document()
    let diagnostics = document.parse(source)
    #expect(document.location(of: document.types[0].name.span).column == 10)
    #expect(document.location(of: document.types[0].name.span).line == 10)
    #expect(
      diagnostics.first?.span.map { document.location(of: $0) }
        == GraphQLSyntax.SourceLocation(source: 0, line: 11, column: 6))
  }

  @Test func continuesTheNamesAndOffsetsOfAnotherDocument() {
    let schema = Document.parsing("type Hero").document
    var document = Document(names: schema.names, sources: schema.sources)
    #expect(document.parse(Source(name: "b", text: "{ Hero }")).isEmpty)
    #expect(document.fields[0].name.symbol == schema.types[0].name.symbol)
    #expect(document.fields[0].name.span.start > schema.types[0].name.span.end)
    #expect(document.types.isEmpty)
  }

  @Test func givesEveryNodeItsSpan() throws {
    let text = """
      "d" query Q("e" $a: [Int!] = [1] @x) @y { b: c(d: {e: $a}) { ...F @z } ... on T { u } }
      """
    let (document, diagnostics) = Document.parsing(text)
    try #require(diagnostics.isEmpty)
    func written(_ nodes: [some Node]) -> [String] { nodes.map { document.text(of: $0.span) } }
    #expect(written(document.operations) == [text])
    #expect(written(document.variableDefinitions) == ["\"e\" $a: [Int!] = [1] @x"])
    #expect(document.text(of: document.variableDefinitions[0].variableSpan) == "$a")
    #expect(document.text(of: document.variableDefinitions[0].type.span) == "[Int!]")
    #expect(written(document.fields) == ["b: c(d: {e: $a}) { ...F @z }", "u"])
    #expect(written(document.fragmentSpreads) == ["...F @z"])
    #expect(written(document.inlineFragments) == ["... on T { u }"])
    #expect(written(document.arguments) == ["d: {e: $a}"])
    #expect(written(document.objectFields) == ["e: $a"])
    #expect(written(document.directives) == ["@x", "@y", "@z"])
    #expect(document.fields[0].responseName == document.fields[0].alias?.symbol)
  }

  @Test func storesEachListContiguouslyAndInOrder() {
    let text = "{ a { b { c d } e } f(x: [[1, 2], [3]], y: {p: {q: 1}, r: 2}) }"
    let document = Document.parsing(text).document
    func names(_ set: SelectionSet) -> [String] {
      document[set.selections].map { selection in
        guard case .field(let id) = selection else { return "?" }
        let inner = document[id].selectionSet.map { names($0).joined(separator: " ") }
        return document.spelling(document[id].name) + (inner.map { "{\($0)}" } ?? "")
      }
    }
    #expect(names(document.operations[0].selectionSet) == ["a{b{c d} e}", "f"])
    #expect(document.fields.map { document.spelling($0.name) } == ["a", "b", "c", "d", "e", "f"])
    #expect(document.printed(document.arguments[0].value) == "[[1, 2], [3]]")
    #expect(document.printed(document.arguments[1].value) == "{p: {q: 1}, r: 2}")
  }

  @Test func parsesPrintedDocumentsToTheSameDefinitions() {
    let text = """
      "d" schema @a { query: Q } extend schema @a "d" scalar S @a extend scalar S @a
      type T implements I & J @a { "d" f("d" g: [Int!]! = [1] @a): T! @a } extend type T @a
      interface I implements J { f: Int } union U @a = | A | B enum E @a { "d" A @a }
      input I @a { "d" a: Int = 1 @a } \"\"\"d\"\"\" directive @d("d" a: Int) repeatable on | FIELD | QUERY
      "d" query Q("d" $a: Int) @a { a } subscription { ...F ... @a { b } }
      "d" fragment F on T @a { c(a: \"\"\"x\"\"\", b: null, c: true, d: E, e: 1.5e3, f: "\\u{1F600}") }
      """
    for style in PrinterStyle.allCases {
      let (first, diagnostics) = Document.parsing(text)
      #expect(diagnostics.isEmpty)
      let printed = first.printed(style)
      let (second, more) = Document.parsing(printed)
      #expect(more.isEmpty)
      #expect(second.printed(style) == printed)
      #expect(second.definitions.count == first.definitions.count)
    }
  }

  @Test func comparesTypesByTheirWrapping() {
    let document = Document.parsing("type A { a: [Int!]! b: [ Int ! ] ! c: [Int]! d: Int }")
      .document
    let types = document.fieldDefinitions.map(\.type)
    #expect(types[0].wrapping == types[1].wrapping)
    #expect(types[0].wrapping != types[2].wrapping)
    #expect(types[0].wrapping.isNonNull && types[0].wrapping.isList)
    #expect(types[0].wrapping.item?.description(of: "Int") == "Int!")
    #expect(types[2].wrapping.nullable == TypeWrapping.named.list)
    #expect(types[3].wrapping.item == nil)
  }
}
