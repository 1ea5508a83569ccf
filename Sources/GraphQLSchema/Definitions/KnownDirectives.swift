import GraphQLSyntax

/// Applied directives are defined, for the location where they appear.
///
/// Spec: 5.7.1 and 5.7.2, "Directives Are Defined", "Directives Are in Valid Locations".
enum KnownDirectives: DefinitionRule {
  static let name: Diagnostic.Rule = "KnownDirectives"

  static func check(_ context: inout DefinitionValidation) {
    for applied in context.applied {
      for directive in context.document[applied.list] {
        check(directive, at: applied.location, &context)
      }
    }
  }

  private static func check(
    _ directive: Directive, at location: DirectiveLocation, _ context: inout DefinitionValidation
  ) {
    let spelling = context.spelling(directive.name)
    guard let definition = context.schema.directive(named: directive.name.symbol) else {
      return context.report(
        Self.self, "Unknown directive \"@\(spelling)\".",
        at: [LabeledSpan(directive.span, "this directive")])
    }
    guard !context.schema[definition].locations.contains(location) else { return }
    context.report(
      Self.self,
      "Directive \"@\(spelling)\" may not be used on "
        + "\(context.document.spelling(location.symbol)).",
      at: [LabeledSpan(directive.span, "used here")])
  }
}
