import GraphQLSyntax

/// What rules found in a schema, up to a limit.
struct SchemaReport {
  private(set) var diagnostics: [Diagnostic] = []
  /// How many more places may be told besides the first of each diagnostic, and how many bytes of
  /// messages.
  private var room = (places: 200_000, messages: 50_000_000)

  /// Whether so much was found that the rest is not reported. Who may find a great many more checks
  /// this first, as finding them takes time.
  private(set) var isFull = false

  /// Adds a diagnostic at the first place, with notes at the others.
  ///
  /// - Parameters:
  ///   - rule: The rule that is violated.
  ///   - message: One sentence.
  ///   - places: Where to look, the most important place first.
  mutating func add(_ rule: Diagnostic.Rule, _ message: String, at places: [Place]) {
    guard !isFull else { return }
    guard diagnostics.count < Diagnostic.greatestCount, room.messages > 0 else {
      isFull = true
      diagnostics.append(.tooMany)
      return
    }
    let others = places.dropFirst().prefix(max(1, room.places))
    room.places -= others.count
    room.messages -= message.utf8.count
    diagnostics.append(
      Diagnostic(
        rule: rule, message: message, at: places.first?.span,
        notes: others.map { Diagnostic.Note($0.label, at: $0.span) }))
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
