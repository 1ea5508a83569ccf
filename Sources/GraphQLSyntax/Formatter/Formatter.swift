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
  /// `true` if a comment was written last. Nothing can follow it on its line.
  private var isAfterComment = false
  private var groups: [Group] = []
  /// `true` if each of the current union members, or directive locations, has its own line.
  private var membersHaveLines = false

  static let maximumColumn = 80
  private static let indentationWidth = 2

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
      } else if !isDroppedSeparator(index) {
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
    if !output.isEmpty { writeSeparator(before: index) }
    isAfterComment = false
    write(token)
    if token.isOpening, let end = token.partner {
      groups.append(
        Group(
          isBlock: token.isBlock, isBroken: itemsNeedLines(from: index, to: end),
          indentation: token.isBlock ? itemIndentation : lineIndentation, end: end))
    } else if token.isClosing {
      groups.removeLast()
    }
  }

  /// Writes the separator between a token and the one before it: line breaks, a space or nothing.
  ///
  /// A *group* is a pair of brackets with the *items* between them; a *block* is a group in braces
  /// whose items always have lines of their own. *Members* are the types of a union and the
  /// locations of a directive, which have no brackets.
  ///
  /// 1. A definition starts on a new line.
  /// 2. A member starts on a new line if the members do not fit on one line.
  /// 3. In a group that is broken into lines, each item and the closing bracket start on a new
  ///    line.
  /// 4. Any other token continues the line, unless a comment or a description ended it.
  private mutating func writeSeparator(before index: Int) {
    let token = tokens[index]
    if token.role == .definitionStart, groups.isEmpty {
      writeSeparator(beforeDefinition: index)
    } else if token.role == .member {
      writeSeparator(beforeMember: index)
    } else if let group = groups.last, group.isBroken, group.end == index {
      breakLine(indentation: group.indentation)
    } else if let group = groups.last, group.isBroken, token.role == .itemStart {
      writeSeparator(beforeItem: index, of: group)
    } else if isAfterComment || isAfterDescription(index) {
      breakLine(inside: index)
    } else {
      // `implements & Node` becomes `implements Node`.
      write(isDroppedSeparator(index - 1) ? .space : token.gap)
    }
  }

  /// Starts a definition on a new line. A blank line comes before it, unless a comment is directly
  /// above it in the source.
  private mutating func writeSeparator(beforeDefinition index: Int) {
    let isBelowComment = tokens[index - 1].kind == .comment && isOnOwnLine(index - 1)
    breakLine(indentation: 0, blank: !isBelowComment || tokens[index].lineBreaks > 1)
  }

  /// Starts an item on a new line. Between the items of a block, blank lines of the source become
  /// one blank line.
  private mutating func writeSeparator(beforeItem index: Int, of group: Group) {
    let isFirst = tokens[index - 1].isOpening
    breakLine(
      indentation: group.indentation + Self.indentationWidth,
      blank: group.isBlock && !isFirst && tokens[index].lineBreaks > 1)
  }

  /// Continues a definition or an item on a new line.
  ///
  /// The line is indented one level deeper than the definition or item, unless it begins a block or
  /// follows a description.
  private mutating func breakLine(inside index: Int) {
    let isFlush = tokens[index].isBlock || isAfterDescription(index)
    breakLine(indentation: itemIndentation + (isFlush ? 0 : Self.indentationWidth))
  }

  /// Writes the separator before a member of a union or a location of a directive definition: a
  /// space, or a line break and `| ` if each of them has its own line.
  private mutating func writeSeparator(beforeMember index: Int) {
    if let end = syntaxMarks.memberEnds[tokens[index].span.start] {
      membersHaveLines = membersNeedLines(from: index, to: end)
    }
    guard membersHaveLines || isAfterComment else { return write(.space) }
    breakLine(indentation: Self.indentationWidth)
    if membersHaveLines {
      output.append(contentsOf: "| ".utf8)
      column += 2
    }
  }

  /// Returns whether the token at `index` is a separator that the formatter drops.
  ///
  /// These are the optional `|` and `&` before the first item of a list, and every `|` if each
  /// member has its own line, because ``writeSeparator(beforeMember:)`` writes it then.
  private func isDroppedSeparator(_ index: Int) -> Bool {
    guard groups.isEmpty else { return false }
    return switch tokens[index].kind {
    // An interface can have the name `implements`.
    case .ampersand: !isAfterInterface(index)
    case .pipe: membersHaveLines || significantToken(before: index)?.role != .member
    default: false
    }
  }

  /// Returns the nearest token before the one at `index` that is not a comment.
  private func significantToken(before index: Int) -> FormattedToken? {
    tokens[index].previous.map { tokens[$0] }
  }

  private func isAfterInterface(_ index: Int) -> Bool {
    guard let previous = significantToken(before: index) else { return false }
    return syntaxMarks.marks(at: previous.span.start).contains(.interfaceStart)
  }

  private func isAfterDescription(_ index: Int) -> Bool {
    guard let previous = significantToken(before: index) else { return false }
    return syntaxMarks.marks(at: previous.span.start).contains(.descriptionStart)
  }

  /// The indentation of the current item or definition.
  private var itemIndentation: Int {
    guard let group = groups.last else { return 0 }
    return group.indentation + (group.isBroken ? Self.indentationWidth : 0)
  }
}

// MARK: - Comments

extension Formatter {
  private mutating func writeComment(_ index: Int) {
    if !output.isEmpty { writeSeparator(beforeComment: index) }
    write(tokens[index])
    isAfterComment = true
  }

  /// Writes the separator before a comment.
  ///
  /// A comment behind a token stays on its line. A comment on its own line is placed like the token
  /// that it precedes: like a definition, like an item or a closing bracket, or inside of them. So
  /// is a comment behind a separator that was dropped after another comment.
  private mutating func writeSeparator(beforeComment index: Int) {
    guard isOnOwnLine(index) || isAfterComment else { return write(.space) }
    let next = tokens[index].next.map { tokens[$0] }
    if groups.isEmpty, next == nil || next?.role == .definitionStart {
      writeSeparator(beforeDefinition: index)
    } else if let group = groups.last, group.isBroken,
      next?.role == .itemStart || next?.span == tokens[group.end].span
    {
      writeSeparator(beforeItem: index, of: group)
    } else {
      breakLine(inside: index)
    }
  }

  private func isOnOwnLine(_ index: Int) -> Bool {
    index == 0 || tokens[index].lineBreaks > 0
  }
}

// MARK: - Lines

extension Formatter {
  /// Returns whether the items between the brackets at `start` and `end` need a line each.
  private func itemsNeedLines(from start: Int, to end: Int) -> Bool {
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

  /// Returns whether the members from the token at `start` up to the offset `end` need a line each.
  private func membersNeedLines(from start: Int, to end: UInt32) -> Bool {
    guard let last = tokens[start...].firstIndex(where: { $0.span.end == end }) else {
      return false
    }
    if tokens[last].forcedBreaksThrough > tokens[start].forcedBreaksThrough { return true }
    let width = tokens[last].widthThrough - tokens[start].widthThrough
    return column + 1 + tokens[start].text.count + width > Self.maximumColumn
  }

  private mutating func breakLine(indentation: Int, blank: Bool = false) {
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
