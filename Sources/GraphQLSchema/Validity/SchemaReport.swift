import GraphQLSyntax

/// What rules found in a schema, as severe as is configured.
struct SchemaReport {
  private var found = DiagnosticList()
  private let options: SchemaOptions

  init(_ options: SchemaOptions) {
    self.options = options
  }

  /// What was reported, in the order in which it was found.
  var diagnostics: [Diagnostic] { found.diagnostics }

  /// Whether so much was found that the rest is not reported. Who may find a great many more checks
  /// this first, as finding them takes time.
  var isFull: Bool { found.isFull }

  /// Adds a diagnostic at the first place, with notes at the others.
  ///
  /// - Parameters:
  ///   - rule: The rule that is violated.
  ///   - message: One sentence.
  ///   - places: Where to look, the most important place first.
  mutating func add(_ rule: Diagnostic.Rule, _ message: String, at places: [Place]) {
    guard !isFull else { return }
    guard !options.silencedRules.contains(rule) else { return found.skip() }
    found.append(
      Diagnostic(
        rule: rule, severity: options.severities[rule] ?? .error, message: message,
        at: places.first?.span,
        notes: places.dropFirst().map { Diagnostic.Note($0.label, at: $0.span) }))
  }
}

/// A place that a diagnostic points at, and what is there.
struct Place {
  var span: SourceSpan
  var label: String

  init(_ span: SourceSpan, _ label: String) {
    self.span = span
    self.label = label
  }

  /// Nil when there is no span.
  init?(_ span: SourceSpan?, _ label: String) {
    guard let span else { return nil }
    self.init(span, label)
  }
}
