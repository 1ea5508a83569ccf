import CorpusSupport
import GraphQLSchema
import GraphQLSyntax

extension SchemaResult {
  /// The diagnostics that `isIncluded`, as a corpus states them.
  ///
  /// `hasRule` says whether the corpus names rules.
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
  /// Where `span` begins. What is called "sdl" is the main source.
  fileprivate init(_ span: SourceSpan, in table: inout LocationTable) {
    let location = table.location(of: span.start)
    let source = table.map.sources[location.source].name
    self.init(
      line: location.line, column: location.column, source: source == "sdl" ? nil : source)
  }
}

extension SchemaInput {
  /// SDL in a source of that name.
  static func sdl(_ name: String, _ text: String) -> SchemaInput {
    .sdl(Source(name: name, text: text))
  }
}
