extension Diagnostic.Rule {
  /// The check for characters that reorder the displayed text. It is our own, not a rule of
  /// GraphQL.
  public static let bidirectionalControls: Diagnostic.Rule = "BidirectionalControls"
}

extension SourceMap {
  /// Reports the characters that make a text look different from its meaning.
  ///
  /// GraphQL allows any character in comments and strings. A character that embeds, overrides or
  /// isolates a text direction makes editors display the following text in another order. A comment
  /// can then look like a field, and a field like a comment.
  ///
  /// Unicode Standard Annex #9, 2, "Directional Formatting Characters".
  /// - Parameter severity: The severity of the diagnostics.
  /// - Returns: One diagnostic for each such character, in the order of the sources, up to the
  ///   limits of a ``DiagnosticList``.
  /// - Complexity: O(*n*), where *n* is the number of bytes in all sources.
  package func bidirectionalControls(_ severity: Diagnostic.Severity) -> [Diagnostic] {
    var found = DiagnosticList()
    for (index, source) in sources.enumerated() where !source.isDerived && !found.isFull {
      let start = span(ofSourceAt: index).start
      source.forEachBidirectionalControl { scalar, offset in
        let position = start + UInt32(offset)
        found.append(
          Diagnostic(
            rule: .bidirectionalControls, severity: severity,
            message:
              "\(LexicalProblem.describe(scalar)) (\(scalar.properties.name ?? "")) makes the text look "
              + "different from what is read. Remove it, or write it as an escape in a string.",
            at: SourceSpan(start: position, end: position + 3)))
      }
    }
    return found.diagnostics
  }
}

extension Source {
  /// Calls `body` with each directional control character and its index.
  fileprivate func forEachBidirectionalControl(_ body: (Unicode.Scalar, _ offset: Int) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      // Each of these characters has three bytes, of which the first is E2.
      while let next = bytes[index...].firstIndex(of: 0xE2), next + 2 < bytes.count {
        index = next + 1
        let value = UInt32(bytes[next + 1] & 0x3F) << 6 | UInt32(bytes[next + 2] & 0x3F) | 0x2000
        guard bytes[next + 1].isUTF8Continuation, bytes[next + 2].isUTF8Continuation,
          let scalar = Unicode.Scalar(value), scalar.isBidirectionalControl
        else { continue }
        body(scalar, next)
      }
    }
  }
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether the character changes the direction of the text after
  /// it.
  var isBidirectionalControl: Bool {
    switch self {
    case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
    default: false
    }
  }
}
