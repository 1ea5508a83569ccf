/// A lexical token: what it is and where.
///
/// Spec: 2.1.6, "Lexical Tokens".
public struct Token: Hashable, Sendable {
  /// Which lexical token it is.
  public var kind: Kind
  /// The characters of the token, with the quotes of a string.
  public var span: SourceSpan
  /// The symbol of a `.name`; of any other token, without meaning.
  public var symbol: Symbol

  @inlinable
  init(kind: Kind, span: SourceSpan, symbol: Symbol = Symbol(rawValue: 0)) {
    self.kind = kind
    self.span = span
    self.symbol = symbol
  }

  /// The lexical tokens of the specification, and what else the lexer tells apart.
  public enum Kind: UInt8, Hashable, Sendable {
    case bang, dollar, ampersand, leftParenthesis, rightParenthesis, spread, colon, equals, at
    case leftBracket, rightBracket, leftBrace, pipe, rightBrace
    /// A single dot, which only schema coordinates have.
    case dot
    case name, int, float, string, blockString
    /// From `#` to the end of the line. The parser never sees it.
    case comment
    /// Characters that make no token. The lexer knows what is wrong.
    case invalid
    case endOfFile
  }
}

extension Token.Kind {
  /// What the reference calls it: a punctuator in quotes, or a word.
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
