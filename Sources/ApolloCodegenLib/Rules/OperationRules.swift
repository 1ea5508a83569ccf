import ApolloIR
import GraphQLSyntax

/// Rules for operations that only generated code needs.
enum OperationRules {
  /// Returns the diagnostics of these rules, with those of validation in between.
  ///
  /// The order is that of the output.
  static func diagnostics(
    around validation: [Diagnostic], in document: Document
  ) -> [Diagnostic] {
    anonymousOperations(in: document) + validation + DeferRules.diagnostics(in: document)
      + ImportRules.diagnostics(in: document) + MaxAgeRules.diagnostics(in: document)
  }

  /// Every operation has a name, because its type is named after it.
  private static func anonymousOperations(in document: Document) -> [Diagnostic] {
    document.operations.filter { $0.name == nil }.map {
      Diagnostic(
        rule: "NamedOperations",
        message: "An operation without a name cannot become a type. Give it a name.",
        at: SourceSpan(at: $0.span.start))
    }
  }
}
