import GraphQLSyntax

/// Directive definitions have different names.
///
/// Spec: 3.3, "Schema".
enum UniqueDirectiveNames: DefinitionRule {
  static let name: Diagnostic.Rule = "UniqueDirectiveNames"

  static func check(_ context: inout DefinitionValidation) {
    let existing = Set(context.directives(in: context.base ?? []).map(\.name.symbol))
    var first: [Symbol: Name] = [:]
    for directive in context.directives {
      let name = directive.name
      if existing.contains(name.symbol) {
        context.report(
          Self.self,
          "Directive \"@\(context.spelling(name))\" already exists in the schema. "
            + "It cannot be redefined.",
          at: [LabeledSpan(name.span, "defined again here")])
      } else if let first = first[name.symbol] {
        context.report(
          Self.self, "There can be only one directive named \"@\(context.spelling(name))\".",
          at: [
            LabeledSpan(first.span, "first defined here"),
            LabeledSpan(name.span, "defined again here"),
          ])
      } else {
        first[name.symbol] = name
      }
    }
  }
}
