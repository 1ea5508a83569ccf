/// An error that ends the current item or definition. It is thrown after a diagnostic was reported.
///
/// The innermost list that can recover catches it and resumes at its next item. If no list can, the
/// definition is abandoned.
struct SyntaxAbort: Error {
  /// A Boolean value that indicates whether the definition is abandoned without an attempt to
  /// recover in a list.
  var endsDefinition = false
}

/// Parses the definitions of one source into a document.
///
/// Each production of the grammar is one function in an extension, with the production in its
/// comment. The parser looks one token ahead.
///
/// - **Nesting.** Selection sets, values and list types can be nested without bound in the grammar.
///   They are parsed with explicit stacks instead of recursion.
/// - **Lists.** The nodes of a list are adjacent in the document. A list whose items can contain
///   lists of the same kind is therefore collected on a scratch stack, and appended when it is
///   closed.
/// - **Errors.** A production reports a ``SyntaxProblem`` and throws ``SyntaxAbort``. Parsing
///   resumes at the next item (``resume(_:after:inItemAt:)``) or at the next definition
///   (``recover(fromDefinitionAt:)``).
struct Parser: ~Copyable {
  var document: Document
  private(set) var diagnostics: [Diagnostic] = []
  let options: ParserOptions

  private var lexer: Lexer
  /// The next token to parse.
  private(set) var token: Token
  /// The end of the token before it.
  private(set) var previousEnd: UInt32

  /// The selections of the open selection sets, those of the innermost set last.
  var selectionScratch: [Selection] = []
  /// The selection sets whose closing braces have not been reached, the innermost last.
  var openSelectionSets: [OpenSelectionSet] = []
  /// The items of the open lists, those of the innermost list last.
  var itemScratch: [Value] = []
  /// The fields of the open objects, those of the innermost object last.
  var objectFieldScratch: [ObjectField] = []
  /// The lists and objects whose closing brackets have not been reached, the innermost last.
  var openValues: [OpenValue] = []
  /// The number of open lists in which parsing could resume after an error.
  var openListCount = 0
  /// The number of fields of earlier sources.
  let firstField: Int
  /// The memory that the nodes of the rest probably need.
  var reservation: Reservation
  /// The start of the current definition, without its description.
  var definitionStart: UInt32 = 0

  init(document: consuming Document, lexer: consuming Lexer, options: ParserOptions) {
    firstField = document.fields.count
    reservation = Reservation(document, forSourcesOf: lexer.count)
    self.document = document
    self.lexer = lexer
    self.options = options
    previousEnd = self.lexer.base
    token = self.lexer.next(interning: &self.document.names)
  }

  /// Consumes the next token.
  @inline(__always)
  mutating func advance() {
    previousEnd = token.span.end
    token = lexer.next(interning: &document.names)
  }

  /// The numbers of bytes that have been read, at least one, and that have not.
  var progress: (read: Int, rest: Int) {
    (max(lexer.position, 1), lexer.count - lexer.position)
  }

  /// Returns to `earlier`, which becomes the next token.
  mutating func rewind(to earlier: Token) {
    previousEnd = earlier.span.start
    lexer.position = Int(earlier.span.end - lexer.base)
    token = earlier
  }

  /// Returns a second lexer that reads from `offset` on.
  func lexer(at offset: UInt32) -> Lexer {
    var copy = Lexer(bytes: lexer.bytes, count: lexer.count, base: lexer.base)
    copy.position = Int(offset - lexer.base)
    return copy
  }

  /// Returns the number of bytes of white space before `token` on its line, or `nil` if another
  /// token precedes it there.
  func indentation(of token: Token) -> Int? {
    let end = Int(token.span.start - lexer.base)
    var start = end
    while start > 0, !lexer.bytes[start - 1].isLineTerminator {
      guard lexer.bytes[start - 1].isIgnored else { return nil }
      start -= 1
    }
    return end - start
  }

  /// Returns the start of the line of `token`, or `nil` if it is more than `count` bytes away.
  func lineStart(before token: Token, within count: Int) -> UInt32? {
    let end = Int(token.span.start - lexer.base)
    for start in stride(from: end, through: max(0, end - count), by: -1)
    where start == 0 || lexer.bytes[start - 1].isLineTerminator {
      return lexer.base + UInt32(start)
    }
    return nil
  }

  /// Returns the span from `start` to the end of the last consumed token.
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
      if lexer.position >= reservation.threshold {
        reservation.reserve(in: &document, read: lexer.position)
      }
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
      guard canReportMoreErrors else {
        diagnostics.append(Diagnostic(.tooManyErrors(limit: options.errorLimit), at: token.span))
        return
      }
      if !isComplete { recover(fromDefinitionAt: start) }
    }
  }

  /// A Boolean value that indicates whether the error limit has not been reached.
  var canReportMoreErrors: Bool { diagnostics.count < options.errorLimit }

  /// Parses with `body`, which must reach the end of the source.
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

  /// Discards all open lists and objects.
  mutating func discardValues() {
    itemScratch.removeAll(keepingCapacity: true)
    objectFieldScratch.removeAll(keepingCapacity: true)
    openValues.removeAll(keepingCapacity: true)
  }
}

// MARK: - Tokens

extension Parser {
  /// Consumes the next token, which must be of `kind`.
  @inline(__always)
  mutating func expect(_ kind: Token.Kind) throws(SyntaxAbort) {
    guard token.kind == kind else {
      throw fail(.expected(kind, found: description(of: token)))
    }
    if kind != .endOfFile { advance() }
  }

  /// Consumes the next token if it is of `kind`, and returns whether it was.
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

  /// Consumes the next token if it is `keyword`, and returns whether it was.
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
  /// Reports `problem` at the next token, and returns the error to throw.
  @inline(never)
  mutating func fail(_ problem: SyntaxProblem) -> SyntaxAbort {
    fail(problem, at: token)
  }

  /// Reports that the text is nested too deeply, and returns an error that ends the definition.
  @inline(never)
  mutating func tooDeep() -> SyntaxAbort {
    report(.tooDeep(limit: options.nestingLimit), at: token)
    return SyntaxAbort(endsDefinition: true)
  }

  /// Reports `problem` at `location`, and returns the error to throw.
  @inline(never)
  mutating func fail(_ problem: SyntaxProblem, at location: Token) -> SyntaxAbort {
    report(problem, at: location)
    return SyntaxAbort()
  }

  /// Reports `problem` at `location`. An invalid next token takes precedence: its lexical error is
  /// reported instead.
  @inline(never)
  mutating func report(_ problem: SyntaxProblem, at location: Token) {
    if token.kind == .invalid, let lexical = lexer.problem {
      var diagnostic = Diagnostic(.lexical(lexical.kind), at: lexical.span)
      diagnostic.fixIts = .replacingLookAlike(lexical.kind, at: lexical.span)
      diagnostics.append(diagnostic)
    } else {
      diagnostics.append(Diagnostic(problem, at: location.span))
    }
  }

  /// Returns the name of `token` in messages: its kind, and its value if it has one.
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

  /// Reports that the next token is unexpected, and returns the error to throw.
  @inline(never)
  mutating func unexpected() -> SyntaxAbort {
    fail(.unexpected(found: description(of: token)))
  }

  @inline(never)
  mutating func unexpected(_ location: Token) -> SyntaxAbort {
    fail(.unexpected(found: description(of: location)), at: location)
  }
}

extension Document {
  /// Returns the value of a token that is a string.
  fileprivate func string(of token: Token) -> String {
    string(StringLiteral(span: token.span, isBlock: token.kind == .blockString))
  }
}
