import GraphQLSyntax

/// The names that a file defines and uses, read from its tokens.
///
/// The parser leaves a definition with a mistake out of the document. Its name and its fragment
/// spreads are in the index all the same, so that a file with a mistake keeps its relations to
/// others while it is edited.
struct FileIndex: Hashable {
  /// An operation or a fragment.
  struct Definition: Hashable {
    /// The name of the fragment, or `nil` for an operation.
    var fragment: String?
    /// The name of the operation, or `nil` for a fragment and an operation without a name.
    var operation: String?
    /// The type of the fragment.
    var typeCondition: String?
    /// The names of the fragments that it spreads.
    var spreads: Set<String> = []
  }

  private(set) var definitions: [Definition] = []

  init(_ source: Source) {
    let tokens = source.tokens().tokens
    func text(_ index: Int) -> String? {
      guard index < tokens.count, tokens[index].kind == .name else { return nil }
      let span = tokens[index].span
      return String(decoding: source.bytes[Int(span.start)..<Int(span.end)], as: UTF8.self)
    }
    var depth = 0
    var isBeforeBody = false
    for (index, token) in tokens.enumerated() {
      switch token.kind {
      case .leftBrace:
        if depth == 0, !isBeforeBody { definitions.append(Definition()) }
        depth += 1
      case .leftParenthesis, .leftBracket: depth += 1
      case .rightParenthesis, .rightBracket: depth = max(0, depth - 1)
      case .rightBrace:
        depth = max(0, depth - 1)
        if depth == 0 { isBeforeBody = false }
      case .spread:
        guard let name = text(index + 1), name != "on", !definitions.isEmpty else { continue }
        definitions[definitions.count - 1].spreads.insert(name)
      case .name where depth == 0 || Self.isAtStartOfLine(token, source):
        guard let keyword = text(index), Self.starts(keyword, tokens, index) else { continue }
        depth = 0
        isBeforeBody = true
        let name = text(index + 1)
        switch keyword {
        case "fragment":
          let next = Self.end(ofVariablesAt: index + 2, tokens)
          let condition = text(next) == "on" ? text(next + 1) : nil
          definitions.append(Definition(fragment: name, typeCondition: condition))
        case "query", "mutation", "subscription": definitions.append(Definition(operation: name))
        // Definitions of a schema, which are mistakes here, have bodies too.
        default: continue
        }
      default: continue
      }
    }
  }

  /// Returns the index behind the variables of a fragment, which begin at `index` if there are any.
  private static func end(ofVariablesAt index: Int, _ tokens: [Token]) -> Int {
    guard index < tokens.count, tokens[index].kind == .leftParenthesis else { return index }
    var depth = 0
    for position in index..<tokens.count {
      switch tokens[position].kind {
      case .leftParenthesis: depth += 1
      case .rightParenthesis: depth -= 1
      default: break
      }
      if depth == 0 { return position + 1 }
    }
    return tokens.count
  }

  /// Returns whether a name at depth 0, or at the start of a line, begins a definition.
  private static func starts(_ keyword: String, _ tokens: [Token], _ index: Int) -> Bool {
    let isInHeader = index > 0 && [.colon, .dollar, .at, .equals].contains(tokens[index - 1].kind)
    guard !isInHeader, index + 1 < tokens.count else { return false }
    let next = tokens[index + 1].kind
    switch keyword {
    case "query", "mutation", "subscription":
      return next == .name || next == .leftBrace || next == .leftParenthesis || next == .at
    case "fragment": return next == .name
    case "type", "input", "interface", "enum", "schema", "extend": return true
    default: return false
    }
  }

  private static func isAtStartOfLine(_ token: Token, _ source: Source) -> Bool {
    let start = Int(token.span.start)
    return start == 0 || source.bytes[start - 1] == 0xA || source.bytes[start - 1] == 0xD
  }
}
