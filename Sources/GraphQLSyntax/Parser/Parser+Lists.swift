/// A list in which parsing can resume after an error in one of the items.
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
  /// Parses one or more items up to the closing bracket, and consumes the bracket.
  ///
  /// After an error in an item, parsing resumes at the next recognizable item. The first error of
  /// each item is reported, and errors that only follow from it are not.
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
  /// Matching brackets are not enough to find it, since a bracket may be what is missing. Line
  /// breaks and indentation of well-laid-out text serve as a second clue:
  ///
  /// 1. Give up if the error makes the rest of the definition meaningless, if the error limit is
  ///    reached, or if the item looks like the start of the next definition.
  /// 2. Read the item again up to the error, to know which brackets are open.
  /// 3. Then examine the following tokens in turn:
  ///    - At a definition keyword at the start of a line, give up.
  ///    - At the closing bracket of the list, resume, unless the bracket closes one opened in the
  ///      item. On a line with less indentation than the item, it always closes the list.
  ///    - At a token that can start an item, resume if all brackets of the item are closed, or if
  ///      the token is first on a line with the indentation of the item or less.
  ///    - In a nested list, give up at a closing bracket or a line that seems to belong to an outer
  ///      list.
  ///
  /// Giving up means rethrowing `abort`. The enclosing list then tries the same, and finally
  /// ``recover(fromDefinitionAt:)``.
  /// - Throws: `abort` if parsing cannot resume in this list.
  @inline(never)
  mutating func resume(
    _ list: RecoverableList, after abort: SyntaxAbort, inItemAt start: Token
  ) throws(SyntaxAbort) {
    guard !abort.endsDefinition, canReportMoreErrors, !containsDefinitionStart(inItemAt: start)
    else {
      throw abort
    }
    discardValues()
    var open = openBrackets(from: start)
    let itemColumn = indentation(of: start)
    // For an item in the middle of a line, the limit is the indentation of that line.
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

  /// Returns whether the next token seems to start an item of `list`.
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
  /// Returns the brackets that are opened from `start` up to the next token and not closed.
  private mutating func openBrackets(from start: Token) -> OpenBrackets {
    var open = OpenBrackets()
    var lexer = lexer(at: start.span.start)
    while true {
      let passed = lexer.next(interning: &document.names)
      if passed.span.start >= token.span.start || passed.kind == .endOfFile { return open }
      _ = open.track(passed.kind)
    }
  }

  /// Returns whether the text up to the error seems to contain the start of another definition.
  ///
  /// This happens if a closing bracket is missing. For example, `type B` is then parsed as a field.
  private mutating func containsDefinitionStart(inItemAt start: Token) -> Bool {
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

  /// Returns the first token on the line of `token`, or `token` itself if its line starts far
  /// before it.
  private mutating func firstToken(onLineOf token: Token) -> Token {
    guard let lineStart = lineStart(before: token, within: 200) else { return token }
    var lexer = lexer(at: lineStart)
    return lexer.next(interning: &document.names)
  }
}

/// The open brackets of a text that is being skipped, which may be unbalanced.
///
/// A closing bracket also closes the unclosed brackets inside its pair: `]` in `[{]` closes both.
/// If the `}` appears afterwards, it is recognized as belonging to them.
/// - Complexity: O(1) on average for each token.
private struct OpenBrackets {
  private var kinds: [Token.Kind] = []
  /// The number of each kind in `kinds`, which avoids a search for a bracket that is not open.
  private var counts: [Token.Kind: Int] = [:]
  /// The number of brackets of each kind that were closed by an outer bracket: `{` in `[{]}`.
  private var crossed: [Token.Kind: Int] = [:]

  var isEmpty: Bool { kinds.isEmpty }

  /// Returns whether `kind` closes a bracket that is open.
  func canClose(_ kind: Token.Kind) -> Bool {
    kind.opening.map { counts[$0, default: 0] + crossed[$0, default: 0] > 0 } ?? false
  }

  /// Records a skipped token.
  ///
  /// - Returns: `false` for a closing bracket that closes none of the open brackets.
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
  /// The opening bracket that a closing bracket matches.
  fileprivate var opening: Token.Kind? {
    switch self {
    case .rightBrace: .leftBrace
    case .rightBracket: .leftBracket
    case .rightParenthesis: .leftParenthesis
    default: nil
    }
  }
}
