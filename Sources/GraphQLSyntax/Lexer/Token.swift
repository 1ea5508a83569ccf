/// A lexical token: its kind and its position.
///
/// Spec: 2.1.6, "Lexical Tokens".
public struct Token: Hashable, Sendable {
  /// The kind of token.
  public var kind: Kind
  /// The span of the token, including the quotes of a string.
  public var span: SourceSpan
  /// The symbol of a `.name`. It has no meaning for other kinds.
  public var symbol: Symbol

  @inlinable
  init(kind: Kind, span: SourceSpan, symbol: Symbol = Symbol(rawValue: 0)) {
    self.kind = kind
    self.span = span
    self.symbol = symbol
  }

  /// A kind of token: the lexical tokens of the specification, and four additions of the lexer.
  public enum Kind: UInt8, Hashable, Sendable {
    case bang, dollar, ampersand, leftParenthesis, rightParenthesis, spread, colon, equals, at
    case leftBracket, rightBracket, leftBrace, pipe, rightBrace
    /// A single dot, which occurs only in schema coordinates.
    case dot
    case name, int, float, string, blockString
    /// The text from `#` to the end of the line. The parser never receives it.
    case comment
    /// Characters that form no token. The lexer reports the error.
    case invalid
    case endOfFile
  }
}

extension Token.Kind {
  /// The name of the kind in messages: a punctuator in quotes, or a word.
  var description: String {
    switch self {
    case .bang: "\"!\""
    case .dollar: "\"$\""
    case .ampersand: "\"&\""
    case .leftParenthesis: "\"(\""
    case .rightParenthesis: "\")\""
    case .spread: "\"...\""
    case .colon: "\":\""
    case .equals: "\"=\""
    case .at: "\"@\""
    case .leftBracket: "\"[\""
    case .rightBracket: "\"]\""
    case .leftBrace: "\"{\""
    case .pipe: "\"|\""
    case .rightBrace: "\"}\""
    case .dot: "\".\""
    case .name: "Name"
    case .int: "Int"
    case .float: "Float"
    case .string: "String"
    case .blockString: "BlockString"
    case .comment: "Comment"
    case .invalid: "Invalid"
    case .endOfFile: "<EOF>"
    }
  }
}
