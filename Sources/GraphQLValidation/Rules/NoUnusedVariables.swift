import GraphQLSyntax

/// Every variable of an operation is used, by the operation itself or by a fragment that it uses.
/// Every variable of a fragment is used by the fragment itself.
///
/// Spec: 5.8.4, "All Variables Used".
enum NoUnusedVariables: Rule {
  static let name = ValidationRule.noUnusedVariables.diagnosticRule

  /// Reports the unused variables of `operation`.
  ///
  /// - Parameters:
  ///   - unused: The unused variables.
  ///   - operation: The operation that defines them.
  ///   - isCertain: `false` if the operation also uses undefined variables, which can be
  ///     misspellings, or if unknown fragments can use its variables. No fix-it removes any then.
  ///   - context: The collector of the diagnostics.
  static func report(
    _ unused: [VariableDefinition.ID], of operation: OperationDefinition, isCertain: Bool,
    in context: inout ValidationContext
  ) {
    guard !unused.isEmpty else { return }
    let document = context.document
    let name = operation.name.map { " in operation \"\(document.spelling($0))\"" } ?? ""
    let removals = VariableRemovals(operation, document)
    // Computed once for all variables, because it has to read the tokens of the definitions.
    let removalOfAll =
      isCertain && unused.count == operation.variables.count ? removals.removalOfAll : nil
    for id in unused {
      let variable = document[id]
      context.report(
        Self.self,
        "Variable \"$\(document.spelling(variable.name))\" is never used\(name).",
        at: variable.span,
        fixIts: isCertain ? [removalOfAll ?? removals.removal(of: id)] : [])
    }
  }

  /// Reports that a fragment does not use a variable of its own.
  static func report(
    _ unused: VariableDefinition, of fragment: FragmentDefinition,
    in context: inout ValidationContext
  ) {
    context.report(
      Self.self,
      "Variable \"$\(context.spelling(unused.name))\" is never used in fragment "
        + "\"\(context.spelling(fragment.name))\".",
      at: unused.span)
  }
}
