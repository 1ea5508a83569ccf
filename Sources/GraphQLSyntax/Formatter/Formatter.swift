/// Writes the tokens of a source in the standard layout.
///
/// A pair of brackets stays on one line if it fits, together with the tokens that must follow it,
/// and contains no comment, no description and no string of several lines. Otherwise, each of its
/// items gets a line.
///
/// 1. ``SyntaxMarks`` takes from the syntax tree the offsets where definitions, items and members
///    start.
/// 2. ``FormattedTokens`` classifies each token, finds its separator and its matching bracket, and
///    computes running sums of widths and of forced line breaks.
/// 3. The formatter writes token by token. At an opening bracket, it decides in constant time
///    whether the pair fits on the line, by subtracting running sums.
///
/// Formatting is therefore linear in the number of tokens.
struct Formatter {
  private let tokens: [FormattedToken]
  /// The bytes that the texts of ``tokens`` are ranges of.
  private let texts: [UInt8]
  private let syntaxMarks: SyntaxMarks
  private var output: [UInt8] = []
  private var column = 0
  /// The indentation of the current line.
  private var lineIndentation = 0
  /// A Boolean value that indicates whether a comment ended the line.
  private var isLineOver = false
  private var groups: [Group] = []
  /// A Boolean value that indicates whether each of the current members has its own line.
  private var breaksMembers = false

  static let maximumColumn = 80

  /// An open pair of brackets.
  private struct Group {
    var isBlock: Bool
    /// A Boolean value that indicates whether each item has its own line.
    var isBroken: Bool
    /// The indentation of the text around the brackets.
    var indentation: Int
    /// The index of the closing bracket.
    var end: Int
  }

  init(_ source: Source, _ tokens: [Token], _ syntaxMarks: SyntaxMarks) {
    let formatted = FormattedTokens(of: source, tokens, syntaxMarks)
    self.tokens = formatted.tokens
    texts = formatted.texts
    self.syntaxMarks = syntaxMarks
    output.reserveCapacity(source.count + source.count / 8)
  }

  mutating func format() -> String {
    for index in tokens.indices {
      if tokens[index].kind == .comment {
        writeComment(index)
      } else if !isLeadingSeparator(index) {
        write(index)
      }
    }
    if !output.isEmpty { output.append(UInt8(ascii: "\n")) }
    return String(decoding: output, as: UTF8.self)
  }
}

// MARK: - Tokens

extension Formatter {
  private mutating func write(_ index: Int) {
    let token = tokens[index]
    writeSeparator(before: index)
    isLineOver = false
    write(token)
    if token.isOpening, let end = token.partner {
      groups.append(
        Group(
          isBlock: token.isBlock, isBroken: breaks(index, through: end),
          indentation: token.isBlock ? itemIndentation : lineIndentation, end: end))
    } else if token.isClosing {
      groups.removeLast()
    }
  }

  private mutating func writeSeparator(before index: Int) {
    let token = tokens[index]
    if index == 0 { return }
    switch token.role {
    case .definitionStart where groups.isEmpty:
      if output.isEmpty { return }
      let isAfterComment = tokens[index - 1].kind == .comment && isOnOwnLine(index - 1)
      breakLine(0, blank: !isAfterComment || token.lineBreaks > 1)
      return
    case .member:
      return writeSeparator(beforeMember: index)
    default:
      break
    }
    if let group = groups.last, group.isBroken {
      if group.end == index { return breakLine(group.indentation) }
      if token.role == .itemStart {
        let isFirst = tokens[index - 1].isOpening
        return breakLine(
          group.indentation + 2, blank: group.isBlock && !isFirst && token.lineBreaks > 1)
      }
    }
    if isAfterDescription(index) || isLineOver && token.isBlock {
      breakLine(itemIndentation)
    } else if isLineOver {
      breakLine(itemIndentation + 2)
    } else {
      write(isLeadingSeparator(index - 1) ? .space : token.gap)
    }
  }

  /// Writes the separator before a member of a list. If each member has its own line, `|` precedes
  /// it.
  private mutating func writeSeparator(beforeMember index: Int) {
    if let end = syntaxMarks.memberEnds[tokens[index].span.start] {
      breaksMembers = breaksMembers(from: index, to: end)
    }
    if breaksMembers {
      breakLine(2)
      output.append(contentsOf: "| ".utf8)
      column += 2
    } else if isLineOver {
      breakLine(2)
    } else {
      write(.space)
    }
  }

  /// Returns whether the token at `index` is a separator to drop: a `|` or `&` before the first
  /// member, or one that is written together with its member.
  private func isLeadingSeparator(_ index: Int) -> Bool {
    let token = tokens[index]
    guard groups.isEmpty else { return false }
    if token.kind == .ampersand { return significant(before: index)?.isWord(.implements) == true }
    guard token.kind == .pipe else { return false }
    return breaksMembers || significant(before: index).map { $0.role != .member } ?? true
  }

