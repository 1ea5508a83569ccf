import CorpusSupport
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Validates our own documents, which cover every rule, against a schema of a library.
@Suite struct DocumentTests {
  private static let files = [
    "fields.cases", "directives.cases", "fragments.cases", "variables.cases", "values.cases",
    "operations.cases", "merging.cases",
  ]

  @Test(arguments: files.flatMap { DocumentCase.cases(in: $0) })
  func findsTheExpectedProblems(_ item: DocumentCase) {
    let found = errors(in: item.text, against: Self.schema, ValidationConfiguration()).map {
      DocumentCase.line(rule: $0.rule, locations: $0.locations, message: $0.message)
    }
    #expect(found.sorted() == item.diagnostics)
  }

  @Test(arguments: files.flatMap { DocumentCase.cases(in: $0) }.filter(\.isValid))
  func aValidDocumentIsStillValidAfterPrinting(_ item: DocumentCase) {
    var document = Document(names: Self.schema.names)
    #expect(document.parse(Source(name: "document", text: item.text)).isEmpty)
    let printed = document.printed()
    #expect(errors(in: printed, against: Self.schema, ValidationConfiguration()).isEmpty)
  }

  private static let schema: Schema = {
    let text = DocumentCase.text(of: "schema.graphqls")
    let result = Schema.build([.sdl(Source(name: "schema", text: text))])
    precondition(result.diagnostics.isEmpty, "The schema of the tests is invalid.")
    return result.schema
  }()
}
