import GraphQLSyntax

/// A field or directive is given every argument once.
///
/// Spec: 5.4.2, "Argument Uniqueness".
enum UniqueArgumentNames {
  static func check(_ arguments: Argument.List, in context: inout ValidationContext) {
    let document = context.document
    for group in repeatedNames(in: arguments, { document[$0].name }) {
      context.report(
        .uniqueArgumentNames,
        "There can be only one argument named \"\(document.spelling(group.name))\".",
        at: group.uses[0],
        notes: Diagnostic.Note.each(group.uses.dropFirst(), "given again here"))
    }
  }
}
