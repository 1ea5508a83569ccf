import GraphQLSchema
import GraphQLSyntax

/// A directive that is not repeatable is applied at most once to the same thing.
///
/// Spec: 5.7.3, "Directives Are Unique per Location".
enum UniqueDirectivesPerLocation {
  static func check(_ directives: Directive.List, in context: inout ValidationContext) {
    guard directives.count > 1 else { return }
    let document = context.document
    var firstUses: [Symbol: SourceSpan] = [:]
    for directive in document[directives] {
      let name = directive.name.symbol
      guard let definition = context.schema.directive(named: name),
        !context.schema[definition].isRepeatable
      else { continue }
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
