// MARK: - Definitions

extension Parser {
  /// Skips to where the next definition seems to start, after an error in the one at `start`.
  ///
  /// That is a keyword of a definition (or a description and a keyword) that no bracket is open
  /// around; or, because a closing bracket may be what is missing, one at the start of a line, if
  /// what follows it fits.
  mutating func recover(fromDefinitionAt start: Token) {
    let scan = scan(from: start, to: token)
    if let missed = scan.missedStart { return rewind(to: missed) }
    var depth = scan.depth
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

  /// Reads again what was parsed from `start` up to the error at `end`.
  ///
  /// - Returns: How many brackets are open at `end`; and the token with which a definition seems to
  ///   start after all, if one of the last two was taken for something else: without the closing
  ///   brace of the type before it, `type B` is a field and an error.
  private mutating func scan(
    from start: Token, to end: Token
  ) -> (depth: Int, missedStart: Token?) {
    var lexer = lexer(at: start.span.start)
    var depth = 0
    var lastTwo: [Token] = []
    while true {
      let token = lexer.next(interning: &document.names)
      if token.span.start >= end.span.start || token.kind == .endOfFile { break }
      depth = max(0, depth + token.kind.nestingChange)
      if lastTwo.count == 2 { lastTwo.removeFirst() }
      if token.span.start != start.span.start { lastTwo.append(token) }
    }
    for token in lastTwo where token.isDefinitionKeyword && indentation(of: token) == 0 {
      if isPlausible(token) { return (depth, token) }
    }
    return (depth, nil)
  }

  private mutating func canStartDefinition(atDepth depth: Int, isAfterBody: Bool) -> Bool {
    switch token.kind {
    case .name where token.symbol.isDefinitionKeyword:
      depth == 0 || indentation(of: token) == 0 && isPlausible(token)
    case .string, .blockString:
      (depth == 0 || indentation(of: token) == 0) && peek(after: token).isDefinitionKeyword
    case .leftBrace:
      isAfterBody
    default:
      false
    }
  }

  /// Whether what follows `keyword` can follow it in a definition.
  mutating func isPlausible(_ keyword: Token) -> Bool {
    switch peek(after: keyword).kind {
    case .name: true
    case .at: keyword.symbol == .directive
    case .leftBrace: OperationKind(keyword.symbol) != nil || keyword.symbol == .schema
    default: false
    }
  }

  mutating func peek(after token: Token) -> Token {
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
  var isDefinitionKeyword: Bool {
    kind == .name && symbol.isDefinitionKeyword
  }
}

extension Symbol {
  /// Whether a definition or an extension can start with it.
  var isDefinitionKeyword: Bool {
    switch self {
    case .query, .mutation, .subscription, .fragment, .schema, .extend, .scalar, .type, .interface,
      .union, .enum, .input, .directive:
      true
    default:
      false
    }
  }
}
