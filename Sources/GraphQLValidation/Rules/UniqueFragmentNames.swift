import GraphQLSyntax

/// Fragment definitions have different names.
///
/// Spec: 5.5.1.1, "Fragment Name Uniqueness".
struct UniqueFragmentNames {
  private var firstUses: FirstUses

  init(nameCount: Int) {
    firstUses = FirstUses(nameCount: nameCount)
  }

  mutating func check(_ fragment: FragmentDefinition, in context: inout ValidationContext) {
    guard let first = firstUses.insert(fragment.name) else { return }
    context.report(
      .uniqueFragmentNames,
      "There can be only one fragment named \"\(context.document.spelling(fragment.name))\".",
      at: first, notes: [Diagnostic.Note("defined again here", at: fragment.name.span)])
  }
}
