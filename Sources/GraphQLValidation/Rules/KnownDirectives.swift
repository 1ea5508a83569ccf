import GraphQLSchema
import GraphQLSyntax

/// Every directive is defined, and applied where its definition allows.
///
/// Spec: 5.7.1, "Directives Are Defined"; 5.7.2, "Directives Are in Valid Locations".
enum KnownDirectives {
  static func check(
    _ directive: Directive, _ definition: Schema.DirectiveDefinition.ID?,
    at location: DirectiveLocation, in context: inout ValidationContext
  ) {
    guard let definition else {
      return context.report(
        .knownDirectives, "Unknown directive \"@\(context.document.spelling(directive.name))\".",
        at: directive.span)
    }
    guard !context.schema[definition].locations.contains(location) else { return }
    reportLocation(location, of: directive, in: &context)
  }

  /// Reports that `directive` is applied where it may not be.
  static func reportLocation(
    _ location: DirectiveLocation, of directive: Directive, in context: inout ValidationContext
  ) {
    context.report(
      .knownDirectives,
      "Directive \"@\(context.document.spelling(directive.name))\" may not be used on "
        + "\(context.document.spelling(location.symbol)).",
      at: directive.span)
  }
}
