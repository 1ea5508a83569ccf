/// Writes workflow commands of GitHub Actions, a line for each diagnostic.
///
/// Notes have no command of their own; they follow the message.
enum GitHubRenderer {
  static func render(_ diagnostics: [Diagnostic], _ places: inout PlaceTable) -> String {
    var output = ""
    for diagnostic in diagnostics {
      var message = diagnostic.message
      for note in diagnostic.notes {
        let place = places.place(of: note.span)
        message += "\n\(place.file):\(place.start.line):\(place.start.column): \(note.message)"
      }
      let properties = properties(of: diagnostic, places.place(of: diagnostic))
        .map { "\($0)=\(escapedProperty($1))" }.joined(separator: ",")
      output += "::\(diagnostic.severity.rawValue) \(properties)::\(escaped(message))\n"
    }
    return output
  }

  private static func properties(
    of diagnostic: Diagnostic, _ place: Place?
  ) -> [(String, String)] {
    var properties: [(String, String)] = []
    if let place {
      properties += [("file", place.file), ("line", "\(place.start.line)")]
      properties += [("endLine", "\(place.end.line)"), ("col", "\(place.start.column)")]
      // GitHub refuses columns of a range of lines.
      if place.start.line == place.end.line {
        properties.append(("endColumn", "\(place.end.column)"))
      }
    }
    return properties + [("title", diagnostic.rule.rawValue)]
  }

  private static func escaped(_ text: String) -> String {
    // Nearly nothing has to be escaped.
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
