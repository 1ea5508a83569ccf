/// A list that can go on after an error in one of its items.
enum RecoverableList {
  case selections
  case fieldDefinitions
  case enumValues
  case inputFields
  case argumentDefinitions
  case variableDefinitions
  case rootOperationTypes
  case arguments

  /// The bracket after the last item.
  var close: Token.Kind {
    switch self {
    case .selections, .fieldDefinitions, .enumValues, .inputFields, .rootOperationTypes:
      .rightBrace
    case .argumentDefinitions, .variableDefinitions, .arguments: .rightParenthesis
    }
  }
}

extension Parser {
  /// Parses items up to the closing bracket, which is consumed. There must be one item at least.
  ///
  /// After an error in an item, it goes on with the next one that can be told: so the first error of
  /// each item is reported, and nothing that only follows from it.
  @inline(__always)
  mutating func parseItems(
    of list: RecoverableList, _ parseItem: (inout Parser) throws(SyntaxAbort) -> Void
  ) throws(SyntaxAbort) {
    openListCount += 1
    defer { openListCount -= 1 }
    repeat {
      let start = token
      do throws(SyntaxAbort) {
        try parseItem(&self)
      } catch {
        try resume(list, after: error, inItemAt: start)
      }
    } while !skip(list.close)
  }

  /// Skips to the next item of `list`, or to its closing bracket, after an error in the item at
  /// `start`.
  ///
  /// Where brackets seem to be missing, indentation tells what belongs where.
  /// - Throws: `abort` when the list cannot go on: at the end, where a definition seems to start, and
  ///   at what seems to belong to an outer list.
  @inline(never)
  mutating func resume(
    _ list: RecoverableList, after abort: SyntaxAbort, inItemAt start: Token
  ) throws(SyntaxAbort) {
    guard !abort.endsDefinition, hasRoomForErrors, !missesDefinition(inItemAt: start) else {
      throw abort
    }
    discardValues()
    var open = openBrackets(from: start)
    let itemColumn = indentation(of: start)
    // What is no further in than the line of an item that is not first on it, is not beside the item.
    let outerColumn =
      itemColumn.map { $0 - 1 } ?? indentation(of: firstToken(onLineOf: start)) ?? -1
    while token.kind != .endOfFile {
      let column = indentation(of: token)
      if column == 0 && startsDefinition(token) { break }
      let isOutdented = column.map { $0 <= outerColumn } ?? false
      if token.kind == list.close && (isOutdented || !open.canClose(token.kind)) { return }
      let isInner = openListCount > 1
      if isInner && isOutdented { break }
      let isBeside = column != nil && column == itemColumn
      if token.span.start > start.span.start, open.isEmpty || isBeside || isOutdented,
        canStartItem(of: list, isFirstOnLine: column != nil)
      {
        return
      }
      if !open.track(token.kind) && isInner { break }
      advance()
    }
    throw abort
  }

  /// Whether the next token seems to start an item of `list`.
  private mutating func canStartItem(of list: RecoverableList, isFirstOnLine: Bool) -> Bool {
    switch (token.kind, list) {
    case (.spread, .selections): isFirstOnLine
    case (.name, .selections), (.name, .enumValues): isFirstOnLine
    case (.name, .variableDefinitions): false
    case (.name, .fieldDefinitions):
      isFirstOnLine || [.colon, .leftParenthesis].contains(peek(after: token).kind)
    case (.name, _): isFirstOnLine || peek(after: token).kind == .colon
    case (.dollar, .variableDefinitions): true
    case (.string, .variableDefinitions), (.blockString, .variableDefinitions):
      peek(after: token).kind == .dollar
    case (.string, .fieldDefinitions), (.string, .enumValues), (.string, .inputFields),
      (.string, .argumentDefinitions), (.blockString, .fieldDefinitions),
      (.blockString, .enumValues), (.blockString, .inputFields),
      (.blockString, .argumentDefinitions):
      peek(after: token).kind == .name
    default: false
    }
  }
}

// MARK: - Where the error is

extension Parser {
  /// The brackets that were opened and not closed from `start` up to the next token.
  private mutating func openBrackets(from start: Token) -> OpenBrackets {
    var open = OpenBrackets()
    var lexer = lexer(at: start.span.start)
    while true {
      let passed = lexer.next(interning: &document.names)
      if passed.span.start >= token.span.start || passed.kind == .endOfFile { return open }
      _ = open.track(passed.kind)
    }
  }

  /// Whether another definition seems to have started before the error, because a closing bracket is
  /// missing: `type B` was taken for a field, say.
  private mutating func missesDefinition(inItemAt start: Token) -> Bool {
    [start, firstToken(onLineOf: token)].contains { candidate in
      candidate.span.start > definitionStart && indentation(of: candidate) == 0
        && startsDefinition(candidate)
    }
  }

  private mutating func startsDefinition(_ token: Token) -> Bool {
    switch token.kind {
    case .name: token.symbol.isDefinitionKeyword && isPlausible(token)
    case .string, .blockString: peek(after: token).isDefinitionKeyword
    default: false
    }
  }

  /// The first token on the line of `token`, unless that is far away: then `token`.
  private mutating func firstToken(onLineOf token: Token) -> Token {
    guard let lineStart = lineStart(before: token, within: 200) else { return token }
    var lexer = lexer(at: lineStart)
    return lexer.next(interning: &document.names)
  }
}

/// Opening brackets that wait for their partners.
///
/// Whatever is tracked takes constant time on average, however many brackets are open.
private struct OpenBrackets {
  private var kinds: [Token.Kind] = []
  /// How many of `kinds` there are of each, so that nobody searches for what is not there.
  private var counts: [Token.Kind: Int] = [:]
  /// How many of each were closed only because one before them was: `{` in `[{]}`.
  private var crossed: [Token.Kind: Int] = [:]

  var isEmpty: Bool { kinds.isEmpty }

  /// Whether `kind` is a closing bracket whose partner is open.
  func canClose(_ kind: Token.Kind) -> Bool {
    kind.opening.map { counts[$0, default: 0] + crossed[$0, default: 0] > 0 } ?? false
  }

  /// Notes a token that is skipped.
  ///
  /// - Returns: False for a closing bracket whose partner is not open.
  mutating func track(_ kind: Token.Kind) -> Bool {
    switch kind {
    case .leftBrace, .leftBracket, .leftParenthesis:
      kinds.append(kind)
      counts[kind, default: 0] += 1
      return true
    default: return kind.opening.map { close($0) } ?? true
    }
  }

  private mutating func close(_ opening: Token.Kind) -> Bool {
    if counts[opening, default: 0] > 0 {
      while let last = kinds.popLast() {
        counts[last, default: 0] -= 1
        if last == opening { break }
        crossed[last, default: 0] += 1
      }
    } else if crossed[opening, default: 0] > 0 {
      crossed[opening, default: 0] -= 1
    } else {
      return false
    }
    return true
  }
}

extension Token.Kind {
  /// The partner of a closing bracket.
  fileprivate var opening: Token.Kind? {
    switch self {
    case .rightBrace: .leftBrace
    case .rightBracket: .leftBracket
    case .rightParenthesis: .leftParenthesis
    default: nil
    }
  }
}
