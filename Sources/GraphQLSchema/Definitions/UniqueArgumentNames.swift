import GraphQLSyntax

/// An applied directive has each argument at most once.
///
/// Spec: 5.4.2, "Argument Uniqueness".
enum UniqueArgumentNames: DefinitionRule {
  static let name: Diagnostic.Rule = "UniqueArgumentNames"

  static func check(_ context: inout DefinitionValidation) {
    for applied in context.applied {
      for directive in context.document[applied.list] where directive.arguments.count > 1 {
        let names = context.document[directive.arguments].map(\.name)
        for names in repetitions(of: names) {
          context.report(
            Self.self, "There can be only one argument named \"\(context.spelling(names[0]))\".",
            at: names.map { LabeledSpan($0.span, "given here") })
        }
      }
    }
  }
}
