import CorpusSupport
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Parses and validates `text`, and returns all errors in the form of a corpus.
func errors(
  in text: String, against schema: Schema, _ configuration: ValidationConfiguration
) -> [CorpusError] {
  var document = Document(names: schema.names)
  var diagnostics = document.parse(Source(name: "document", text: text))
  diagnostics += validate(document, against: schema, configuration: configuration).diagnostics
  var table = LocationTable(document.sources)
  return diagnostics.map { diagnostic in
    let spans = [diagnostic.span].compactMap { $0 } + diagnostic.notes.map(\.span)
    return CorpusError(
      rule: diagnostic.rule.rawValue, message: diagnostic.message,
      locations: spans.map {
        let location = table.location(of: $0.start)
        return CorpusError.Location(line: location.line, column: location.column)
      })
  }
}
