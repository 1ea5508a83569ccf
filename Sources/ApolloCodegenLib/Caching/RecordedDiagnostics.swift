import GraphQLSyntax

/// Diagnostics as lines of text, which the next run repeats without checking anything.
///
/// Each line has a letter and some fields between tabs:
///
/// | letter | fields |
/// | :-- | :-- |
/// | `D` | the rule, severity, message and span of a diagnostic |
/// | `N` | the message and span of a note about it |
/// | `F` | the message of a fix-it |
/// | `E` | the replacement and span of an edit of the fix-it |
///
/// A span is `3:20-24`: an input file's index, and the range of its bytes.
struct RecordedDiagnostics {
  let diagnostics: [Diagnostic]
  /// The inputs, which the spans refer to.
  let sources: SourceMap

  /// Writes diagnostics.
  ///
  /// - Parameters:
  ///   - diagnostics: The diagnostics of a run.
  ///   - sources: The sources that their spans refer to.
  ///   - inputs: The inputs of the run.
  /// - Returns: The lines, or `nil` if a diagnostic points at a text that is not in an input, such
  ///   as SDL made from an introspection result.
  static func lines(
    of diagnostics: [Diagnostic], in sources: SourceMap, _ inputs: ProjectFiles
  ) -> [String]? {
    guard !diagnostics.isEmpty else { return [] }
    let writer = Writer(sources, inputs)
    var lines: [String] = []
    for diagnostic in diagnostics {
      guard let written = writer.lines(of: diagnostic) else { return nil }
      lines += written
    }
    return lines
  }

  /// Reads the lines of a run with the same inputs. Returns `nil` if they are damaged.
  init?(_ lines: some Sequence<Substring>, _ inputs: ProjectFiles) {
    var reader = Reader(inputs)
    for line in lines {
      guard reader.read(line) else { return nil }
    }
    (diagnostics, sources) = (reader.diagnostics, reader.sources)
  }
}

extension ProjectFiles {
  /// All inputs, in the order of their indices in spans.
  fileprivate var all: [Source] { schema + operations }
}

// MARK: - Writing

private struct Writer {
  private let sources: SourceMap
  /// The index of the input that each source is, or `nil` if it is none.
  private let inputs: [Int?]

  init(_ sources: SourceMap, _ inputs: ProjectFiles) {
    self.sources = sources
    let indices = Dictionary(
      inputs.all.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    let counts = inputs.all.map(\.count)
    self.inputs = sources.sources.map { source in
      indices[source.name].flatMap { counts[$0] == source.count && !source.isDerived ? $0 : nil }
    }
  }

  func lines(of diagnostic: Diagnostic) -> [String]? {
    var lines = [
      line(
        "D", diagnostic.rule.rawValue, diagnostic.severity.rawValue, diagnostic.message,
        diagnostic.span.map(text) ?? "-")
    ]
    lines += diagnostic.notes.map { line("N", $0.message, text(of: $0.span)) }
    for fixIt in diagnostic.fixIts {
      lines.append(line("F", fixIt.message))
      lines += fixIt.edits.map { line("E", $0.replacement, text(of: $0.span)) }
    }
    return lines.contains { $0 == nil } ? nil : lines.compactMap(\.self)
  }

  /// Returns a line, or `nil` if a field is missing.
  private func line(_ fields: String?...) -> String? {
    guard !fields.contains(nil) else { return nil }
    return fields.compactMap { $0.map(escaped) }.joined(separator: "\t")
  }

  private func text(of span: SourceSpan) -> String? {
    let index = sources.sourceIndex(at: span.start)
    guard index < inputs.count, let input = inputs[index] else { return nil }
    let base = sources.span(ofSourceAt: index).start
    return "\(input):\(span.start - base)-\(span.end - base)"
  }

  private func escaped(_ field: String) -> String {
    var result = ""
    for scalar in field.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

// MARK: - Reading

private struct Reader {
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var sources = SourceMap()

  init(_ inputs: ProjectFiles) {
    // A map that is full refuses further sources; then their spans are refused below.
    for source in inputs.all { _ = sources.append(source) }
  }

  /// Adds the contents of a line. Returns `false` if it is damaged.
  mutating func read(_ line: Substring) -> Bool {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(Self.unescaped)
    switch (fields[0], fields.count) {
    case ("D", 5):
      guard let severity = Diagnostic.Severity(rawValue: fields[2]) else { return false }
      let place = fields[4] == "-" ? nil : span(fields[4])
      guard place != nil || fields[4] == "-" else { return false }
      diagnostics.append(
        Diagnostic(
          rule: .init(rawValue: fields[1]), severity: severity, message: fields[3], at: place))
    case ("N", 3):
      guard let span = span(fields[2]), !diagnostics.isEmpty else { return false }
      diagnostics[diagnostics.count - 1].notes.append(.init(fields[1], at: span))
    case ("F", 2):
      guard !diagnostics.isEmpty else { return false }
      diagnostics[diagnostics.count - 1].fixIts.append(.init(fields[1], edits: []))
    case ("E", 3):
      guard let span = span(fields[2]), var last = diagnostics.popLast(), !last.fixIts.isEmpty
      else { return false }
      let edit = Diagnostic.Edit(span: span, replacement: fields[1])
      last.fixIts[last.fixIts.count - 1].edits.append(edit)
      diagnostics.append(last)
    default: return false
    }
    return true
  }

  private func span(_ text: String) -> SourceSpan? {
    let numbers = text.split { $0 == ":" || $0 == "-" }.compactMap { UInt32($0) }
    guard numbers.count == 3, Int(numbers[0]) < sources.sources.count else { return nil }
    let whole = sources.span(ofSourceAt: Int(numbers[0]))
    guard numbers[1] <= numbers[2], numbers[2] <= whole.end - whole.start else { return nil }
    return SourceSpan(start: whole.start + numbers[1], end: whole.start + numbers[2])
  }

  private static func unescaped(_ field: Substring) -> String {
    var result = ""
    var isEscaped = false
    for scalar in field.unicodeScalars {
      switch (isEscaped, scalar) {
      case (false, "\\"):
        isEscaped = true
        continue
      case (true, "n"): result += "\n"
      case (true, "r"): result += "\r"
      case (true, "t"): result += "\t"
      default: result.unicodeScalars.append(scalar)
      }
      isEscaped = false
    }
    return result
  }
}
