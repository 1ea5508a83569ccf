/// A token and what the formatter found out about it before it writes anything.
struct FormattedToken {
  var kind: Token.Kind
  /// The symbol of a name.
  var symbol: Symbol
  /// What is written for it, as indices of ``FormattedTokens/texts``; of a block string, in lines
  /// that are not indented yet. No array of its own, as counting references to so many takes time.
  var text: Range<Int>
  /// Whether `text` has several lines.
  var hasLines = false
  /// How many characters `text` has.
  var width = 0
  var span: SourceSpan
  var role: Role
  /// How many line breaks are before it in the source.
  var lineBreaks: Int
  /// The nearest tokens before and after it that are no comments.
  var previous: Int?
  var next: Int?
  /// Of an opening bracket, the index of the closing one.
  var partner: Int?
  /// Whether it is a brace around selections or definitions, which are always on lines of their
  /// own.
  var isBlock = false
  /// What is between it and the token before it when they are on one line.
  var gap = Gap.none
  /// The width of everything up to here if it were on one line.
  var widthThrough = 0
  /// How many tokens up to here cannot be in the middle of a line.
  var breakersThrough = 0

  enum Gap: Int {
    case none = 0
    case space = 1
    case commaAndSpace = 2

    var width: Int { rawValue }
  }

  enum Role {
    case plain
    case definitionStart
    case itemStart
    /// A member of a union, or a location of a directive.
    case member
  }

  /// Whether it is the word that `symbol` is.
  func isWord(_ symbol: Symbol) -> Bool { kind == .name && self.symbol == symbol }

  var isOpening: Bool {
    kind == .leftParenthesis || kind == .leftBracket || kind == .leftBrace
  }

  var isClosing: Bool {
    kind == .rightParenthesis || kind == .rightBracket || kind == .rightBrace
  }
}
