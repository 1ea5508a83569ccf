package import GraphQLSyntax

extension SchemaOptions {
  /// What is suspicious about the texts themselves, of schemas and of operations: a warning unless
  /// ``severities`` says otherwise.
  ///
  /// - Complexity: O(*n*) in the bytes of the sources.
  package func suspicions(about sources: SourceMap) -> [Diagnostic] {
    guard !silencedRules.contains(.bidirectionalControls) else { return [] }
    return sources.bidirectionalControls(severities[.bidirectionalControls] ?? .warning)
  }
}
