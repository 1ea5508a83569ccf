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
    let line = places.excerpt(around: span.start, maximalLength: Self.maximalLineLength)
    let number = String(place.start.line)
    let gutter = String(repeating: " ", count: max(0, 4 - number.count)) + number
    output += painted("\(gutter) | ", .dim) + line.text + "\n"
    output += painted(String(repeating: " ", count: gutter.count) + " | ", .dim) + line.padding
    let shown = max(1, line.lengthAfter)
    let length =
      place.start.line == place.end.line
      ? min(shown, max(1, place.end.column - place.start.column)) : shown
    output += painted("^" + String(repeating: "~", count: length - 1), .green) + "\n"
  }
}

extension LineExcerpt {
  /// The part as it is safe to show, with marks where something is left out.
  fileprivate var text: String {
    (isCutAtStart ? "…" : "") + before.shown + after.shown + (isCutAtEnd ? "…" : "")
  }

  /// White space as wide as what is before the place.
  fileprivate var padding: String {
    let mark = isCutAtStart ? " " : ""
    if before.isPlain { return mark + String(repeating: " ", count: before.count) }
    return mark + before.scalars.map { $0 == "\t" ? "\t" : " " }.joined()
  }
}

extension ArraySlice<UInt8> {
  /// Whether all of it is printable ASCII, as nearly all lines are: to take others apart takes time.
  fileprivate var isPlain: Bool { allSatisfy { 0x20..<0x7F ~= $0 } }

  /// The characters as they are safe to show.
  fileprivate var shown: String {
    if isPlain { return String(decoding: self, as: UTF8.self) }
    var shown = ""
    for scalar in scalars { shown.unicodeScalars.append(scalar.shown) }
    return shown
  }

  /// The characters, with U+FFFD for what is not UTF-8.
  fileprivate var scalars: String.UnicodeScalarView {
    String(decoding: self, as: UTF8.self).unicodeScalars
  }
}

extension Unicode.Scalar {
  /// Itself, but no control character that a terminal would obey.
  fileprivate var shown: Unicode.Scalar {
    let isControl = value < 0x20 || 0x7F..<0xA0 ~= value || isBidirectionalControl
    return isControl && self != "\t" ? "\u{FFFD}" : self
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
