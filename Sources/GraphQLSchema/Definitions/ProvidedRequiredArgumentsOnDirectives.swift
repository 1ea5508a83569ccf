import GraphQLSyntax

/// Applied directives have all required arguments.
///
/// Spec: 5.4.3, "Required Arguments".
enum ProvidedRequiredArgumentsOnDirectives: DefinitionRule {
  static let name: Diagnostic.Rule = "ProvidedRequiredArgumentsOnDirectives"

  static func check(_ context: inout DefinitionValidation) {
    for applied in context.applied {
      for directive in context.document[applied.list] { check(directive, &context) }
    }
  }

  private static func check(_ directive: Directive, _ context: inout DefinitionValidation) {
    let schema = context.schema
    guard let definition = schema.directive(named: directive.name.symbol),
      !schema[definition].arguments.isEmpty, !context.isFull
    else { return }
    let given = Set(context.document[directive.arguments].map(\.name.symbol))
    for id in schema[definition].arguments where schema[id].isRequired {
      guard !given.contains(schema[id].name), !context.isFull else { continue }
      context.report(
        Self.self,
        "Directive \"@\(context.spelling(directive.name))\" argument "
          + "\"\(schema.spelling(schema[id].name))\" of type "
          + "\"\(schema.spelling(schema[id].type))\" is required, but it was not provided.",
        at: [LabeledSpan(directive.span, "this directive")])
    }
  }
}
