import GraphQLSyntax

/// Every operation has a name, because its type is named after it.
enum NamedOperations: GenerationRule {
  static func diagnostics(_ subject: ClientDocument) -> [Diagnostic] {
    subject.document.operations.filter { $0.name == nil }.map {
      Diagnostic(
        rule: "NamedOperations",
        message: "An operation without a name cannot become a type. Give it a name.",
        at: SourceSpan(at: $0.span.start))
    }
  }
}
