import GraphQLSchema
import GraphQLSyntax

/// Objects of types with a field `id` are selected with it.
///
/// The cache identifies objects by their `id`. Without it, an object is stored inside of its
/// parent, and a change of it elsewhere does not reach this selection.
///
/// The fix-it adds the field, unless `id` is the alias of another field in the document.
enum RequireID: WholeRule {
  static let name = LintRule.requireID.diagnosticRule

  private static let field = "id"

  static func check(_ document: StyledDocument, in context: inout ValidationContext) {
    let document = document.valid
    guard let symbol = document.schema.names.symbol(for: field) else { return }
    let search = KeySearch(symbol, document)
    // The added field can be merged with another one of that response name, which need not be in
    // the same selection set or operation: fragments are shared.
    let isTaken = document.document.hasAlias(symbol)
    for selected in document.document.fields {
      guard let selectionSet = selected.selectionSet,
        let type = document.types.parentType(of: selectionSet),
        document.schema.canIdentify(type, by: symbol), !search.isSelected(in: selectionSet)
      else { continue }
      let name = document.schema.name(of: type)
      context.report(
        Self.self,
        "Objects of type \"\(name)\" are selected without their \"\(field)\", by which the cache "
          + "identifies them. Select \"\(field)\", too.",
        at: selected.name.span,
        fixIts: isTaken ? [] : [fixIt(for: selectionSet, document.document)])
    }
  }

  private static func fixIt(
    for selectionSet: SelectionSet, _ document: Document
  ) -> Diagnostic.FixIt {
    Diagnostic.FixIt(
      "select '\(field)'", replacing: SourceSpan(at: selectionSet.span.start + 1),
      with: insertion(in: selectionSet, document))
  }

  /// Returns the field with the white space in front of the first selection.
  private static func insertion(in selectionSet: SelectionSet, _ document: Document) -> String {
    guard let first = selectionSet.selections.first else { return field }
    let start = document.span(of: document[first]).start
    let gap = document.sources.bytes(of: SourceSpan(start: selectionSet.span.start + 1, end: start))
    let isBlank = gap.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    guard isBlank else { return " \(field)" }
    return gap.isEmpty ? "\(field) " : String(decoding: gap, as: UTF8.self) + field
  }
}
