/// How diagnostics are written.
public enum DiagnosticFormat: String, Hashable, Sendable, CaseIterable {
  /// For people: the message, the line, and carets under what is wrong.
  case text
  /// `file:line:column: error: message`, which Xcode and the Swift package manager understand.
  case xcode
  /// An array of objects.
  case json
  /// SARIF 2.1.0, which code scanners exchange.
  case sarif
  /// Commands that GitHub Actions shows as annotations.
  case github
}

extension DiagnosticFormat {
  /// Writes `diagnostics` in their order. Same input, same text.
  ///
  /// - Parameters:
  ///   - diagnostics: What to write, in this order.
  ///   - sources: The map that the spans of the diagnostics point into.
  ///   - isColored: Whether ``text`` has colours for terminals.
  /// - Returns: The text, which ends with a line feed unless it is empty.
  public func render(
    _ diagnostics: [Diagnostic], in sources: SourceMap, isColored: Bool = false
  ) -> String {
    var places = PlaceTable(sources)
    switch self {
    case .text:
      var renderer = TextRenderer(isColored: isColored)
      return renderer.render(diagnostics, &places)
    case .xcode: return XcodeRenderer.render(diagnostics, &places)
    case .json: return JSONRenderer.render(diagnostics, &places)
    case .sarif: return SARIFRenderer.render(diagnostics, &places)
    case .github: return GitHubRenderer.render(diagnostics, &places)
    }
  }
}

extension Sequence<Diagnostic> {
  /// The diagnostics in the order of their places. Those without a place come first; those with the
  /// same keep their order.
  public func sortedByPlace() -> [Diagnostic] {
    let diagnostics = Array(self)
    let places = diagnostics.map { $0.span.map { Int($0.start) } ?? -1 }
    return diagnostics.indices
      .sorted { (places[$0], $0) < (places[$1], $1) }
      .map { diagnostics[$0] }
  }
}
