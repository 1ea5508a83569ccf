import GraphQLSchema
import GraphQLSyntax

/// A directive that is not repeatable is applied at most once to the same element.
///
/// A type and its extensions count as one element, and so do the schema definition and its
/// extensions.
///
/// Spec: 5.7.3, "Directives Are Unique per Location".
enum UniqueDirectivesPerLocation: WholeRule {
  typealias Subject = SchemaDefinitions

  static let name = ValidationRule.uniqueDirectivesPerLocation.diagnosticRule

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    var firstUses: [DirectiveOwner: [Symbol: SourceSpan]] = [:]
    for applied in definitions.applied {
      if let owner = applied.owner {
        check(applied.list, after: &firstUses[owner, default: [:]], in: &context)
      } else {
        check(applied.list, in: &context)
      }
    }
  }

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
    for id in directives {
      let directive = context.document[id]
      let name = directive.name.symbol
      let isRepeatable =
        context.names.ownDefinitions.directives[name]?.isRepeatable
        ?? context.schema.directive(named: name).map { context.schema[$0].isRepeatable }
      guard isRepeatable == false else { continue }
      guard let first = firstUses[name] else {
        firstUses[name] = directive.span
        continue
      }
      context.report(
        Self.self,
        "The directive \"@\(context.document.spelling(name))\" can only be used once at this location.",
        at: first, notes: [Diagnostic.Note("used again here", at: directive.span)])
    }
  }
}
