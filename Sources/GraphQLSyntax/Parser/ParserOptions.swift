/// What the parser accepts at most.
public struct ParserOptions: Hashable, Sendable {
  /// How deep selection sets and values may be nested in each other.
  ///
  /// The parser itself does not recurse; the limit protects what walks the document after it.
  public var nestingLimit: Int
  /// How many tokens a source may have, or nil for no limit. Comments are not tokens.
  public var tokenLimit: Int?
  /// How many syntax errors of one source are reported at most.
  public var errorLimit: Int

  /// Limits that suit documents written by people, unless others are given.
  public init(nestingLimit: Int = 500, tokenLimit: Int? = nil, errorLimit: Int = 1000) {
    self.nestingLimit = nestingLimit
    self.tokenLimit = tokenLimit
    self.errorLimit = errorLimit
  }
}
