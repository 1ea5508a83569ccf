import GraphQLSchema
import GraphQLSyntax

/// Applied directives have all required arguments.
///
/// Spec: 5.4.3, "Required Arguments".
enum ProvidedRequiredArgumentsOnDirectives: WholeRule {
  static let name: Diagnostic.Rule = "ProvidedRequiredArgumentsOnDirectives"

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    for applied in definitions.applied {
      for directive in context.document[applied.list] {
        guard let definition = context.schema.directive(named: directive.name.symbol) else {
          continue
        }
        ProvidedRequiredArguments.check(
          directive, context.schema[definition].arguments, as: Self.self, in: &context)
      }
    }
  }
}
