extension Document {
  /// Parses `source` and appends its definitions.
  ///
  /// A syntax error does not end parsing. The parser reports the first error of each item of a list
  /// and of each definition, and resumes at the next one. Definitions with errors are left out of
  /// the document.
  ///
  /// ```swift
  /// let source = Source(name: "Hero.graphql", text: "query Hero { hero { name } }")
  /// var document = Document()
  /// let diagnostics = document.parse(source)
  /// ```
  /// - Parameters:
  ///   - source: The text to parse.
  ///   - options: The limits of the parser.
  /// - Returns: All syntax errors, in the order of the text.
  /// - Complexity: O(*n*) time and space, where *n* is the number of bytes, and O(1) stack.
  public mutating func parse(
    _ source: Source, options: ParserOptions = ParserOptions()
  ) -> [Diagnostic] {
    parse([source], options: options)
  }

  /// Parses sources one after another, and appends their definitions.
  ///
  /// The result is the same as with one call for each. But memory for the nodes is reserved
  /// according to the size of all sources, so that a hundred large ones take a hundred times as
  /// long as one.
  ///
  /// - Parameters:
  ///   - sources: The texts to parse.
  ///   - options: The limits of the parser, for each source.
  /// - Returns: All syntax errors, in the order of the texts.
  /// - Complexity: O(*n*) time and space, where *n* is the number of bytes, and O(1) stack.
  public mutating func parse(
    _ sources: [Source], options: ParserOptions = ParserOptions()
  ) -> [Diagnostic] {
    var reservation = Reservation(self, forSourcesOf: sources.reduce(0) { $0 + $1.count })
    var diagnostics: [Diagnostic] = []
    for source in sources {
      diagnostics +=
        withParser(of: source, options) { parser in
          parser.reservation = reservation
          parser.parseDocument()
          reservation = parser.reservation
        }.diagnostics
      reservation.finish(sourceOf: source.count)
    }
    return diagnostics
  }

  /// Parses `text` into a new document.
  ///
  /// ```swift
  /// let (document, diagnostics) = Document.parsing("query Hero { hero { name } }")
  /// ```
  /// - Parameters:
  ///   - text: The text to parse.
  ///   - name: The name that diagnostics show for the text.
  ///   - options: The limits of the parser.
  /// - Returns: The document, and all syntax errors in the order of the text.
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
  ///   - source: A text that consists of the value alone.
  ///   - allowsVariables: Whether the value can contain variables.
  ///   - options: The limits of the parser.
  /// - Returns: The value, or `nil` with the syntax errors.
  public mutating func parseValue(
    _ source: Source, allowsVariables: Bool = false, options: ParserOptions = ParserOptions()
  ) -> (value: Value?, diagnostics: [Diagnostic]) {
    withParser(of: source, options) { parser in
      parser.parseWhole { (parser) throws(SyntaxAbort) in
        try parser.parseValue(isConstant: !allowsVariables)
      }
    }
  }

  /// Parses a single type reference, such as `[Int!]!`.
  ///
  /// - Parameters:
  ///   - source: A text that consists of the type alone.
  ///   - options: The limits of the parser.
  /// - Returns: The type, or `nil` with the syntax errors.
  public mutating func parseType(
    _ source: Source, options: ParserOptions = ParserOptions()
  ) -> (type: TypeReference?, diagnostics: [Diagnostic]) {
    withParser(of: source, options) { parser in
      parser.parseWhole { (parser) throws(SyntaxAbort) in try parser.parseTypeReference() }
    }
  }

  /// Appends `source` and runs `body` with a parser for it that adds to this document.
  private mutating func withParser<Result>(
    of source: Source, _ options: ParserOptions, _ body: (inout Parser) -> Result?
  ) -> (Result?, diagnostics: [Diagnostic]) {
    guard let index = sources.append(source) else {
      return (nil, [Diagnostic(.tooLarge, at: nil)])
    }
    let base = sources.span(ofSourceAt: index).start
    // The parser must be the only owner of the document. A second reference would copy every array.
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
  /// Creates the diagnostic of a syntax error.
  init(_ problem: SyntaxProblem, at span: SourceSpan?) {
    self.init(rule: .syntax, message: problem.message, at: span)
  }
}

extension Document {
  /// Appends `source` without parsing it, so that diagnostics can point into it.
  ///
  /// - Returns: The index of the source, or `nil` if its offsets would exceed 32 bits.
  public mutating func append(_ source: Source) -> Int? {
    sources.append(source)
  }
}
