extension Diagnostic.Rule {
  /// Not a rule of GraphQL: that a text looks as it is read.
  public static let bidirectionalControls: Diagnostic.Rule = "BidirectionalControls"
}

extension SourceMap {
  /// Problems with characters that make a text look different from what is read.
  ///
  /// GraphQL allows any character in comments and strings. Those that embed, override or isolate a
  /// direction let an editor show what follows in another order, so that a comment can look like a
  /// field and a field like a comment.
  ///
  /// Unicode Standard Annex #9, 2, "Directional Formatting Characters".
  /// - Parameter severity: How bad they are.
  /// - Returns: One for each such character, in the order of the sources, up to a limit.
  /// - Complexity: O(*n*) in the bytes of the sources.
  package func bidirectionalControls(_ severity: Diagnostic.Severity) -> [Diagnostic] {
    var found = DiagnosticList()
    for (index, source) in sources.enumerated() where !source.isDerived && !found.isFull {
      let start = span(ofSourceAt: index).start
      source.forEachBidirectionalControl { scalar, offset in
        let place = start + UInt32(offset)
        found.append(
          Diagnostic(
            rule: .bidirectionalControls, severity: severity,
            message:
              "\(LexicalProblem.describe(scalar)) (\(scalar.properties.name ?? "")) makes the text look "
              + "different from what is read. Remove it, or write it as an escape in a string.",
            at: SourceSpan(start: place, end: place + 3)))
      }
    }
    return found.diagnostics
  }
}

extension Source {
  /// Calls `body` with each character that embeds, overrides or isolates a direction, and where it is.
  fileprivate func forEachBidirectionalControl(_ body: (Unicode.Scalar, _ offset: Int) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      // All of them are three bytes long, and begin with the same one.
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
  /// Whether what follows is shown in a direction of its own.
  var isBidirectionalControl: Bool {
    switch self {
    case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
    default: false
    }
  }
}
