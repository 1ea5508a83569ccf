/// Writes an array of objects:
/// `{rule, severity, message, file, line, column, endLine, endColumn, notes, fixes}`.
///
/// Every object has all of these keys. Lines and columns are from 1, columns in Unicode code points,
/// ends exclusive; the file and the positions are null when no place is to blame. A note has a
/// message and a place; a fix has a message and edits, each of which has a place and a replacement.
enum JSONRenderer {
  static func render(_ diagnostics: [Diagnostic], _ places: inout PlaceTable) -> String {
    JSONOutput.array(of: diagnostics) { object($0, &places) } + "\n"
  }

  private static func object(_ diagnostic: Diagnostic, _ places: inout PlaceTable) -> JSONOutput {
    var members: [(String, JSONOutput)] = [
      ("rule", .string(diagnostic.rule.rawValue)),
      ("severity", .string(diagnostic.severity.rawValue)),
      ("message", .string(diagnostic.message)),
    ]
    members += self.members(of: places.place(of: diagnostic))
    var notes: [JSONOutput] = []
    for note in diagnostic.notes {
      notes.append(
        .object(
          [("message", .string(note.message))] + self.members(of: places.place(of: note.span))))
    }
    var fixes: [JSONOutput] = []
    for fixIt in diagnostic.fixIts {
      fixes.append(object(fixIt, &places))
    }
    return .object(members + [("notes", .array(notes)), ("fixes", .array(fixes))])
  }

  private static func object(
    _ fixIt: Diagnostic.FixIt, _ places: inout PlaceTable
  ) -> JSONOutput {
    var edits: [JSONOutput] = []
    for edit in fixIt.edits {
      edits.append(
        .object(
          members(of: places.place(of: edit.span)) + [("replacement", .string(edit.replacement))]))
    }
    return .object([("message", .string(fixIt.message)), ("edits", .array(edits))])
  }

  private static func members(of place: Place?) -> [(String, JSONOutput)] {
    [
      ("file", place.map { .string($0.file) } ?? .null),
      ("line", place.map { .number($0.start.line) } ?? .null),
      ("column", place.map { .number($0.start.column) } ?? .null),
      ("endLine", place.map { .number($0.end.line) } ?? .null),
      ("endColumn", place.map { .number($0.end.column) } ?? .null),
    ]
  }
}
