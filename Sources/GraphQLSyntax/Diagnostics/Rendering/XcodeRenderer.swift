/// Writes `file:line:column: error: message`, a line for each diagnostic and each note.
enum XcodeRenderer {
  static func render(_ diagnostics: [Diagnostic], _ places: inout PlaceTable) -> String {
    var output = ""
    for diagnostic in diagnostics {
      let message = "\(diagnostic.message) [\(diagnostic.rule.rawValue)]"
      output += line(diagnostic.severity.rawValue, message, places.place(of: diagnostic))
      for note in diagnostic.notes {
        output += line("note", note.message, places.place(of: note.span))
      }
    }
    return output
  }

  private static func line(_ label: String, _ message: String, _ place: Place?) -> String {
    let position = place.map { "\($0.file):\($0.start.line):\($0.start.column): " } ?? ""
    return "\(position)\(label): \(oneLine(message))\n"
  }

  private static func oneLine(_ message: String) -> String {
    // Nearly all messages are ASCII on one line; to look for other line ends takes time.
    guard !message.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else { return message }
    return message.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
