import GraphQLSyntax

/// Collects the diagnostics of rules for a schema, with the configured severities.
struct SchemaReport {
  private var found = DiagnosticList()
  private let options: SchemaOptions

  init(_ options: SchemaOptions) {
    self.options = options
  }

  /// The diagnostics, in the order in which they were added.
  var diagnostics: [Diagnostic] { found.diagnostics }

  /// A Boolean value that indicates whether further violations are dropped.
  ///
  /// Check this before a search that can find many violations.
  var isFull: Bool { found.isFull }

  /// Adds a diagnostic at the first span, with notes at the others.
  ///
  /// - Parameters:
  ///   - rule: The violated rule.
  ///   - message: The message, one sentence.
  ///   - spans: The spans to point at, the most important one first.
  mutating func add(_ rule: Diagnostic.Rule, _ message: String, at spans: [LabeledSpan]) {
    guard !isFull else { return }
    guard let severity = (options.severities[rule] ?? .error).diagnosticSeverity else {
      return found.skip()
    }
    found.append(
      Diagnostic(
        rule: rule, severity: severity, message: message,
        at: spans.first?.span,
        notes: spans.dropFirst().map { Diagnostic.Note($0.label, at: $0.span) }))
  }
}

/// A span that a diagnostic points at, with a remark about the text there.
struct LabeledSpan {
  var span: SourceSpan
  var label: String

  init(_ span: SourceSpan, _ label: String) {
    self.span = span
    self.label = label
  }

  /// Creates a labeled span, or `nil` without a span.
  init?(_ span: SourceSpan?, _ label: String) {
    guard let span else { return nil }
    self.init(span, label)
  }
}
