import Testing

@testable import GraphQLSyntax

/// Runs the examples in the documentation of the module.
struct DocumentationExampleTests {
  @Test func parsesAndRendersDiagnostics() {
    let source = Source(name: "Hero.graphql", text: "query Hero { hero { name } }")
    var document = Document()
    let diagnostics = document.parse(source)
    #expect(DiagnosticFormat.text.render(diagnostics, in: document.sources) == "")

    var other = Document()
    let errors = other.parse(Source(name: "Hero.graphql", text: "{ hero { } }"))
    #expect(
      DiagnosticFormat.text.render(errors, in: other.sources) == """
        Hero.graphql:1:10: error: Syntax Error: Expected Name, found "}". [Syntax]
           1 | { hero { } }
             |          ^

        """)
  }

  @Test func locatesDiagnostics() throws {
    let (document, diagnostics) = Document.parsing("{\n  hero(\n}")
    var locations = LocationTable(document.sources)
    let span = try #require(diagnostics.first?.span)
    let location = locations.location(of: span.start)
    #expect("\(location.line):\(location.column)" == "3:1")
  }

  @Test func printsAndFormats() {
    let (document, _) = Document.parsing("query Hero{hero{name}}")
    #expect(document.printed() == "query Hero {\n  hero {\n    name\n  }\n}")
    let source = Source(name: "Hero.graphql", text: "query Hero{hero{name}}")
    let (formatted, diagnostics) = source.formatted()
    #expect(formatted != source.text && diagnostics.isEmpty)
  }

  @Test func internsNames() {
    var names = NameTable()
    let hero = names.intern("hero")
    #expect(names.symbol(for: "hero") == hero)
    #expect(names[hero] == "hero")
  }

  @Test func wrapsTypes() {
    let wrapping = TypeWrapping.named.nonNull.list
    #expect(wrapping.isList)
    #expect(wrapping.item == .named.nonNull)
  }

  @Test func parsesCoordinates() {
    let source = Source(name: "coordinate", text: "Hero.friends(first:)")
    let (coordinate, diagnostics) = SchemaCoordinate.parsing(source)
    #expect(coordinate == .argument(type: "Hero", field: "friends", name: "first"))
    #expect(diagnostics.isEmpty)
  }
}
