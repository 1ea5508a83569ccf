import GraphQLSyntax

/// Named operations have different names.
///
/// Spec: 5.2.2.1, "Operation Name Uniqueness".
enum UniqueOperationNames: Rule {
  static let name = ValidationRule.uniqueOperationNames.diagnosticRule

  static func check(
    _ operation: OperationDefinition, after firstUses: inout FirstUses,
    in context: inout ValidationContext
  ) {
    guard let name = operation.name, let first = firstUses.insert(name) else { return }
    context.report(
      Self.self, "There can be only one operation named \"\(context.spelling(name))\".",
      at: first, notes: [Diagnostic.Note("defined again here", at: name.span)])
  }
}
