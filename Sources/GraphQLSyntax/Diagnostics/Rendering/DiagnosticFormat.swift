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
    // What was read may hold what a terminal obeys; the other formats escape it.
    let isForTerminals = self != .json && self != .sarif
    let diagnostics = isForTerminals ? diagnostics.map(\.withoutControls) : diagnostics
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

extension Diagnostic {
  /// The diagnostic with U+FFFD for the control characters in its message, line breaks and tabs aside.
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
