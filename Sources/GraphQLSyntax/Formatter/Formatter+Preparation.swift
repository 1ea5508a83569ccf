/// The tokens of a source, measured and classified for the formatter.
struct FormattedTokens {
  private(set) var tokens: [FormattedToken]
  /// The bytes of the source, followed by the rewritten texts of some tokens.
  private(set) var texts: [UInt8]

  init(of source: Source, _ tokens: [Token], _ syntaxMarks: SyntaxMarks) {
    self.tokens = []
    texts = []
    texts.reserveCapacity(source.count * 2)
    texts += source.bytes
    var result: [FormattedToken] = []
    result.reserveCapacity(tokens.count)
    var openings: [Int] = []
    for (index, token) in tokens.dropLast().enumerated() {
      let end = index == 0 ? 0 : tokens[index - 1].span.end
      var formatted = FormattedToken(
        token, text: writtenText(of: token, in: source), role: syntaxMarks.role(of: token),
        lineBreaks: source.lineBreaks(from: end, to: token.span.start))
      if formatted.isClosing, let opening = openings.popLast() {
        result[opening].partner = index
        formatted.isBlock = result[opening].isBlock
      }
      formatted.previous = result.last.map { $0.kind == .comment ? $0.previous : index - 1 } ?? nil
      let context = openings.last
      formatted.findGap(after: result, in: context)
      formatted.measure(
        after: result.last, isDescription: syntaxMarks.isDescription(token), texts[formatted.text])
      if formatted.isOpening {
        formatted.isBlock =
          formatted.kind == .leftBrace && context.map { result[$0].isBlock } ?? true
          && result.last?.kind != .equals
        if formatted.isBlock { formatted.forcedBreaksThrough += 1 }
        openings.append(index)
      }
      result.append(formatted)
    }
    var next: Int?
    for index in result.indices.reversed() {
      result[index].next = next
      if result[index].kind != .comment { next = index }
    }
    self.tokens = result
  }

  /// Returns the text to write for `token`, appending it to `texts` if it differs from the source.
  private mutating func writtenText(of token: Token, in source: Source) -> Range<Int> {
    let range = Int(token.span.start)..<Int(token.span.end)
    switch token.kind {
    case .blockString:
      let start = texts.count
      let raw = source.paddedBytes[range].dropFirst(3).dropLast(3)
      texts += BlockString.printed(BlockString.bytes(ofRaw: raw))
      return start..<texts.count
    case .comment:
      let last = texts[range].lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
      return range.lowerBound..<(last ?? range.lowerBound) + 1
    default:
      return range
    }
  }
}

extension FormattedToken {
  fileprivate init(_ token: Token, text: Range<Int>, role: Role, lineBreaks: Int) {
    kind = token.kind
    symbol = token.symbol
    self.text = text
    span = token.span
    self.role = role
    self.lineBreaks = lineBreaks
  }

  fileprivate mutating func measure(
    after previous: FormattedToken?, isDescription: Bool, _ text: ArraySlice<UInt8>
  ) {
    for byte in text {
      if byte == UInt8(ascii: "\n") { isMultiline = true }
      if !byte.isUTF8Continuation { width += 1 }
    }
    let forcesBreak = kind == .comment || isDescription || isMultiline
    forcedBreaksThrough = (previous?.forcedBreaksThrough ?? 0) + (forcesBreak ? 1 : 0)
    widthThrough = (previous?.widthThrough ?? 0) + gap.width + width
  }

  /// Finds the separator between this token and the last of `previous`.
  ///
  /// - Parameters:
  ///   - previous: The tokens before this one.
  ///   - context: The index in `previous` of the innermost open bracket.
  fileprivate mutating func findGap(after previous: [FormattedToken], in context: Int?) {
    guard let last = previous.last else { return }
    let isInList = context.map { !previous[$0].isBlock } ?? false
    let followsOpening = last.isOpening && !last.isBlock
    if role == .itemStart && isInList && !followsOpening {
      gap = .commaAndSpace
    } else if kind == .leftParenthesis {
      gap = previous.endInOperationKeyword ? .space : .none
    } else if followsOpening || isClosing && !isBlock || kind == .colon || kind == .bang
      || last.kind == .dollar || last.kind == .at
      || last.kind == .spread && kind == .name && symbol != .on
    {
      gap = .none
    } else {
      gap = .space
    }
  }
}

extension [FormattedToken] {
  /// A Boolean value that indicates whether the last token is the keyword of an operation, so that
  /// parentheses follow it without a name.
  fileprivate var endInOperationKeyword: Bool {
    guard let last, last.kind == .name, OperationKind(last.symbol) != nil else { return false }
    if last.role == .definitionStart { return true }
    // After a description, the keyword is the second token.
    guard let before = last.previous.map({ self[$0] }) else { return false }
    return before.role == .definitionStart
      && (before.kind == .string || before.kind == .blockString)
  }
}

extension SyntaxMarks {
  fileprivate func role(of token: Token) -> FormattedToken.Role {
    let marks = token.kind == .comment ? [] : marks(at: token.span.start)
    if marks.isEmpty { return .plain }
    if marks.contains(.definitionStart) { return .definitionStart }
    if marks.contains(.memberStart) { return .member }
    return marks.contains(.itemStart) ? .itemStart : .plain
  }

  fileprivate func isDescription(_ token: Token) -> Bool {
    marks(at: token.span.start).contains(.descriptionStart)
  }
}

extension Source {
  fileprivate func lineBreaks(from start: UInt32, to end: UInt32) -> Int {
    var count = 0
    for index in Int(start)..<Int(end) where paddedBytes[index].isLineTerminator {
      let isSecondOfPair =
        index > start && paddedBytes[index] == UInt8(ascii: "\n")
        && paddedBytes[index - 1] == UInt8(ascii: "\r")
      if !isSecondOfPair { count += 1 }
    }
    return count
  }
}
