import GraphQLSyntax

/// Computes fix-its that remove variables of an operation, but keep the comments between them.
struct VariableRemovals {
  private let operation: OperationDefinition
  private let document: Document

  init(_ operation: OperationDefinition, _ document: Document) {
    self.operation = operation
    self.document = document
  }

  /// Returns a fix-it that removes one variable, and the white space and commas up to the next one.
  func removal(of id: VariableDefinition.ID) -> Diagnostic.FixIt {
    var span = document[id].span
    if id.index + 1 < operation.variables.endIndex {
      span.end = document.variableDefinitions[id.index + 1].span.start
    } else if id.index > operation.variables.startIndex {
      let before = SourceSpan(
        start: document.variableDefinitions[id.index - 1].span.end, end: span.start)
      if comments(in: before).isEmpty { span.start = before.start }
    }
    return Diagnostic.FixIt("remove the variable", edits: edits(removing: span))
  }

  /// A fix-it that removes all variables with their parentheses, or `nil` if there are none.
  var removalOfAll: Diagnostic.FixIt? {
    guard let first = operation.variables.first, let last = operation.variables.last else {
      return nil
    }
    let head = SourceSpan(start: operation.span.start, end: document[first].span.start)
    let tail = SourceSpan(
      start: document[last].span.end, end: operation.selectionSet.span.start)
    guard let open = tokens(in: head).last(where: { $0.kind == .leftParenthesis }),
      let close = tokens(in: tail).first(where: { $0.kind == .rightParenthesis })
    else { return nil }
    return Diagnostic.FixIt(
      "remove the variables", edits: edits(removing: open.span.through(close.span)))
  }

  /// Returns edits that remove everything in `span` except comments and the white space after them.
  private func edits(removing span: SourceSpan) -> [Diagnostic.Edit] {
    let comments = comments(in: span)
    guard let first = comments.first else {
      return [Diagnostic.Edit(span: span, replacement: "")]
    }
    // A comment that moves to the start of the span must not touch the token before it.
    var edits = [
      Diagnostic.Edit(
        span: SourceSpan(start: span.start, end: first.start),
        replacement: isBlank(before: span.start) ? "" : " ")
    ]
    for (index, comment) in comments.enumerated() {
      let end = index + 1 < comments.count ? comments[index + 1].start : span.end
      let rest = SourceSpan(start: comment.end, end: end)
      let blanks = document.sources.bytes(of: rest).prefix { $0.isWhiteSpace }.count
      guard blanks < rest.end - rest.start else { continue }
      edits.append(
        Diagnostic.Edit(
          span: SourceSpan(start: rest.start + UInt32(blanks), end: end), replacement: ""))
    }
    return edits.filter { $0.span.start < $0.span.end }
  }

  private func isBlank(before offset: UInt32) -> Bool {
    let before = SourceSpan(start: operation.span.start, end: offset)
    return document.sources.bytes(of: before).last?.isWhiteSpace ?? true
  }

  private func comments(in span: SourceSpan) -> [SourceSpan] {
    guard document.sources.bytes(of: span).contains(UInt8(ascii: "#")) else { return [] }
    return tokens(in: span).filter { $0.kind == .comment }.map(\.span)
  }

  /// Returns the tokens in `span`, including comments.
  private func tokens(in span: SourceSpan) -> [Token] {
    let part = Source(name: "", bytes: Array(document.sources.bytes(of: span)))
    return part.tokens(keepsComments: true).tokens.map { token in
      var token = token
      token.span.start += span.start
      token.span.end += span.start
      return token
    }
  }
}

extension UInt8 {
  fileprivate var isWhiteSpace: Bool {
    switch self {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
    default: false
    }
  }
}
