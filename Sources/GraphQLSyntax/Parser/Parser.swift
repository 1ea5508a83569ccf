/// Thrown after an error was reported, to give up what is being parsed: up to the next item of the
/// innermost list that can go on, or else the definition.
struct SyntaxAbort: Error {
  /// Whether no list may go on.
  var endsDefinition = false
}

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
  /// How many lists are open that could go on after an error in an item.
  var openListCount = 0
  /// Where the definition that is being parsed starts, without its description.
  var definitionStart: UInt32 = 0

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

  /// How many bytes of white space are before `token` on its line; nil if there is anything else.
  func indentation(of token: Token) -> Int? {
    let end = Int(token.span.start - lexer.base)
    var start = end
    while start > 0, !lexer.bytes[start - 1].isLineTerminator {
      guard lexer.bytes[start - 1].isIgnored else { return nil }
      start -= 1
    }
    return end - start
  }

  /// Where the line of `token` starts, if that is at most `count` bytes before it.
  func lineStart(before token: Token, within count: Int) -> UInt32? {
    let end = Int(token.span.start - lexer.base)
    for start in stride(from: end, through: max(0, end - count), by: -1)
    where start == 0 || lexer.bytes[start - 1].isLineTerminator {
      return lexer.base + UInt32(start)
    }
    return nil
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
      let errorCount = diagnostics.count
      var isComplete = true
      do {
        let definition = try parseDefinition()
        if diagnostics.count == errorCount { document.definitions.append(definition) }
      } catch {
        isComplete = false
      }
      guard diagnostics.count > errorCount else { continue }
      document.truncate(to: checkpoint)
      discardScratch()
      guard hasRoomForErrors else {
        diagnostics.append(Diagnostic(.tooManyErrors(limit: options.errorLimit), at: token.span))
        return
      }
      if !isComplete { recover(fromDefinitionAt: start) }
    }
  }

  /// Whether further errors may be reported.
  var hasRoomForErrors: Bool { diagnostics.count < options.errorLimit }

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
    openListCount = 0
    discardValues()
  }

  /// Forgets the lists and objects that are open.
  mutating func discardValues() {
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

  /// Reports that brackets are nested too deep, after which nothing of the definition makes sense.
  @inline(never)
  mutating func tooDeep() -> SyntaxAbort {
    report(.tooDeep(limit: options.nestingLimit), at: token)
    return SyntaxAbort(endsDefinition: true)
  }

  /// Reports `problem` at `place`, unless the text is not even tokens.
  @inline(never)
  mutating func fail(_ problem: SyntaxProblem, at place: Token) -> SyntaxAbort {
    report(problem, at: place)
    return SyntaxAbort()
  }

  /// Reports `problem` at `place`, without giving anything up.
  @inline(never)
  mutating func report(_ problem: SyntaxProblem, at place: Token) {
    if token.kind == .invalid, let lexical = lexer.problem {
      var diagnostic = Diagnostic(.lexical(lexical.kind), at: lexical.span)
      diagnostic.fixIts = .replacingLookAlike(lexical.kind, at: lexical.span)
      diagnostics.append(diagnostic)
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
