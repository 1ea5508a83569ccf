extension FormattedToken {
  /// The tokens of `source`, with all that can be said of them before anything is written.
  static func tokens(of source: Source, _ tokens: [Token], _ layout: Layout) -> [FormattedToken] {
    var result: [FormattedToken] = []
    var openings: [Int] = []
    for (index, token) in tokens.dropLast().enumerated() {
      let end = index == 0 ? 0 : tokens[index - 1].span.end
      var formatted = FormattedToken(
        token, text: source.text(of: token), role: layout.role(of: token),
        lineBreaks: source.lineBreaks(from: end, to: token.span.start))
      if formatted.isClosing, let opening = openings.popLast() {
        result[opening].partner = index
        formatted.isBlock = result[opening].isBlock
      }
      formatted.previous = result.last.map { $0.kind == .comment ? $0.previous : index - 1 } ?? nil
      let context = openings.last
      formatted.findGap(after: result, in: context)
      formatted.measure(after: result.last, isDescription: layout.isDescription(token))
      if formatted.isOpening {
        formatted.isBlock =
          formatted.kind == .leftBrace && context.map { result[$0].isBlock } ?? true
          && result.last?.kind != .equals
        if formatted.isBlock { formatted.breakersThrough += 1 }
        openings.append(index)
      }
      result.append(formatted)
    }
    var next: Int?
    for index in result.indices.reversed() {
      result[index].next = next
      if result[index].kind != .comment { next = index }
    }
    return result
  }

  private init(_ token: Token, text: String, role: Role, lineBreaks: Int) {
    kind = token.kind
    self.text = text
    span = token.span
    self.role = role
    self.lineBreaks = lineBreaks
  }

  private mutating func measure(after previous: FormattedToken?, isDescription: Bool) {
    let isBreaker = kind == .comment || isDescription || text.contains("\n")
    breakersThrough = (previous?.breakersThrough ?? 0) + (isBreaker ? 1 : 0)
    widthThrough =
      (previous?.widthThrough ?? 0) + gap.utf8.count + text.unicodeScalars.count
  }

  /// What stands between this token and the last of `previous` on one line.
  ///
  /// - Parameters:
  ///   - previous: The tokens before this one.
  ///   - context: The index in `previous` of the innermost bracket that is open.
  private mutating func findGap(after previous: [FormattedToken], in context: Int?) {
    guard let last = previous.last else { return }
    let isInList = context.map { !previous[$0].isBlock } ?? false
    let followsOpening = last.isOpening && !last.isBlock
    if role == .itemStart && isInList && !followsOpening {
      gap = ", "
    } else if kind == .leftParenthesis {
      gap = previous.endInOperationKeyword ? " " : ""
    } else if followsOpening || isClosing && !isBlock || kind == .colon || kind == .bang
      || last.kind == .dollar || last.kind == .at
      || last.kind == .spread && kind == .name && text != "on"
    {
      gap = ""
    } else {
      gap = " "
    }
  }
}

extension [FormattedToken] {
  /// Whether an operation without a name is just started.
  fileprivate var endInOperationKeyword: Bool {
    guard let last, last.kind == .name, ["query", "mutation", "subscription"].contains(last.text)
    else { return false }
    if last.role == .definitionStart { return true }
    // After a description, the keyword is the second token.
    guard let before = last.previous.map({ self[$0] }) else { return false }
    return before.role == .definitionStart
      && (before.kind == .string || before.kind == .blockString)
  }
}

extension Layout {
  fileprivate func role(of token: Token) -> FormattedToken.Role {
    if token.kind == .comment { return .plain }
    if definitionStarts.contains(token.span.start) { return .definitionStart }
    if memberStarts[token.span.start] != nil { return .member }
    return itemStarts.contains(token.span.start) ? .itemStart : .plain
  }

  fileprivate func isDescription(_ token: Token) -> Bool {
    descriptionStarts.contains(token.span.start)
  }
}

extension Source {
  /// What is written for `token`.
  fileprivate func text(of token: Token) -> String {
    let written = paddedBytes[Int(token.span.start)..<Int(token.span.end)]
    switch token.kind {
    case .blockString:
      return BlockString.print(BlockString.value(ofRaw: written.dropFirst(3).dropLast(3)))
    case .comment:
      let end = written.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
      return String(decoding: written[...(end ?? written.startIndex)], as: UTF8.self)
    default:
      return String(decoding: written, as: UTF8.self)
    }
  }

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
