/// Renders one GitHub Actions workflow command for each diagnostic.
///
/// Workflow commands have no notes, so notes are appended to the message.
enum GitHubRenderer {
  static func render(_ diagnostics: [Diagnostic], _ locations: inout LocationTable) -> String {
    var output = ""
    for diagnostic in diagnostics {
      var message = diagnostic.message
      for note in diagnostic.notes {
        let range = locations.range(of: note.span)
        message += "\n\(range.file):\(range.start.line):\(range.start.column): \(note.message)"
      }
      let properties = properties(of: diagnostic, locations.range(of: diagnostic))
        .map { "\($0)=\(escapedProperty($1))" }.joined(separator: ",")
      output += "::\(diagnostic.severity.rawValue) \(properties)::\(escaped(message))\n"
    }
    return output
  }

  private static func properties(
    of diagnostic: Diagnostic, _ range: FileRange?
  ) -> [(String, String)] {
    var properties: [(String, String)] = []
    if let range {
      properties += [("file", range.file), ("line", "\(range.start.line)")]
      properties += [("endLine", "\(range.end.line)"), ("col", "\(range.start.column)")]
      // GitHub rejects columns in a range of several lines.
      if range.start.line == range.end.line {
        properties.append(("endColumn", "\(range.end.column)"))
      }
    }
    return properties + [("title", diagnostic.rule.rawValue)]
  }

  private static func escaped(_ text: String) -> String {
    // Most texts contain nothing to escape.
    let isPlain = text.utf8.allSatisfy { byte in
      byte != UInt8(ascii: "%") && byte != UInt8(ascii: "\r") && byte != UInt8(ascii: "\n")
    }
    guard !isPlain else { return text }
    return text.unicodeScalars.map { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: String(scalar)
      }
    }.joined()
  }

  private static func escapedProperty(_ text: String) -> String {
    escaped(text).unicodeScalars.map { scalar in
      switch scalar {
      case ":": "%3A"
      case ",": "%2C"
      default: String(scalar)
      }
    }.joined()
  }
}
