/// Renders `file:line:column: error: message`, one line for each diagnostic and each note.
enum XcodeRenderer {
  static func render(_ diagnostics: [Diagnostic], _ locations: inout LocationTable) -> String {
    var output = ""
    for diagnostic in diagnostics {
      let message = "\(diagnostic.message) [\(diagnostic.rule.rawValue)]"
      output += line(diagnostic.severity.rawValue, message, locations.range(of: diagnostic))
      for note in diagnostic.notes {
        output += line("note", note.message, locations.range(of: note.span))
      }
    }
    return output
  }

  private static func line(_ label: String, _ message: String, _ range: FileRange?) -> String {
    let position = range.map { "\($0.file):\($0.start.line):\($0.start.column): " } ?? ""
    return "\(position)\(label): \(oneLine(message))\n"
  }

  private static func oneLine(_ message: String) -> String {
    // Most messages are one line of ASCII. Splitting at Unicode line breaks is slow.
    guard !message.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else { return message }
    return message.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
