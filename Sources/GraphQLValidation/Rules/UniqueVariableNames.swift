import GraphQLSyntax

/// The variables of an operation, and those of a fragment, have different names.
///
/// Spec: 5.8.1, "Variable Uniqueness".
enum UniqueVariableNames: Rule {
  static let name = ValidationRule.uniqueVariableNames.diagnosticRule

  static func check(
    _ variables: VariableDefinition.List, in context: inout ValidationContext
  ) {
    for group in repeatedNames(in: variables, { context.document[$0].name }) {
      context.report(
        Self.self,
        "There can be only one variable named \"$\(context.document.spelling(group.name))\".",
        at: group.uses[0],
        notes: Diagnostic.Note.each(group.uses.dropFirst(), "defined again here"))
    }
  }
}
