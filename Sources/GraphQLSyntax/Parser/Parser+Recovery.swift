extension Parser {
  /// Skips to where the next definition seems to start, after an error in the one at `start`.
  ///
  /// That is a keyword of a definition (or a description and a keyword) that no bracket is open
  /// around; or, because a closing bracket may be what is missing, one at the start of a line, if
  /// what follows it fits.
  mutating func recover(fromDefinitionAt start: Token) {
    var depth = depth(from: start, to: token)
    var isAfterBody = false
    var isFirst = token.span.start == start.span.start
    while token.kind != .endOfFile {
      if !isFirst && canStartDefinition(atDepth: depth, isAfterBody: isAfterBody) { return }
      isFirst = false
      depth = max(0, depth + token.kind.nestingChange)
      isAfterBody = token.kind == .rightBrace && depth == 0
      advance()
    }
  }

  /// How many brackets that were opened from `start` on are still open at `end`.
  private mutating func depth(from start: Token, to end: Token) -> Int {
    var lexer = lexer(at: start.span.start)
    var depth = 0
    while true {
      let token = lexer.next(interning: &document.names)
      if token.span.start >= end.span.start || token.kind == .endOfFile { return depth }
      depth = max(0, depth + token.kind.nestingChange)
    }
  }

  private mutating func canStartDefinition(atDepth depth: Int, isAfterBody: Bool) -> Bool {
    switch token.kind {
    case .name where token.symbol.isDefinitionKeyword:
      depth == 0 || isAtStartOfLine(token) && isPlausible(after: token.symbol)
    case .string, .blockString:
      (depth == 0 || isAtStartOfLine(token)) && peek().isDefinitionKeyword
    case .leftBrace:
      isAfterBody
    default:
      false
    }
  }

  /// Whether the token after the next one, which is `keyword`, can follow it in a definition.
  private mutating func isPlausible(after keyword: Symbol) -> Bool {
    switch peek().kind {
    case .name: true
    case .at: keyword == .directive
    case .leftBrace: OperationKind(keyword) != nil || keyword == .schema
    default: false
    }
  }

  /// The token after the next one.
  private mutating func peek() -> Token {
    var lexer = lexer(at: token.span.end)
    return lexer.next(interning: &document.names)
  }
}

extension Token.Kind {
  /// One for what opens, minus one for what closes, zero for the rest.
  fileprivate var nestingChange: Int {
    switch self {
    case .leftBrace, .leftBracket, .leftParenthesis: 1
    case .rightBrace, .rightBracket, .rightParenthesis: -1
    default: 0
    }
  }
}

extension Token {
  fileprivate var isDefinitionKeyword: Bool {
    kind == .name && symbol.isDefinitionKeyword
  }
}

extension Symbol {
  /// Whether a definition or an extension can start with it.
  fileprivate var isDefinitionKeyword: Bool {
    switch self {
    case .query, .mutation, .subscription, .fragment, .schema, .extend, .scalar, .type, .interface,
      .union, .enum, .input, .directive:
      true
    default:
      false
    }
  }
}
