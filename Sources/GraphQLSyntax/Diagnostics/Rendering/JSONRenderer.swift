/// Writes an array of objects:
/// `{rule, severity, message, file, line, column, endLine, endColumn, notes, fixes}`.
///
/// Lines and columns are from 1, columns in Unicode code points, ends exclusive. The file and the
/// positions are absent when no place is to blame. A note has a message and a place; a fix has a
/// message and edits, each of which has a place and a replacement.
enum JSONRenderer {
  static func render(_ diagnostics: [Diagnostic], _ places: inout PlaceTable) -> String {
    JSONText.array(of: diagnostics) { object($0, &places) } + "\n"
  }

  private static func object(_ diagnostic: Diagnostic, _ places: inout PlaceTable) -> JSONText {
    var members: [(String, JSONText)] = [
      ("rule", .string(diagnostic.rule.rawValue)),
      ("severity", .string(diagnostic.severity.rawValue)),
      ("message", .string(diagnostic.message)),
    ]
    if let place = places.place(of: diagnostic) { members += self.members(of: place) }
    var notes: [JSONText] = []
    for note in diagnostic.notes {
      notes.append(
        .object(
          [("message", .string(note.message))] + self.members(of: places.place(of: note.span))))
    }
    var fixes: [JSONText] = []
    for fixIt in diagnostic.fixIts {
      fixes.append(object(fixIt, &places))
    }
    return .object(members + [("notes", .array(notes)), ("fixes", .array(fixes))])
  }

  private static func object(
    _ fixIt: Diagnostic.FixIt, _ places: inout PlaceTable
  ) -> JSONText {
    var edits: [JSONText] = []
    for edit in fixIt.edits {
      edits.append(
        .object(
          members(of: places.place(of: edit.span)) + [("replacement", .string(edit.replacement))]))
    }
    return .object([("message", .string(fixIt.message)), ("edits", .array(edits))])
  }

  private static func members(of place: Place) -> [(String, JSONText)] {
    [
      ("file", .string(place.file)),
      ("line", .number(place.start.line)),
      ("column", .number(place.start.column)),
      ("endLine", .number(place.end.line)),
      ("endColumn", .number(place.end.column)),
    ]
  }
}
