/// An output format for diagnostics.
///
/// ```swift
/// var document = Document()
/// let diagnostics = document.parse(Source(name: "Hero.graphql", text: "{ hero { } }"))
/// print(DiagnosticFormat.text.render(diagnostics, in: document.sources), terminator: "")
/// ```
public enum DiagnosticFormat: String, Hashable, Sendable, CaseIterable {
  /// For terminals: the message, the line of text, and a marker under the problem.
  case text
  /// `file:line:column: error: message`, the format of Xcode and the Swift Package Manager.
  case xcode
  /// A JSON array with an object for each diagnostic.
  case json
  /// SARIF 2.1.0, the exchange format of code scanners.
  case sarif
  /// Workflow commands, which GitHub Actions displays as annotations.
  case github
}

extension DiagnosticFormat {
  /// Renders `diagnostics` as text. The same input always produces the same text.
  ///
  /// - Parameters:
  ///   - diagnostics: The diagnostics, in the order in which to render them.
  ///   - sources: The map that the spans of the diagnostics point into.
  ///   - isColored: Whether ``text`` output contains ANSI colors.
  /// - Returns: The text, which ends with a line feed unless it is empty.
  public func render(
    _ diagnostics: [Diagnostic], in sources: SourceMap, isColored: Bool = false
  ) -> String {
    render(diagnostics, in: sources, isColored: isColored, summaries: [:])
  }

  /// Renders `diagnostics` as text, with descriptions of their rules where the format has a place
  /// for them.
  ///
  /// - Parameters:
  ///   - diagnostics: The diagnostics, in the order in which to render them.
  ///   - sources: The map that the spans of the diagnostics point into.
  ///   - isColored: Whether ``text`` output contains ANSI colors.
  ///   - summaries: The requirement of each rule, as one sentence.
  /// - Returns: The text, which ends with a line feed unless it is empty.
  package func render(
    _ diagnostics: [Diagnostic], in sources: SourceMap, isColored: Bool = false,
    summaries: [Diagnostic.Rule: String]
  ) -> String {
    var locations = LocationTable(sources)
    // Input can contain sequences that terminals execute. JSON and SARIF escape them anyway.
    let isForTerminals = self != .json && self != .sarif
    let diagnostics = isForTerminals ? diagnostics.map(\.withoutControls) : diagnostics
    switch self {
    case .text:
      var renderer = TextRenderer(isColored: isColored)
      return renderer.render(diagnostics, &locations)
    case .xcode: return XcodeRenderer.render(diagnostics, &locations)
    case .json: return JSONRenderer.render(diagnostics, &locations)
    case .sarif: return SARIFRenderer.render(diagnostics, &locations, summaries)
    case .github: return GitHubRenderer.render(diagnostics, &locations)
    }
  }
}

extension Diagnostic {
  /// The diagnostic with U+FFFD in place of the control characters of its message, except line
  /// feeds and tabs.
  fileprivate var withoutControls: Diagnostic {
    func isControl(_ byte: UInt8) -> Bool {
      byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F || byte == 0xC2 || byte == 0xE2
    }
    guard message.utf8.contains(where: isControl) else { return self }
    var result = self
    result.message = String(
      String.UnicodeScalarView(
        message.unicodeScalars.map { scalar in
          let isHarmless =
            scalar.properties.generalCategory != .control && !scalar.isBidirectionalControl
          return isHarmless || scalar == "\n" || scalar == "\t" ? scalar : "\u{FFFD}"
        }))
    return result
  }
}

extension Sequence<Diagnostic> {
  /// Returns the diagnostics sorted by the start of their spans.
  ///
  /// Diagnostics without a span come first. The order of equal elements does not change.
  public func sortedByLocation() -> [Diagnostic] {
    let diagnostics = Array(self)
    let starts = diagnostics.map { $0.span.map { Int($0.start) } ?? -1 }
    return diagnostics.indices
      .sorted { (starts[$0], $0) < (starts[$1], $1) }
      .map { diagnostics[$0] }
  }
}
