/// Renders a JSON array of objects `{rule, severity, message, file, line, column, endLine,
/// endColumn, notes, fixes}`.
///
/// Every object has all of these keys. Lines and columns count from 1, columns in Unicode code
/// points, and ends are exclusive. The file and the positions are `null` for a diagnostic without a
/// span. A note has a message and a position; a fix has a message and edits, each with a position
/// and a replacement.
enum JSONRenderer {
  static func render(_ diagnostics: [Diagnostic], _ locations: inout LocationTable) -> String {
    JSONOutput.array(of: diagnostics) { object($0, &locations) } + "\n"
  }

  private static func object(_ diagnostic: Diagnostic, _ locations: inout LocationTable)
    -> JSONOutput
  {
    var members: [(String, JSONOutput)] = [
      ("rule", .string(diagnostic.rule.rawValue)),
      ("severity", .string(diagnostic.severity.rawValue)),
      ("message", .string(diagnostic.message)),
    ]
    members += self.members(of: locations.range(of: diagnostic))
    var notes: [JSONOutput] = []
    for note in diagnostic.notes {
      notes.append(
        .object(
          [("message", .string(note.message))] + self.members(of: locations.range(of: note.span))))
    }
    var fixes: [JSONOutput] = []
    for fixIt in diagnostic.fixIts {
      fixes.append(object(fixIt, &locations))
    }
    return .object(members + [("notes", .array(notes)), ("fixes", .array(fixes))])
  }

  private static func object(
    _ fixIt: Diagnostic.FixIt, _ locations: inout LocationTable
  ) -> JSONOutput {
    var edits: [JSONOutput] = []
    for edit in fixIt.edits {
      edits.append(
        .object(
          members(of: locations.range(of: edit.span)) + [("replacement", .string(edit.replacement))]
        ))
    }
    return .object([("message", .string(fixIt.message)), ("edits", .array(edits))])
  }

  private static func members(of range: FileRange?) -> [(String, JSONOutput)] {
    [
      ("file", range.map { .string($0.file) } ?? .null),
      ("line", range.map { .number($0.start.line) } ?? .null),
      ("column", range.map { .number($0.start.column) } ?? .null),
      ("endLine", range.map { .number($0.end.line) } ?? .null),
      ("endColumn", range.map { .number($0.end.column) } ?? .null),
    ]
  }
}
