import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Runs the examples in the documentation of the module.
@Suite struct DocumentationExampleTests {
  @Test func validatesAndRendersDiagnostics() throws {
    let sdl = "type Query { hero: Hero } type Hero { name: String }"
    let schema = Schema.build([.sdl(Source(name: "schema.graphqls", text: sdl))]).schema
    var document = Document(names: schema.names, sources: schema.document.sources)
    var diagnostics = document.parse(Source(name: "Hero.graphql", text: "{ hero { name } }"))
    let result = validate(document, against: schema)
    diagnostics += result.diagnostics
    #expect(DiagnosticFormat.text.render(diagnostics, in: document.sources).isEmpty)

    let valid = try #require(result.document)
    let used = valid.document.operations.indices.map { index in
      valid.coordinates(usedBy: OperationDefinition.ID(rawValue: UInt32(index)))
    }
    #expect(used == [["Query", "Query.hero", "Hero", "Hero.name", "String"]])
  }

  @Test func configuresSeverities() {
    let configuration = ValidationConfiguration(severities: [
      .noUnusedFragments: .off, .noDeprecated: .warning,
    ])
    #expect(configuration.severity(of: .noUnusedFragments) == .off)
    #expect(configuration.severity(of: .fieldsOnCorrectType) == .error)
    #expect(configuration.severity(of: .noSchemaIntrospection) == .off)
  }
}
