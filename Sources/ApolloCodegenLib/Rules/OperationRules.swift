import ApolloIR
import GraphQLSyntax

/// Rules for operations that the specification does not have, because only generated code needs them.
enum OperationRules {
  /// Returns the diagnostics of these rules, with those of validation in between.
  ///
  /// The order is that of the output: operations without a name come first, since nothing else that
  /// is said about them matters.
  static func diagnostics(
    around validation: [Diagnostic], in document: Document
  ) -> [Diagnostic] {
    anonymousOperations(in: document) + validation + ineffectiveDirectives(in: document)
      + DeferRules.diagnostics(in: document) + ImportRules.diagnostics(in: document)
  }

  /// Every operation has a name, after which its type is called.
  private static func anonymousOperations(in document: Document) -> [Diagnostic] {
    document.operations.filter { $0.name == nil }.map {
      Diagnostic(
        rule: "NamedOperations",
        message: "An operation without a name cannot become a type. Give it a name.",
        at: SourceSpan(at: $0.span.start))
    }
  }

  /// Directives that are known and have no effect in this version.
  private static func ineffectiveDirectives(in document: Document) -> [Diagnostic] {
    document.directives.compactMap { directive in
      guard document.spelling(directive.name) == ClientDirective.deferred else { return nil }
      return Diagnostic(
        rule: "EffectiveDirectives", severity: .warning,
        message: "'@defer' is not sent by this version: the server answers everything at once.",
        at: directive.span)
    }
  }
}
