import GraphQLSchema
import GraphQLSyntax

/// Default values have the correct types.
///
/// Spec: 3.6.1 and 3.10, "Type Validation".
enum DefaultValues: WholeRule {
  static let name: Diagnostic.Rule = "DefaultValues"

  static func check(_ schema: Schema, in context: inout ValidationContext) {
    var coercion = ConstantCoercion(schema: schema, suggestions: context.suggestions)
    for id in schema.definedInputValues where schema[id].hasDefaultValue && !context.isFull {
      guard let value = schema.defaultValue(of: id), schema.isInput(schema[id].type) else {
        continue
      }
      for problem in coercion.problems(of: value, as: schema[id].type) {
        let location = problem.path.isEmpty ? "" : " at \(problem.path)"
        context.report(
          Self.self,
          "\(schema.coordinate(of: id)) has invalid default value\(location): \(problem.message)",
          at: problem.span)
      }
    }
    context.suggestions = coercion.suggestions
  }
}
