import GraphQLSyntax

/// The diagnostics of a run: the only way by which problems of the schema and the operations leave
/// the pipeline.
struct DiagnosticCollector {
  /// The warnings of all stages so far.
  private(set) var diagnostics: [Diagnostic] = []
  /// The sources that the spans of the diagnostics refer to.
  private(set) var sources = SourceMap()

  /// Adds the diagnostics of one check.
  ///
  /// - Parameters:
  ///   - found: The diagnostics, in the order in which they are shown.
  ///   - sources: All sources that were read so far.
  /// - Throws: ``GenerationError`` with `found` if any of them is an error.
  mutating func add(_ found: [Diagnostic], in sources: SourceMap) throws(GenerationError) {
    guard !found.contains(where: { $0.severity == .error }) else {
      throw GenerationError(.input(found, sources))
    }
    diagnostics += found
    self.sources = sources
  }

  /// Adds the diagnostics of one check of sources that were read before.
  mutating func add(_ found: [Diagnostic]) throws(GenerationError) {
    try add(found, in: sources)
  }
}
