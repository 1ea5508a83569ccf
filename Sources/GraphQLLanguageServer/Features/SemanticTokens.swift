import GraphQLSchema
import GraphQLSyntax

/// `textDocument/semanticTokens/full`: the kinds of all words of a file.
///
/// A definition with a syntax error has no meanings; its words are those of the lexer.
enum SemanticTokens {
  /// The kinds, in the order of the legend.
  enum Kind: Int, CaseIterable {
    case keyword, type, property, parameter, variable, function, decorator, enumMember, string
    case number, comment

    var name: String { "\(self)" }
  }

  static let legend = JSONOutput.object([
    ("tokenTypes", .array(Kind.allCases.map { .string($0.name) })),
    ("tokenModifiers", .array([.string("declaration"), .string("deprecated")])),
  ])

  /// Returns the tokens, five numbers each: the lines since the token before, the characters since
  /// its start or that of the line, the length, the kind and the modifiers.
  static func tokens(_ request: FeatureRequest) -> JSONOutput {
    let text = request.text
    let description = ElementDescription(schema: text.schema)
    var meanings: [Int: (kind: Kind, modifiers: Int)] = [:]
    for occurrence in text.occurrences {
      let isDeprecated = description.deprecation(of: occurrence.meaning) != nil
      let start = text.bytes(of: occurrence.span).lowerBound
      meanings[start] = (
        kind(of: occurrence.meaning), (occurrence.isDefinition ? 1 : 0) | (isDeprecated ? 2 : 0)
      )
    }
    var numbers: [JSONOutput] = []
    var last = TextPosition(line: 0, character: 0)
    var positions = PositionCounter(request.buffer, request.encoding)
    func append(_ bytes: Range<Int>, _ kind: Kind, _ modifiers: Int) {
      let range = positions.range(of: bytes)
      guard range.end.character > range.start.character else { return }
      let isSameLine = range.start.line == last.line
      numbers += [
        range.start.line - last.line,
        isSameLine ? range.start.character - last.character : range.start.character,
        range.end.character - range.start.character, kind.rawValue, modifiers,
      ].map { .number($0) }
      last = range.start
    }
    let tokens = request.source.tokens(keepsComments: true).tokens
    for (index, token) in tokens.enumerated() {
      let bytes = Int(token.span.start)..<Int(token.span.end)
      let isVariable = index > 0 && tokens[index - 1].kind == .dollar
      // The meaning of a variable begins at its `$`.
      if let (kind, modifiers) = meanings[isVariable ? bytes.lowerBound - 1 : bytes.lowerBound],
        token.kind == .name
      {
        append(bytes, kind, modifiers)
      } else if let kind = lexicalKind(
        of: token, after: index > 0 ? tokens[index - 1].kind : nil, in: request.buffer.bytes)
      {
        // No token of the protocol continues on another line.
        for line in request.buffer.lines(of: bytes) { append(line, kind, 0) }
      }
    }
    return .object([("data", .row(numbers))])
  }

  private static func kind(of meaning: Meaning) -> Kind {
    switch meaning {
    case .type: .type
    case .field, .alias: .property
    case .inputValue, .fragmentVariable: .parameter
    case .enumValue: .enumMember
    case .directive: .decorator
    case .fragment, .operation: .function
    case .variable: .variable
    }
  }

  private static let keywords: Set<String> = [
    "query", "mutation", "subscription", "fragment", "on", "true", "false", "null", "schema",
    "extend", "scalar", "type", "interface", "union", "enum", "input", "directive", "implements",
    "repeatable",
  ]

  private static func lexicalKind(
    of token: Token, after previous: Token.Kind?, in bytes: [UInt8]
  ) -> Kind? {
    switch token.kind {
    case .int, .float: .number
    case .string, .blockString: .string
    case .comment: .comment
    case .name where previous == .dollar: .variable
    case .name where previous == .at: .decorator
    case .name:
      keywords.contains(
        String(decoding: bytes[Int(token.span.start)..<Int(token.span.end)], as: UTF8.self))
        ? .keyword : nil
    default: nil
    }
  }
}

extension TextBuffer {
  /// Returns the parts of `bytes` on each line, without line terminators.
  func lines(of bytes: Range<Int>) -> [Range<Int>] {
    self.bytes[bytes].split(whereSeparator: { $0 == 0xA || $0 == 0xD }).map(\.indices)
  }
}
