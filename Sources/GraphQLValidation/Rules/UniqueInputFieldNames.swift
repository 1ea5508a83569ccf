import GraphQLSyntax

/// An input object value has each field at most once.
///
/// Spec: 5.6.3, "Input Object Field Uniqueness".
enum UniqueInputFieldNames {
  static func check(_ fields: ObjectField.List, in context: inout ValidationContext) {
    for group in repeatedNames(in: fields, { context.document[$0].name }) {
      for use in group.uses.dropFirst() {
        context.report(
          .uniqueInputFieldNames,
          "There can be only one input field named \"\(context.document.spelling(group.name))\".",
          at: group.uses[0], notes: [Diagnostic.Note("given again here", at: use)])
      }
    }
  }
}
