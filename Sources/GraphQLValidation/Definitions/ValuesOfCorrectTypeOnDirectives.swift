import GraphQLSchema
import GraphQLSyntax

/// The arguments of applied directives have values of the correct types.
///
/// The reference implementation has no such rule. It fails on incorrect arguments of directives
/// that it evaluates, such as `@deprecated`, and ignores those of other directives.
///
/// Spec: 5.6.1, "Values of Correct Type".
enum ValuesOfCorrectTypeOnDirectives: WholeRule {
  static let name: Diagnostic.Rule = "ValuesOfCorrectTypeOnDirectives"

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    guard !definitions.applied.isEmpty else { return }
    let (schema, document) = (context.schema, context.document)
    var coercion = ConstantCoercion(schema: schema, suggestions: context.suggestions)
    for applied in definitions.applied {
      for directive in document[applied.list] where !directive.arguments.isEmpty {
        guard let definition = schema.directive(named: directive.name.symbol) else { continue }
        for argument in document[directive.arguments] where !context.isFull {
          let known = schema[definition].arguments
          guard let id = schema.argument(argument.name.symbol, in: known),
            schema.isInput(schema[id].type)
          else { continue }
          for problem in coercion.problems(of: argument.value, as: schema[id].type) {
            report(problem, argument, of: directive, &context)
          }
        }
      }
    }
    context.suggestions = coercion.suggestions
  }

  private static func report(
    _ problem: ConstantCoercion.Problem, _ argument: Argument, of directive: Directive,
    _ context: inout ValidationContext
  ) {
    let location = problem.path.isEmpty ? "" : " at \(problem.path)"
    context.report(
      Self.self,
      "Argument \"@\(context.spelling(directive.name))(\(context.spelling(argument.name)):)\" "
        + "has invalid value\(location): \(problem.message)",
      at: problem.span)
  }
}
