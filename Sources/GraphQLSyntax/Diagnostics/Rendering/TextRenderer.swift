/// Renders diagnostics for terminals.
///
/// ```
/// hero.graphql:3:5: error: Cannot query field "nmae" on type "Hero". [FieldsOnCorrectType]
///    3 |     nmae
///      |     ^~~~
///     fix: replace with 'name'
/// ```
struct TextRenderer {
  let isColored: Bool
  private var output = ""

  /// The maximum number of characters shown of a line.
  private static let maximumLineLength = 120

  init(isColored: Bool) {
    self.isColored = isColored
  }

  mutating func render(_ diagnostics: [Diagnostic], _ locations: inout LocationTable) -> String {
    for diagnostic in diagnostics {
      let (label, color) =
        diagnostic.severity == .error ? ("error", Color.red) : ("warning", Color.magenta)
      let rule = painted("[\(diagnostic.rule.rawValue)]", .dim)
      write(label, color, "\(diagnostic.message) \(rule)", at: diagnostic.span, &locations)
      for note in diagnostic.notes {
        write("note", .cyan, note.message, at: note.span, &locations)
      }
      for fixIt in diagnostic.fixIts {
        output += painted("    fix: ", .green) + fixIt.message + "\n"
      }
    }
    return output
  }

  private mutating func write(
    _ label: String, _ color: Color, _ message: String, at span: SourceSpan?,
    _ locations: inout LocationTable
  ) {
    let range = span.map { locations.range(of: $0) }
    if let range {
      let position = "\(range.file):\(range.start.line):\(range.start.column): "
      output += painted(position, .bold)
    }
    output += painted("\(label): ", color) + message + "\n"
    if let range, let span { writeLine(of: span, range, &locations) }
  }

  /// Writes the line that contains the start of `span`, and a marker below it.
  private mutating func writeLine(
    of span: SourceSpan, _ range: FileRange, _ locations: inout LocationTable
  ) {
    let line = locations.excerpt(around: span.start, maximumLength: Self.maximumLineLength)
    let number = String(range.start.line)
    let gutter = String(repeating: " ", count: max(0, 4 - number.count)) + number
    output += painted("\(gutter) | ", .dim) + line.text + "\n"
    output += painted(String(repeating: " ", count: gutter.count) + " | ", .dim) + line.padding
    let shown = max(1, line.lengthAfter)
    let length =
      range.start.line == range.end.line
      ? min(shown, max(1, range.end.column - range.start.column)) : shown
    output += painted("^" + String(repeating: "~", count: length - 1), .green) + "\n"
  }
}

extension LineExcerpt {
  /// The excerpt with control characters replaced, and an ellipsis where the line is cut.
  fileprivate var text: String {
    (isCutAtStart ? "…" : "") + before.shown + after.shown + (isCutAtEnd ? "…" : "")
  }

  /// White space as wide as the text before the position.
  fileprivate var padding: String {
    let mark = isCutAtStart ? " " : ""
    if before.isPlain { return mark + String(repeating: " ", count: before.count) }
    return mark + before.scalars.map { $0 == "\t" ? "\t" : " " }.joined()
  }
}

extension ArraySlice<UInt8> {
  /// A Boolean value that indicates whether all bytes are printable ASCII. Most lines are, and need
  /// no decoding.
  fileprivate var isPlain: Bool { allSatisfy { 0x20..<0x7F ~= $0 } }

  /// The text with control characters replaced.
  fileprivate var shown: String {
    if isPlain { return String(decoding: self, as: UTF8.self) }
    var shown = ""
    for scalar in scalars { shown.unicodeScalars.append(scalar.shown) }
    return shown
  }

  /// The decoded characters, with U+FFFD for ill-formed UTF-8.
  fileprivate var scalars: String.UnicodeScalarView {
    String(decoding: self, as: UTF8.self).unicodeScalars
  }
}

extension Unicode.Scalar {
  /// The character itself, or U+FFFD for a control character that a terminal would execute.
  fileprivate var shown: Unicode.Scalar {
    let isControl = value < 0x20 || 0x7F..<0xA0 ~= value || isBidirectionalControl
    return isControl && self != "\t" ? "\u{FFFD}" : self
  }
}

// MARK: - Colors

extension TextRenderer {
  /// The ANSI color codes.
  private enum Color: String {
    case bold = "1"
    case dim = "2"
    case red = "1;31"
    case green = "32"
    case magenta = "1;35"
    case cyan = "1;36"
  }

  private func painted(_ text: String, _ color: Color) -> String {
    isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }
}
