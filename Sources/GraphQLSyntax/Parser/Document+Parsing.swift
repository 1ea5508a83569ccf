extension Document {
  /// Parses `source` and appends its definitions.
  ///
  /// A syntax error ends the definition that it is in; parsing resumes at the next definition.
  /// Definitions with errors are not in the document.
  /// - Returns: All syntax errors, in the order of the text.
  /// - Complexity: O(*n*) in the bytes of the source, in time and in space, and O(1) in stack.
  public mutating func parse(
    _ source: Source, options: ParserOptions = ParserOptions()
  ) -> [Diagnostic] {
    withParser(of: source, options) { $0.parseDocument() }.diagnostics
  }

  /// Parses `text`, and returns a document with its definitions, and its syntax errors.
  public static func parsing(
    _ text: String, name: String = "GraphQL", options: ParserOptions = ParserOptions()
  ) -> (document: Document, diagnostics: [Diagnostic]) {
    var document = Document()
    let diagnostics = document.parse(Source(name: name, text: text), options: options)
    return (document, diagnostics)
  }

  /// Parses a single value, such as a default value in introspection JSON.
  ///
  /// - Parameters:
  ///   - source: The text, which must hold nothing but the value.
  ///   - allowsVariables: Whether `$name` is a value.
  ///   - options: What is accepted at most.
  /// - Returns: The value, unless there is a syntax error.
  public mutating func parseValue(
    _ source: Source, allowsVariables: Bool = false, options: ParserOptions = ParserOptions()
  ) -> (value: Value?, diagnostics: [Diagnostic]) {
    withParser(of: source, options) { parser in
      parser.parseWhole { (parser) throws(SyntaxAbort) in
        try parser.parseValue(isConstant: !allowsVariables)
      }
    }
  }

  /// Parses a single type, such as `[Int!]!`.
  ///
  /// - Returns: The type, unless there is a syntax error.
  public mutating func parseType(
    _ source: Source, options: ParserOptions = ParserOptions()
  ) -> (type: TypeReference?, diagnostics: [Diagnostic]) {
    withParser(of: source, options) { parser in
      parser.parseWhole { (parser) throws(SyntaxAbort) in try parser.parseTypeReference() }
    }
  }

  /// Appends `source`, and lets `body` parse it into this document.
  private mutating func withParser<Result>(
    of source: Source, _ options: ParserOptions, _ body: (inout Parser) -> Result?
  ) -> (Result?, diagnostics: [Diagnostic]) {
    guard let index = sources.append(source) else {
      return (nil, [Diagnostic(.tooLarge, at: nil)])
    }
    let base = sources.span(ofSourceAt: index).start
    // The parser works on the document itself; leaving a copy here would make it copy every array.
    var document = Document(names: NameTable(), sources: SourceMap())
    swap(&document, &self)
    return source.paddedBytes.withUnsafeBufferPointer { padded in
      let bytes = UnsafeBufferPointer(rebasing: padded[..<source.count])
      if let invalid = bytes.firstInvalidUTF8Index() {
        swap(&document, &self)
        let span = SourceSpan(at: base + UInt32(invalid))
        return (nil, [Diagnostic(.invalidUTF8, at: span)])
      }
      document.names.reserveCapacity(forSourceOf: source.count)
      let lexer = Lexer(
        bytes: padded.baseAddress.unsafelyUnwrapped, count: source.count, base: base,
        tokenLimit: options.tokenLimit)
      var parser = Parser(document: document, lexer: lexer, options: options)
      document = Document(names: NameTable(), sources: SourceMap())
      let result = body(&parser)
      self = parser.document
      return (result, parser.diagnostics)
    }
  }
}

extension Diagnostic {
  /// A syntax error.
  init(_ problem: SyntaxProblem, at span: SourceSpan?) {
    self.init(rule: .syntax, message: problem.message, at: span)
  }
}

extension Document {
  /// Appends `source` without parsing it, so that diagnostics can point into it.
  ///
  /// - Returns: The index of the source, or nil when offsets would no longer fit 32 bits.
  public mutating func append(_ source: Source) -> Int? {
    sources.append(source)
  }
}
