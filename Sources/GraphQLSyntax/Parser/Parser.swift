/// Thrown to give up the definition that is being parsed, after the error was reported.
struct SyntaxAbort: Error {}

/// Parses the definitions of one source into a document.
///
/// There is one function for each production of the grammar, in the extensions. What the grammar
/// nests without bound (selection sets, values, list types) is parsed with stacks of its own, not
/// by recursion. Lists whose items contain lists of the same kind are collected on a scratch stack
/// and appended in one piece, so that each list is contiguous.
struct Parser: ~Copyable {
  var document: Document
  private(set) var diagnostics: [Diagnostic] = []
  let options: ParserOptions

  private var lexer: Lexer
  /// The token to be parsed next.
  private(set) var token: Token
  /// Where the token before it ends.
  private(set) var previousEnd: UInt32

  var selectionScratch: [Selection] = []
  var openSelectionSets: [OpenSelectionSet] = []
  var itemScratch: [Value] = []
  var objectFieldScratch: [ObjectField] = []
  var openValues: [OpenValue] = []

  init(document: consuming Document, lexer: consuming Lexer, options: ParserOptions) {
    self.document = document
    self.lexer = lexer
    self.options = options
    previousEnd = self.lexer.base
    token = self.lexer.next(interning: &self.document.names)
  }

  /// Goes to the next token.
  @inline(__always)
  mutating func advance() {
    previousEnd = token.span.end
    token = lexer.next(interning: &document.names)
  }

  /// Goes back to `earlier`.
  mutating func rewind(to earlier: Token) {
    previousEnd = earlier.span.start
    lexer.position = Int(earlier.span.end - lexer.base)
    token = earlier
  }

  /// A second lexer, from `offset` on.
  func lexer(at offset: UInt32) -> Lexer {
    var copy = Lexer(bytes: lexer.bytes, count: lexer.count, base: lexer.base)
    copy.position = Int(offset - lexer.base)
    return copy
  }

  /// Whether nothing, not even white space, is before `token` on its line.
  func isAtStartOfLine(_ token: Token) -> Bool {
    let index = Int(token.span.start - lexer.base)
    return index == 0 || lexer.bytes[index - 1].isLineTerminator
  }

  /// From `start` to the end of the last token that was consumed.
  @inline(__always)
  func span(from start: UInt32) -> SourceSpan {
    SourceSpan(start: start, end: previousEnd)
  }
}

// MARK: - Documents

extension Parser {
  /// Document : Definition+
  mutating func parseDocument() {
    guard token.kind != .endOfFile else {
      report(.unexpected(found: description(of: token)), at: token)
      return
    }
    while token.kind != .endOfFile {
      let checkpoint = Checkpoint(document)
      let start = token
      do {
        document.definitions.append(try parseDefinition())
      } catch {
        document.truncate(to: checkpoint)
        discardScratch()
        guard diagnostics.count < options.errorLimit else {
          diagnostics.append(Diagnostic(.tooManyErrors(limit: options.errorLimit), at: token.span))
          return
        }
        recover(fromDefinitionAt: start)
      }
    }
  }

  /// Parses with `body`, up to the end of the source.
  mutating func parseWhole<Result>(
    _ body: (inout Parser) throws(SyntaxAbort) -> Result
  ) -> Result? {
    do {
      let result = try body(&self)
      try expect(.endOfFile)
      return result
    } catch {
      discardScratch()
      return nil
    }
  }

  private mutating func discardScratch() {
    selectionScratch.removeAll(keepingCapacity: true)
    openSelectionSets.removeAll(keepingCapacity: true)
    itemScratch.removeAll(keepingCapacity: true)
    objectFieldScratch.removeAll(keepingCapacity: true)
    openValues.removeAll(keepingCapacity: true)
  }
}

// MARK: - Tokens

extension Parser {
  /// Consumes a token of `kind`, which must be next.
  @inline(__always)
  mutating func expect(_ kind: Token.Kind) throws(SyntaxAbort) {
    guard token.kind == kind else {
      throw fail(.expected(kind, found: description(of: token)))
    }
    if kind != .endOfFile { advance() }
  }

  /// Consumes a token of `kind` if it is next, and returns whether it was.
  @inline(__always)
  mutating func skip(_ kind: Token.Kind) -> Bool {
    guard token.kind == kind else { return false }
    advance()
    return true
  }

  @inline(__always)
  func isKeyword(_ keyword: Symbol) -> Bool {
    token.kind == .name && token.symbol == keyword
  }

  /// Consumes `keyword` if it is next, and returns whether it was.
  mutating func skipKeyword(_ keyword: Symbol) -> Bool {
    guard isKeyword(keyword) else { return false }
    advance()
    return true
  }

  mutating func expectKeyword(_ keyword: Symbol) throws(SyntaxAbort) {
    guard isKeyword(keyword) else {
      throw fail(.expectedKeyword(document.names[keyword], found: description(of: token)))
    }
    advance()
  }

  /// Name
  @inline(__always)
  mutating func parseName() throws(SyntaxAbort) -> Name {
    guard token.kind == .name else {
      throw fail(.expected(.name, found: description(of: token)))
    }
    let name = Name(symbol: token.symbol, span: token.span)
    advance()
    return name
  }

  /// Description : StringValue
  @inline(__always)
  mutating func parseDescription() -> StringLiteral? {
    guard token.kind == .string || token.kind == .blockString else { return nil }
    let literal = StringLiteral(span: token.span, isBlock: token.kind == .blockString)
    advance()
    return literal
  }
}

// MARK: - Errors

extension Parser {
  /// Reports `problem` at the next token, and returns what to throw.
  @inline(never)
  mutating func fail(_ problem: SyntaxProblem) -> SyntaxAbort {
    fail(problem, at: token)
  }

  /// Reports `problem` at `place`, unless the text is not even tokens.
  @inline(never)
  mutating func fail(_ problem: SyntaxProblem, at place: Token) -> SyntaxAbort {
    report(problem, at: place)
    return SyntaxAbort()
  }

  private mutating func report(_ problem: SyntaxProblem, at place: Token) {
    if token.kind == .invalid, let lexical = lexer.problem {
      diagnostics.append(Diagnostic(.lexical(lexical.kind), at: lexical.span))
    } else {
      diagnostics.append(Diagnostic(problem, at: place.span))
    }
  }

  /// What the reference calls `token`: its kind, and its value if it has one.
  @inline(never)
  func description(of token: Token) -> String {
    switch token.kind {
    case .name, .int, .float:
      "\(token.kind.description) \"\(document.text(of: token.span))\""
    case .string, .blockString:
      "\(token.kind.description) \"\(document.string(of: token))\""
    default:
      token.kind.description
    }
  }

  /// `Unexpected …` the next token.
  @inline(never)
  mutating func unexpected() -> SyntaxAbort {
    fail(.unexpected(found: description(of: token)))
  }

  @inline(never)
  mutating func unexpected(_ place: Token) -> SyntaxAbort {
    fail(.unexpected(found: description(of: place)), at: place)
  }
}

extension Document {
  /// What a token that is a string means.
  fileprivate func string(of token: Token) -> String {
    string(StringLiteral(span: token.span, isBlock: token.kind == .blockString))
  }
}
