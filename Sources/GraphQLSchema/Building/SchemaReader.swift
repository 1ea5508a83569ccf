import GraphQLSyntax

/// Parses the inputs of a schema into one document that starts with the built-in definitions.
struct SchemaReader {
  private(set) var document: Document
  private(set) var diagnostics: [Diagnostic] = []
  private let options: ParserOptions
  /// The SDL that was transcribed from JSON, with the spans of both texts.
  private var transcripts:
    [(sdl: SourceSpan, json: SourceSpan, transcript: IntrospectionTranscript)] =
      []

  init(options: ParserOptions) {
    self.options = options
    document = BuiltIns.schema(for: options).document
  }

  /// Reads inputs in their order. SDL that is not interrupted by introspection is parsed at once.
  mutating func read(_ inputs: [SchemaInput]) {
    var sources: [Source] = []
    for input in inputs {
      switch input {
      case .sdl(let source): sources.append(source)
      case .introspection(let source):
        diagnostics += document.parse(sources, options: options)
        sources = []
        readIntrospection(source)
      }
    }
    diagnostics += document.parse(sources, options: options)
  }

  private mutating func readIntrospection(_ source: Source) {
    // The JSON becomes a source without definitions, so that diagnostics can point into it.
    guard let index = document.append(source) else {
      diagnostics.append(
        Diagnostic(rule: .introspection, message: "The sources are larger than 4 GB.", at: nil))
      return
    }
    let json = document.sources.span(ofSourceAt: index)
    do {
      let text = try IndexedJSON(Array(source.bytes))
      let transcript = IntrospectionTranscript(
        text, options.allowsDirectivesOnDirectives, isConstantValue: isConstantValue)
      var found = DiagnosticList()
      for problem in transcript.problems {
        found.append(
          Diagnostic(
            rule: .introspection, severity: problem.isHarmless ? .warning : .error,
            message: problem.message, at: SourceSpan(at: json.start + UInt32(problem.offset))))
      }
      diagnostics += found.diagnostics
      parse(transcript, of: source, json)
    } catch {
      diagnostics.append(
        Diagnostic(
          rule: .introspection, message: error.message,
          at: SourceSpan(at: json.start + UInt32(error.offset))))
    }
  }

  private mutating func parse(
    _ transcript: IntrospectionTranscript, of source: Source, _ json: SourceSpan
  ) {
    var sdl = Source(name: "\(source.name) (as SDL)", bytes: transcript.sdl)
    sdl.isDerived = true
    let found = document.parse(sdl, options: options)
    let index = document.sources.sources.count - 1
    transcripts.append((document.sources.span(ofSourceAt: index), json, transcript))
    // Parts that are missing from the SDL can cause syntax errors, which say nothing about the
    // JSON.
    if transcript.problems.allSatisfy(\.isHarmless) { diagnostics += found }
  }

  /// Returns whether `text` is exactly one value without variables.
  private func isConstantValue(_ text: String) -> Bool {
    var scratch = Document()
    let (value, diagnostics) = scratch.parseValue(
      Source(name: "default value", text: text), options: options)
    return value != nil && diagnostics.isEmpty
  }
}

// MARK: - Locations

extension SchemaReader {
  /// Sorts `diagnostics` by position, after moving those in transcribed SDL to the JSON it came
  /// from.
  func located(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    let located = transcripts.isEmpty ? diagnostics : diagnostics.map(located)
    return located.sortedByLocation()
  }

  private func located(_ diagnostic: Diagnostic) -> Diagnostic {
    var diagnostic = diagnostic
    diagnostic.span = diagnostic.span.map(located)
    for index in diagnostic.notes.indices {
      diagnostic.notes[index].span = located(diagnostic.notes[index].span)
    }
    return diagnostic
  }

  private func located(_ span: SourceSpan) -> SourceSpan {
    for (sdl, json, transcript) in transcripts where sdl.start <= span.start && span.end <= sdl.end
    {
      let offset = transcript.jsonOffset(of: Int(span.start - sdl.start))
      return SourceSpan(at: json.start + UInt32(offset))
    }
    return span
  }
}
