import GraphQLSchema
import GraphQLSyntax

/// Every directive is defined, for the location where it appears.
///
/// Spec: 5.7.1, "Directives Are Defined"; 5.7.2, "Directives Are in Valid Locations".
enum KnownDirectives: WholeRule {
  typealias Subject = SchemaDefinitions

  static let name = ValidationRule.knownDirectives.diagnosticRule

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    for applied in definitions.applied {
      for directive in context.document[applied.list] {
        let definition = context.schema.directive(named: directive.name.symbol)
        check(directive, definition, at: applied.location, in: &context)
      }
    }
  }

  static func check(
    _ directive: Directive, _ definition: Schema.DirectiveDefinition.ID?,
    at location: DirectiveLocation, in context: inout ValidationContext
  ) {
    if let definition, context.schema[definition].locations.contains(location) { return }
    guard !context.isOfClient(directive, at: location) else { return }
    if definition == nil {
      reportUnknown(directive, at: location, in: &context)
    } else {
      reportLocation(location, of: directive, in: &context)
    }
  }

  private static func reportUnknown(
    _ directive: Directive, at location: DirectiveLocation, in context: inout ValidationContext
  ) {
    let (spelling, schema) = (context.spelling(directive.name), context.schema)
    let candidates = context.candidates(
      for: spelling,
      among: schema.directives.lazy.filter { $0.locations.contains(location) }.map {
        schema.spelling($0.name)
      })
    context.report(
      Self.self, "Unknown directive \"@\(spelling)\".", at: directive.span,
      fixIts: Diagnostic.FixIt.correctSpelling(of: directive.name.span, to: candidates))
  }

  /// Reports that `directive` is applied at a location that its definition does not allow.
  static func reportLocation(
    _ location: DirectiveLocation, of directive: Directive, in context: inout ValidationContext
  ) {
    context.report(
      Self.self,
      "Directive \"@\(context.spelling(directive.name))\" may not be used on "
        + "\(context.document.spelling(location.symbol)).",
      at: directive.span)
  }
}

extension ValidationContext {
  fileprivate func isOfClient(_ directive: Directive, at location: DirectiveLocation) -> Bool {
    guard !names.clientDirectives.isEmpty else { return false }
    return names.clientDirectives[spelling(directive.name)]?.contains(location) ?? false
  }
}
