import GraphQLSyntax

/// A field or directive has each argument at most once.
///
/// Spec: 5.4.2, "Argument Uniqueness".
enum UniqueArgumentNames: WholeRule {
  typealias Subject = SchemaDefinitions

  static let name = ValidationRule.uniqueArgumentNames.diagnosticRule

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    for applied in definitions.applied {
      for directive in context.document[applied.list] { check(directive.arguments, in: &context) }
    }
  }

  static func check(_ arguments: Argument.List, in context: inout ValidationContext) {
    for group in repeatedNames(in: arguments, { context.document[$0].name }) {
      context.report(
        Self.self,
        "There can be only one argument named \"\(context.document.spelling(group.name))\".",
        at: group.uses[0],
        notes: Diagnostic.Note.each(group.uses.dropFirst(), "given again here"))
    }
  }
}
