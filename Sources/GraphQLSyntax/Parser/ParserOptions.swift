/// The limits of the parser.
///
/// ```swift
/// let options = ParserOptions(nestingLimit: 200, tokenLimit: 50_000)
/// let (document, diagnostics) = Document.parsing(text, options: options)
/// ```
public struct ParserOptions: Hashable, Sendable {
  /// The maximum depth of nested selection sets and of nested values.
  ///
  /// The parser itself does not recurse. The limit protects algorithms that walk the document.
  public var nestingLimit: Int
  /// The maximum number of tokens in a source, or `nil` for no limit. Comments do not count.
  public var tokenLimit: Int?
  /// The maximum number of syntax errors to report in one source.
  public var errorLimit: Int

  /// Creates options. The defaults accept every document that a person would write.
  public init(nestingLimit: Int = 500, tokenLimit: Int? = nil, errorLimit: Int = 1000) {
    self.nestingLimit = nestingLimit
    self.tokenLimit = tokenLimit
    self.errorLimit = errorLimit
  }
}
