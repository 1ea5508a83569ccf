/// Writes diagnostics for people.
///
/// ```
/// hero.graphql:3:5: error: Cannot query field 'nmae' on type 'Hero'. [FieldsOnCorrectType]
///   3 |     nmae
///     |     ^~~~
/// hero.graphql: fix: replace with 'name'
/// ```
struct TextRenderer {
  let isColored: Bool
  private var output = ""

  /// Of a longer line, only a part is shown.
  private static let maximalLineLength = 120

  init(isColored: Bool) {
    self.isColored = isColored
  }

  mutating func render(_ diagnostics: [Diagnostic], _ places: inout PlaceTable) -> String {
    for diagnostic in diagnostics {
      let (label, colour) =
        diagnostic.severity == .error ? ("error", Colour.red) : ("warning", Colour.magenta)
      let rule = painted("[\(diagnostic.rule.rawValue)]", .dim)
      write(label, colour, "\(diagnostic.message) \(rule)", at: diagnostic.span, &places)
      for note in diagnostic.notes {
        write("note", .cyan, note.message, at: note.span, &places)
      }
      for fixIt in diagnostic.fixIts {
        output += painted("    fix: ", .green) + fixIt.message + "\n"
      }
    }
    return output
  }

  private mutating func write(
    _ label: String, _ colour: Colour, _ message: String, at span: SourceSpan?,
    _ places: inout PlaceTable
  ) {
    let place = span.map { places.place(of: $0) }
    if let place {
      let position = "\(place.file):\(place.start.line):\(place.start.column): "
      output += painted(position, .bold)
    }
    output += painted("\(label): ", colour) + message + "\n"
    if let place, let span { writeLine(of: span, place, &places) }
  }

  /// The line where `span` starts, and carets under it.
  private mutating func writeLine(
    of span: SourceSpan, _ place: Place, _ places: inout PlaceTable
  ) {
    let (line, before) = places.line(around: span.start)
    let start = before.unicodeScalars.count
    let isOneLine = place.start.line == place.end.line
    let rest = line.unicodeScalars.count - start
    let length = max(1, isOneLine ? place.end.column - place.start.column : rest)
    let shown = Excerpt(of: line, around: start, maximalLength: Self.maximalLineLength)
    let number = String(place.start.line)
    let gutter = String(repeating: " ", count: max(0, 4 - number.count)) + number
    output += painted("\(gutter) | ", .dim) + shown.text + "\n"
    output += painted(String(repeating: " ", count: gutter.count) + " | ", .dim) + shown.padding
    let tail = min(length, max(1, shown.rest)) - 1
    output += painted("^" + String(repeating: "~", count: tail), .green) + "\n"
  }
}

/// A part of a line that is safe to show, and white space as wide as what is before a column of it.
private struct Excerpt {
  let text: String
  let padding: String
  /// How many characters are shown from the column on.
  let rest: Int

  init(of line: String, around column: Int, maximalLength: Int) {
    let scalars = Array(line.unicodeScalars)
    let isLong = scalars.count > maximalLength
    let first = isLong ? max(0, min(column - maximalLength / 2, scalars.count - maximalLength)) : 0
    let last = min(scalars.count, first + maximalLength)
    let prefix = first > 0 ? "…" : ""
    let suffix = last < scalars.count ? "…" : ""
    text = prefix + scalars[first..<last].map { $0.shown }.joined() + suffix
    padding =
      (prefix.isEmpty ? "" : " ")
      + scalars[first..<max(first, min(column, last))].map { $0 == "\t" ? "\t" : " " }.joined()
    rest = last - column
  }
}

extension Unicode.Scalar {
  /// Itself, but no control character that a terminal would obey.
  fileprivate var shown: String {
    properties.generalCategory == .control && self != "\t" ? "\u{FFFD}" : String(self)
  }
}

// MARK: - Colours

extension TextRenderer {
  /// ANSI codes.
  private enum Colour: String {
    case bold = "1"
    case dim = "2"
    case red = "1;31"
    case green = "32"
    case magenta = "1;35"
    case cyan = "1;36"
  }

  private func painted(_ text: String, _ colour: Colour) -> String {
    isColored ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }
}