  /// Returns the nearest token before the one at `index` that is not a comment.
  private func significant(before index: Int) -> FormattedToken? {
    tokens[index].previous.map { tokens[$0] }
  }

  private func isAfterDescription(_ index: Int) -> Bool {
    significant(before: index)
      .map { syntaxMarks.marks(at: $0.span.start).contains(.descriptionStart) } ?? false
  }

  /// The indentation of the current item or definition.
  private var itemIndentation: Int {
    guard let group = groups.last else { return 0 }
    return group.isBroken ? group.indentation + 2 : group.indentation
  }
}

// MARK: - Comments

extension Formatter {
  private mutating func writeComment(_ index: Int) {
    defer {
      write(tokens[index])
      isLineOver = true
    }
    if output.isEmpty { return }
    guard isOnOwnLine(index) else { return write(.space) }
    let next = tokens[index].next.map { tokens[$0] }
    let previous = tokens[index - 1]
    let hasBlankLine = tokens[index].lineBreaks > 1
    if groups.isEmpty && next.map({ $0.role == .definitionStart }) ?? true {
      let isAfterComment = previous.kind == .comment && isOnOwnLine(index - 1)
      breakLine(0, blank: hasBlankLine || !isAfterComment)
    } else if let group = groups.last, group.isBroken,
      next?.role == .itemStart || next?.span == tokens[group.end].span
    {
      breakLine(
        group.indentation + 2, blank: group.isBlock && !previous.isOpening && hasBlankLine)
    } else {
      breakLine(isAfterDescription(index) ? itemIndentation : itemIndentation + 2)
    }
  }

  private func isOnOwnLine(_ index: Int) -> Bool {
    index == 0 || tokens[index].lineBreaks > 0
  }
}

// MARK: - Lines

extension Formatter {
  /// Returns whether each item of the bracket at `start` gets its own line.
  private func breaks(_ start: Int, through end: Int) -> Bool {
    if tokens[start].isBlock { return true }
    if let group = groups.last, !group.isBroken { return false }
    if tokens[end].forcedBreaksThrough > tokens[start].forcedBreaksThrough { return true }
    let width = tokens[end].widthThrough - tokens[start].widthThrough
    return column + width + widthOfTail(after: end) > Self.maximumColumn
  }

  /// Returns the width of the tokens that must stay on the line of the closing bracket at `index`.
  private func widthOfTail(after index: Int) -> Int {
    var last = index
    let start = tokens[index].widthThrough
    for next in tokens[(index + 1)...].indices {
      let token = tokens[next]
      let startsLine =
        token.role == .definitionStart || token.role == .itemStart || token.kind == .pipe
        || token.role == .member || token.isClosing || token.kind == .comment
      if startsLine || tokens[last].isOpening { break }
      last = next
      if tokens[last].widthThrough - start > Self.maximumColumn { break }
    }
    return tokens[last].widthThrough - start
  }

  private func breaksMembers(from start: Int, to end: UInt32) -> Bool {
    guard let last = tokens[start...].firstIndex(where: { $0.span.end == end }) else {
      return false
    }
    if tokens[last].forcedBreaksThrough > tokens[start].forcedBreaksThrough { return true }
    let width = tokens[last].widthThrough - tokens[start].widthThrough
    return column + 1 + tokens[start].text.count + width > Self.maximumColumn
  }

  private mutating func breakLine(_ indentation: Int, blank: Bool = false) {
    if blank { output.append(UInt8(ascii: "\n")) }
    output.append(UInt8(ascii: "\n"))
    indentLine(indentation)
    column = indentation
    lineIndentation = indentation
  }

  private mutating func indentLine(_ indentation: Int) {
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation))
  }

  private mutating func write(_ gap: FormattedToken.Gap) {
    if gap == .commaAndSpace { output.append(UInt8(ascii: ",")) }
    if gap != .none { output.append(UInt8(ascii: " ")) }
    column += gap.width
  }

  /// Writes the text of `token`. Lines after the first get the indentation of the first.
  private mutating func write(_ token: FormattedToken) {
    guard token.isMultiline else {
      output.append(contentsOf: texts[token.text])
      column += token.width
      return
    }
    var rest = texts[token.text]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      output.append(contentsOf: rest[...end])
      rest = rest[(end + 1)...]
      if let next = rest.first, next != UInt8(ascii: "\n") { indentLine(lineIndentation) }
    }
    output.append(contentsOf: rest)
    column = lineIndentation + rest.count { !$0.isUTF8Continuation }
  }
}
