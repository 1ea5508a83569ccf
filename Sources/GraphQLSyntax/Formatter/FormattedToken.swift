/// A token with the facts that the formatter needs before it writes anything.
struct FormattedToken {
  var kind: Token.Kind
  /// The symbol, if the token is a name.
  var symbol: Symbol
  /// The text to write, as a range of ``FormattedTokens/texts``. The lines of a block string are
  /// not indented yet.
  ///
  /// It is a range because reference counting for so many arrays is slow.
  var text: Range<Int>
  /// A Boolean value that indicates whether `text` has several lines.
  var isMultiline = false
  /// The number of characters in `text`.
  var width = 0
  var span: SourceSpan
  var role: Role
  /// The number of line breaks before the token in the source.
  var lineBreaks: Int
  /// The index of the nearest token before this one that is not a comment.
  var previous: Int?
  /// The index of the nearest token after this one that is not a comment.
  var next: Int?
  /// The index of the matching closing bracket, if the token is an opening bracket.
  var partner: Int?
  /// A Boolean value that indicates whether the token is a brace around selections or definitions.
  /// Their contents always start on a new line.
  var isBlock = false
  /// The separator from the token before, if both are on one line.
  var gap = Gap.none
  /// The total width of all tokens up to this one on a single line.
  var widthThrough = 0
  /// The number of tokens up to this one that force a line break.
  var forcedBreaksThrough = 0

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
    /// A member of a union, or a location of a directive definition.
    case member
  }

  var isOpening: Bool {
    kind == .leftParenthesis || kind == .leftBracket || kind == .leftBrace
  }

  var isClosing: Bool {
    kind == .rightParenthesis || kind == .rightBracket || kind == .rightBrace
  }
}
