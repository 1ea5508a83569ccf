extension Source {
  /// Formats the text in the standard layout, keeping all comments.
  ///
  /// - Indentation is two spaces. Text that fits in 80 columns stays on one line where the layout
  ///   allows.
  /// - Definitions are separated by one empty line. Between other items, at most one empty line is
  ///   kept.
  /// - A comment on its own line stays before the next token; a comment after a token stays on its
  ///   line.
  /// - Formatting is idempotent and does not change the meaning of the text.
  ///
  /// ```swift
  /// let (formatted, diagnostics) = source.formatted()
  /// let isFormatted = formatted == source.text
  /// ```
  ///
  /// A text that consists of comments alone is formatted, although it is not a valid document.
  /// - Parameter options: The limits of the parser.
  /// - Returns: The formatted text, which ends with a line feed, or `nil` with the syntax errors.
  /// - Complexity: O(*n*) in the length of the text and of the result.
  public func formatted(
    options: ParserOptions = ParserOptions()
  ) -> (text: String?, diagnostics: [Diagnostic]) {
    var document = Document()
    let diagnostics = document.parse(self, options: options)
    let (tokens, problems) = tokens(keepsComments: true)
    let hasOnlyComments = problems.isEmpty && tokens.dropLast().allSatisfy { $0.kind == .comment }
    guard diagnostics.isEmpty || hasOnlyComments else { return (nil, diagnostics) }
    var formatter = Formatter(self, tokens, SyntaxMarks(document, length: count))
    return (formatter.format(), [])
  }
}
