import GraphQLSchema
import GraphQLSyntax

/// Applied directives have only arguments that are defined.
///
/// Spec: 5.4.1, "Argument Names".
enum KnownArgumentNamesOnDirectives: WholeRule {
  static let name: Diagnostic.Rule = "KnownArgumentNamesOnDirectives"

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    for applied in definitions.applied {
      for directive in context.document[applied.list] {
        guard let definition = context.schema.directive(named: directive.name.symbol) else {
          continue
        }
        let known = context.schema[definition].arguments
        for argument in context.document[directive.arguments]
        where context.schema.argument(argument.name.symbol, in: known) == nil {
          KnownArgumentNames.report(
            argument, of: .directive(directive.name.symbol), known, as: Self.self, in: &context)
        }
      }
    }
  }
}
