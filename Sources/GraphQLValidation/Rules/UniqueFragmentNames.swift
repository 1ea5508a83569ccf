import GraphQLSyntax

/// Fragment definitions have different names.
///
/// Spec: 5.5.1.1, "Fragment Name Uniqueness".
enum UniqueFragmentNames: Rule {
  static let name = ValidationRule.uniqueFragmentNames.diagnosticRule

  static func check(
    _ fragment: FragmentDefinition, after firstUses: inout FirstUses,
    in context: inout ValidationContext
  ) {
    guard let first = firstUses.insert(fragment.name) else { return }
    context.report(
      Self.self, "There can be only one fragment named \"\(context.spelling(fragment.name))\".",
      at: first, notes: [Diagnostic.Note("defined again here", at: fragment.name.span)])
  }
}
