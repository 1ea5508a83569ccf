import GraphQLSyntax

/// Every variable that an operation defines is used by it or by a fragment that it uses.
///
/// Spec: 5.8.4, "All Variables Used".
enum NoUnusedVariables {
  /// Reports the variables of `operation` that are not used.
  static func report(
    _ unused: [VariableDefinition.ID], of operation: OperationDefinition,
    in context: inout ValidationContext
  ) {
    guard !unused.isEmpty else { return }
    let document = context.document
    let name = operation.name.map { " in operation \"\(document.spelling($0))\"" } ?? ""
    let removals = VariableRemovals(operation, document)
    // Found out once, as it takes time.
    let removalOfAll = unused.count == operation.variables.count ? removals.removalOfAll : nil
    for id in unused {
      let variable = document[id]
      context.report(
        .noUnusedVariables,
        "Variable \"$\(document.spelling(variable.name))\" is never used\(name).",
        at: variable.span,
        fixIts: [removalOfAll ?? removals.removal(of: id)])
    }
  }
}
