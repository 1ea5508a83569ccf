package import GraphQLSyntax

extension SchemaOptions {
  /// Reports the characters that make the text of schemas or operations misleading.
  ///
  /// They are warnings unless ``severities`` contains the rule `BidirectionalControls`.
  /// - Complexity: O(*n*), where *n* is the number of bytes in all sources.
  package func misleadingText(in sources: SourceMap) -> [Diagnostic] {
    let severity = severities[.bidirectionalControls] ?? .warning
    return severity.diagnosticSeverity.map { sources.bidirectionalControls($0) } ?? []
  }
}
