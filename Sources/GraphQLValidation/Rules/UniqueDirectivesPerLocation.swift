import GraphQLSchema
import GraphQLSyntax

/// A directive that is not repeatable is applied at most once to the same element.
///
/// Spec: 5.7.3, "Directives Are Unique per Location".
enum UniqueDirectivesPerLocation {
  static func check(_ directives: Directive.List, in context: inout ValidationContext) {
    guard directives.count > 1 else { return }
    var firstUses: [Symbol: SourceSpan] = [:]
    check(directives, after: &firstUses, in: &context)
  }

  /// Checks directives on an element that can have other directives as well.
  static func check(
    _ directives: Directive.List, after firstUses: inout [Symbol: SourceSpan],
    in context: inout ValidationContext
  ) {
    let document = context.document
    for directive in document[directives] {
      let name = directive.name.symbol
      let isRepeatable =
        context.ownDefinitions.directives[name]?.isRepeatable
        ?? context.schema.directive(named: name).map { context.schema[$0].isRepeatable }
      guard isRepeatable == false else { continue }
      guard let first = firstUses[name] else {
        firstUses[name] = directive.span
        continue
      }
      context.report(
        .uniqueDirectivesPerLocation,
        "The directive \"@\(document.spelling(name))\" can only be used once at this location.",
        at: first, notes: [Diagnostic.Note("used again here", at: directive.span)])
    }
  }
}
