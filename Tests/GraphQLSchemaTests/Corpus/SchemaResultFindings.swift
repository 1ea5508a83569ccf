import CorpusSupport
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

extension SchemaResult {
  /// Returns the diagnostics that satisfy `isIncluded`, in the form of a corpus.
  ///
  /// - Parameters:
  ///   - hasRule: Whether the corpus names the rules.
  ///   - isIncluded: Returns whether to include a diagnostic.
  /// - Returns: The errors, in the order of the diagnostics.
  func findings(
    hasRule: Bool, where isIncluded: (Diagnostic) -> Bool = { _ in true }
  ) -> [CorpusError] {
    var table = LocationTable(schema.document.sources)
    return diagnostics.filter(isIncluded).map { diagnostic in
      let spans = [diagnostic.span].compactMap { $0 } + diagnostic.notes.map(\.span)
      return CorpusError(
        rule: hasRule ? diagnostic.rule.rawValue : "", message: diagnostic.message,
        locations: spans.map { CorpusError.Location($0, in: &table) })
    }
  }
}

extension CorpusError.Location {
  /// Creates the location of the start of `span`. The main source is named `sdl`.
  fileprivate init(_ span: SourceSpan, in table: inout LocationTable) {
    let location = table.location(of: span.start)
    let source = table.map.sources[location.source].name
    self.init(
      line: location.line, column: location.column, source: source == "sdl" ? nil : source)
  }
}

extension SchemaInput {
  /// Returns an input with the SDL `text`, in a source named `name`.
  static func sdl(_ name: String, _ text: String) -> SchemaInput {
    .sdl(Source(name: name, text: text))
  }
}
