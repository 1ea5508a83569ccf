// MARK: - Definitions

extension Parser {
  /// Skips to the start of the next definition, after an error in the one at `start`.
  ///
  /// 1. Read the failed definition again, to find out how many brackets are open at the error.
  /// 2. If one of the two tokens before the error is a definition keyword at the start of a line,
  ///    return to it: the parser took it for something else because a closing bracket is missing.
  /// 3. Otherwise, skip to the next definition keyword, or to a description in front of one. It
  ///    must be outside all brackets, or at the start of a line and followed by a token that fits.
  /// 4. Outside all brackets, a `{` directly after a `}` also starts a definition: a shorthand
  ///    query.
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

  /// Reads the tokens from `start` up to the error at `end` again.
  ///
  /// - Returns: The number of open brackets at `end`. If one of the two tokens before `end` seems
  ///   to start a definition, `missedStart` is that token.
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

  /// Returns whether the token after `keyword` can follow it in a definition.
  mutating func isPlausible(_ keyword: Token) -> Bool {
    switch peek(after: keyword).kind {
    case .name: true
    case .at: keyword.symbol == .directive
    case .leftBrace: OperationKind(keyword.symbol) != nil || keyword.symbol == .schema
    default: false
    }
  }

  /// Returns the token after `token`, without consuming anything.
  mutating func peek(after token: Token) -> Token {
    var lexer = lexer(at: token.span.end)
    return lexer.next(interning: &document.names)
  }
}

extension Token.Kind {
  /// The change in nesting depth: 1 for an opening bracket, -1 for a closing bracket, else 0.
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
  /// A Boolean value that indicates whether a definition or an extension can start with the word.
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
