import GraphQLSyntax

/// Diagnostics as `file:line:column: error: message`, which Xcode and other tools link to.
enum DiagnosticText {
  static func lines(_ diagnostics: [Diagnostic], _ sources: SourceMap) -> [String] {
    var locations = LocationTable(sources)
    return diagnostics.flatMap { diagnostic in
      let head = "\(place(diagnostic.span, &locations))\(diagnostic.severity.rawValue): \(diagnostic.message)"
      let notes = diagnostic.notes.map { note in
        "\(place(note.span, &locations))note: \(note.message)"
      }
      return [head] + notes
    }
  }

  private static func place(_ span: SourceSpan?, _ locations: inout LocationTable) -> String {
    guard let span else { return "" }
    let location = locations.location(of: span.start)
    let name = locations.map.sources[location.source].name
    return "\(name):\(location.line):\(location.column): "
  }
}
