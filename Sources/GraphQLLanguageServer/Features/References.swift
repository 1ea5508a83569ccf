import GraphQLSchema
import GraphQLSyntax

/// `textDocument/references`: the names with the meaning of the one under the cursor, in the
/// operations and in the schema.
enum References {
  static func references(
    _ request: FeatureRequest, at position: TextPosition, withDefinition: Bool
  ) -> JSONOutput {
    guard let found = occurrences(request, at: position) else { return .null }
    var texts = FileTexts(request.workspace)
    let locations = found.occurrences.filter { withDefinition || !$0.isDefinition }.compactMap {
      texts.location(of: FilePart($0.span, in: found.sources), in: request.project)
    }
    return .array(locations.map(\.json))
  }

  /// Returns the occurrences of the element under the cursor, the one there included.
  static func occurrences(
    _ request: FeatureRequest, at position: TextPosition
  ) -> (meaning: Meaning, occurrences: [Occurrence], sources: SourceMap)? {
    let text = request.text
    guard let here = text.occurrence(at: request.offset(of: position)) else { return nil }
    let part = FilePart(here.span, in: text.document.sources)
    let whole = request.operations
    var found: [Occurrence]
    switch here.meaning {
    case .variable(let name):
      guard let span = whole.span(of: part) else { return nil }
      found = VariableScope(name, usedAt: span, in: whole).occurrences
    case .alias:
      guard let span = whole.span(of: part) else { return nil }
      found = [Occurrence(meaning: here.meaning, span: span, isDefinition: true)]
    case .fragment, .operation:
      found = whole.occurrences.filter { $0.meaning == here.meaning }
    case .type, .field, .inputValue, .enumValue, .directive:
      found = whole.occurrences.filter { $0.meaning == here.meaning }
      var search = OccurrenceSearch(whole.schema.document, whole.schema)
      for definition in whole.schema.document.definitions { search.visit(definition) }
      found = search.occurrences.filter { $0.meaning == here.meaning } + found
    }
    return (here.meaning, found, whole.document.sources)
  }
}
