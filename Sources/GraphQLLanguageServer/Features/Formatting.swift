import GraphQLSyntax

/// `textDocument/formatting`: the standard layout, as `apollo-cli format` writes it.
enum Formatting {
  /// Returns one edit of the lines that change, or nothing for a text with syntax errors.
  static func edits(_ request: FeatureRequest) -> JSONOutput {
    guard !request.source.isBlank, let text = request.source.formatted(options: .drafts).text else {
      return .array([])
    }
    let (old, new) = (request.buffer.bytes, Array(text.utf8))
    guard old != new else { return .array([]) }
    // The common lines at the start and the end stay as they are, and with them the cursor.
    var start = zip(old, new).prefix { $0 == $1 }.count
    while !isLineStart(old, start) { start -= 1 }
    let room = min(old.count, new.count) - start
    var end = zip(old.reversed(), new.reversed()).prefix(room).prefix { $0 == $1 }.count
    while end > 0, !isLineStart(old, old.count - end) || !isLineStart(new, new.count - end) {
      end -= 1
    }
    let replacement = String(decoding: new[start..<new.count - end], as: UTF8.self)
    return .array([
      .object([
        ("range", request.range(start..<old.count - end).json),
        ("newText", .string(replacement)),
      ])
    ])
  }

  private static func isLineStart(_ text: [UInt8], _ index: Int) -> Bool {
    index == 0 || text[index - 1] == 0xA
  }
}
