import GraphQLSyntax

/// Applied directives have only arguments that are defined.
///
/// Spec: 5.4.1, "Argument Names".
enum KnownArgumentNamesOnDirectives: DefinitionRule {
  static let name: Diagnostic.Rule = "KnownArgumentNamesOnDirectives"

  static func check(_ context: inout DefinitionValidation) {
    for applied in context.applied {
      for directive in context.document[applied.list] {
        guard let definition = context.schema.directive(named: directive.name.symbol) else {
          continue
        }
        let known = context.schema[definition].arguments
        for argument in context.document[directive.arguments]
        where context.schema.argument(argument.name.symbol, in: known) == nil {
          report(argument, of: directive, known, &context)
        }
      }
    }
  }

  private static func report(
    _ argument: Argument, of directive: Directive, _ known: NodeList<Schema.InputValue>,
    _ context: inout DefinitionValidation
  ) {
    let schema = context.schema
    let spelling = context.spelling(argument.name)
    let candidates = context.suggestions.candidates(
      for: spelling, among: schema[known].lazy.map { schema.spelling($0.name) })
    context.report(
      Self.self,
      "Unknown argument \"\(spelling)\" on directive "
        + "\"@\(context.spelling(directive.name))\".\(didYouMean(candidates))",
      at: [LabeledSpan(argument.span, "this argument")])
  }
}
