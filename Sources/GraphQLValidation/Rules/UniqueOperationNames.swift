import GraphQLSyntax

/// Named operations have different names.
///
/// Spec: 5.2.2.1, "Operation Name Uniqueness".
struct UniqueOperationNames {
  private var firstUses: FirstUses

  init(nameCount: Int) {
    firstUses = FirstUses(nameCount: nameCount)
  }

  mutating func check(_ operation: OperationDefinition, in context: inout ValidationContext) {
    guard let name = operation.name, let first = firstUses.insert(name) else { return }
    context.report(
      .uniqueOperationNames,
      "There can be only one operation named \"\(context.document.spelling(name))\".",
      at: first, notes: [Diagnostic.Note("defined again here", at: name.span)])
  }
}
