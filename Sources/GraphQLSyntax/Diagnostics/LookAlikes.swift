extension [Diagnostic.FixIt] {
  /// Returns the fix-it that replaces the character at `span` with the ASCII text it resembles, or
  /// an empty array if it resembles none.
  static func replacingLookAlike(_ problem: LexicalProblem, at span: SourceSpan) -> Self {
    guard case .unexpectedCharacter(let scalar?) = problem, let text = scalar.lookAlike else {
      return []
    }
    let name = LexicalProblem.describe(scalar)
    let end = span.start + UInt32(UTF8.width(scalar))
    return [
      Diagnostic.FixIt(
        text.isEmpty
          ? "remove \(name), which cannot be seen"
          : "replace \(name), which looks like '\(text)', with '\(text)'",
        replacing: SourceSpan(start: span.start, end: end), with: text)
    ]
  }
}

extension Unicode.Scalar {
  /// The ASCII text that the character resembles, or `nil` if it resembles nothing meaningful to
  /// GraphQL. The text is empty for an invisible character.
  ///
  /// The list contains the characters that keyboards and word processors produce by mistake. It is
  /// much shorter than that of Unicode Technical Standard #39, "Unicode Security Mechanisms".
  var lookAlike: String? {
    switch self {
    // The full-width forms have the order of ASCII.
    case "\u{FF01}"..."\u{FF5E}":
      Self.meaningful.contains(value - 0xFEE0) ? String(UnicodeScalar(UInt8(value - 0xFEE0))) : nil
    case "\u{2000}"..."\u{200A}": " "
    case "\u{200B}"..."\u{200F}", "\u{202A}"..."\u{202E}", "\u{2060}"..."\u{2064}",
      "\u{2066}"..."\u{2069}", "\u{AD}":
      ""
    default: Self.lookAlikes[self]
    }
  }

  /// The characters that can occur outside strings and comments, except digits: a number with
  /// non-ASCII digits needs more than one replacement.
  private static let meaningful = Set(
    "!\"#$&(),-.:=@[]_{|}abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars
      .map(\.value))

  private static let lookAlikes: [Unicode.Scalar: String] = {
    let lists: [(characters: String, ascii: String)] = [
      ("\u{A0}\u{202F}\u{205F}\u{3000}", "    "),
      ("\u{201C}\u{201D}\u{201E}\u{201F}", "\"\"\"\""),
      ("\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}", "------"),
      // Cyrillic
      ("\u{430}\u{441}\u{501}\u{435}\u{4BB}\u{456}\u{458}\u{43E}\u{440}", "acdehijop"),
      ("\u{51B}\u{455}\u{51D}\u{445}\u{443}\u{410}\u{412}\u{421}\u{415}", "qswxyABCE"),
      ("\u{41D}\u{406}\u{408}\u{41A}\u{41C}\u{41E}\u{420}\u{405}\u{422}", "HIJKMOPST"),
      ("\u{425}\u{4AE}", "XY"),
      // Greek
      ("\u{391}\u{392}\u{395}\u{396}\u{397}\u{399}\u{39A}\u{39C}\u{39D}", "ABEZHIKMN"),
      ("\u{39F}\u{3A1}\u{3A4}\u{3A5}\u{3A7}\u{3BF}\u{3BD}", "OPTYXov"),
    ]
    var table: [Unicode.Scalar: String] = ["\u{2026}": "..."]
    for (characters, ascii) in lists {
      for (scalar, text) in zip(characters.unicodeScalars, ascii) { table[scalar] = String(text) }
    }
    return table
  }()
}
