package import GraphQLSyntax

/// Checks the style of a valid document.
///
/// - Returns: The violations, in the order of the text.
/// - Complexity: O(*n* log *n*), where *n* is the size of the document.
package func lint(
  _ document: ValidatedDocument, configuration: LintConfiguration
) -> [Diagnostic] {
  guard !configuration.isEmpty else { return [] }
  var context = ValidationContext(
    document.document, against: document.schema, names: .schema, configuration.effects)
  let styled = StyledDocument(valid: document, maximumDepth: configuration.maximumDepth)
  for rule in Rules.ofStyle where context.isChecked(rule) { rule.check(styled, in: &context) }
  return context.diagnostics.sortedByLocation()
}
