import GraphQLSyntax

/// Every variable that an operation uses, directly or through fragments, is defined.
///
/// Spec: 5.8.3, "All Variable Uses Defined".
enum NoUndefinedVariables: Rule {
  static let name = ValidationRule.noUndefinedVariables.diagnosticRule

  static func check(
    _ usage: VariableUsage, in operation: OperationDefinition,
    in context: inout ValidationContext
  ) {
    let variable = "Variable \"$\(context.document.spelling(usage.name))\" is not defined"
    let name = operation.name.map { " by operation \"\(context.document.spelling($0))\"" } ?? ""
    context.report(
      Self.self, "\(variable)\(name).", at: usage.span,
      notes: [Diagnostic.Note("used by this operation", at: operation.span)])
  }
}
