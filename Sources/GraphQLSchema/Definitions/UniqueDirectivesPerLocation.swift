import GraphQLSyntax

/// A directive that is not repeatable is applied to an element at most once.
///
/// A type and its extensions count as one element, and so do the schema definition and its
/// extensions.
///
/// Spec: 5.7.3, "Directives Are Unique per Location".
enum UniqueDirectivesPerLocation: DefinitionRule {
  static let name: Diagnostic.Rule = "UniqueDirectivesPerLocation"

  static func check(_ context: inout DefinitionValidation) {
    var seenOfOwner: [AppliedDirectives.Owner: [Symbol: Directive]] = [:]
    for applied in context.applied {
      guard applied.owner != .other else {
        var seen: [Symbol: Directive] = [:]
        if applied.list.count > 1 { check(applied.list, &seen, &context) }
        continue
      }
      check(applied.list, &seenOfOwner[applied.owner, default: [:]], &context)
    }
  }

  private static func check(
    _ list: Directive.List, _ seen: inout [Symbol: Directive],
    _ context: inout DefinitionValidation
  ) {
    for directive in context.document[list] {
      let name = directive.name.symbol
      let isRepeatable = context.schema.directive(named: name)
        .map { context.schema[$0].isRepeatable }
      guard isRepeatable == false else { continue }
      guard let first = seen[name] else {
        seen[name] = directive
        continue
      }
      context.report(
        Self.self,
        "The directive \"@\(context.spelling(directive.name))\" "
          + "can only be used once at this location.",
        at: [
          LabeledSpan(first.span, "first used here"),
          LabeledSpan(directive.span, "used again here"),
        ])
    }
  }
}
