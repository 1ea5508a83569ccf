/// The limits of the parser, and the syntax of drafts that it accepts.
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
  /// Accepts `directive @a @b on FIELD`, `extend directive @a @b` and the location
  /// `DIRECTIVE_DEFINITION`, if `true`.
  ///
  /// They are a part of the specification's draft after September 2025 (pull request 1206). A
  /// schema that is built with the option has the draft's introspection of deprecated directives.
  public var allowsDirectivesOnDirectives: Bool
  /// Accepts variables of fragments, `fragment F($a: Int = 1) on T { … }`, and arguments of
  /// spreads, `...F(a: $b)`, if `true`.
  ///
  /// They are a proposal for the specification (pull request 1081). Validation replaces the spreads
  /// of such fragments by their selections, so that no server has to know them.
  public var allowsFragmentArguments: Bool

  /// Creates options. The defaults accept every document that a person would write.
  public init(
    nestingLimit: Int = 500, tokenLimit: Int? = nil, errorLimit: Int = 1000,
    allowsDirectivesOnDirectives: Bool = false, allowsFragmentArguments: Bool = false
  ) {
    self.nestingLimit = nestingLimit
    self.tokenLimit = tokenLimit
    self.errorLimit = errorLimit
    self.allowsDirectivesOnDirectives = allowsDirectivesOnDirectives
    self.allowsFragmentArguments = allowsFragmentArguments
  }

  /// The default limits, and all syntax of drafts. For tools that need not reject it, such as a
  /// formatter.
  package static let drafts = ParserOptions(
    allowsDirectivesOnDirectives: true, allowsFragmentArguments: true)
}
