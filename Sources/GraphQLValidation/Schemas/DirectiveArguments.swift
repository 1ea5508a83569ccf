import GraphQLSchema
import GraphQLSyntax

/// The arguments of directives have input types.
///
/// Spec: 3.13, "Directives".
enum DirectiveArguments: WholeRule {
  static let name: Diagnostic.Rule = "DirectiveArguments"

  static func check(_ schema: Schema, in context: inout ValidationContext) {
    for directive in schema.definedDirectives {
      for id in schema[directive].arguments where !schema.isInput(schema[id].type) {
        context.report(
          Self.self,
          "The type of \(schema.coordinate(of: id)) must be Input Type "
            + "but got: \(schema.spelling(schema[id].type)).",
          at: schema.span(of: id))
      }
    }
  }
}
