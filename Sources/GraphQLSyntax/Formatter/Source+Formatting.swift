extension Source {
  /// The text in the standard layout, with all of its comments.
  ///
  /// - Indentation is two spaces; what fits 80 columns stays on one line where the layout allows.
  /// - One empty line is between definitions; between other items, one at most is kept.
  /// - Own-line comments stay before what follows them, comments at the end of a line at its end.
  /// - Formatting what is formatted changes nothing, and nothing changes what the text means.
  ///
  /// ```swift
  /// let (formatted, diagnostics) = source.formatted()
  /// let isFormatted = formatted == source.text   // what `--check` asks
  /// ```
  /// - Returns: The text, which ends with a line feed; nil if there are syntax errors. A text of
  ///   comments alone is formatted although it is no document.
  /// - Complexity: O(*n*) in the length of the text and of the result.
  public func formatted(
    options: ParserOptions = ParserOptions()
  ) -> (text: String?, diagnostics: [Diagnostic]) {
    var document = Document()
    let diagnostics = document.parse(self, options: options)
    let (tokens, problems) = tokens(keepsComments: true)
    let hasOnlyComments = problems.isEmpty && tokens.dropLast().allSatisfy { $0.kind == .comment }
    guard diagnostics.isEmpty || hasOnlyComments else { return (nil, diagnostics) }
    var formatter = Formatter(self, tokens, Layout(document, length: count))
    return (formatter.format(), [])
  }
}
