import GraphQLSchema
import GraphQLSyntax

/// The types of variables are input types: scalars, enums and input objects.
///
/// Spec: 5.8.2, "Variables Are Input Types".
enum VariablesAreInputTypes: Rule {
  static let name = ValidationRule.variablesAreInputTypes.diagnosticRule

  static func check(_ variable: VariableDefinition, in context: inout ValidationContext) {
    guard let type = context.resolve(variable.type), !context.schema.isInput(type) else { return }
    context.report(
      Self.self,
      "Variable \"$\(context.document.spelling(variable.name))\" cannot be non-input type "
        + "\"\(context.schema.spelling(type))\".",
      at: variable.type.span)
  }
}
