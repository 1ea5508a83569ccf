import GraphQLSyntax

/// An executable document contains only operations and fragments.
///
/// Spec: 5.1.1, "Executable Definitions".
enum ExecutableDefinitions: Rule {
  static let name = ValidationRule.executableDefinitions.diagnosticRule

  static func check(_ definition: Definition, in context: inout ValidationContext) {
    context.report(
      Self.self,
      "The \(subject(of: definition, in: context.document)) definition is not executable.",
      at: context.document.span(of: definition))
  }

  private static func subject(of definition: Definition, in document: Document) -> String {
    switch definition {
    case .operation, .fragment, .schema: "schema"
    case .type(let id): "\"\(document.spelling(document[id].name))\""
    case .directive(let id): "\"\(document.spelling(document[id].name))\""
    }
  }
}
