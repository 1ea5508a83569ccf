import GraphQLSchema
import GraphQLSyntax

/// The fields of a selection set are in alphabetical order, by their names in the response.
///
/// Fragments may be anywhere between them.
enum Alphabetical: WholeRule {
  static let name = LintRule.alphabetical.diagnosticRule

  static func check(_ document: StyledDocument, in context: inout ValidationContext) {
    let document = document.valid.document
    var sets = document.fields.compactMap(\.selectionSet)
    sets += document.operations.map(\.selectionSet) + document.fragments.map(\.selectionSet)
    sets += document.inlineFragments.map(\.selectionSet)
    for selectionSet in sets { check(selectionSet, document, &context) }
  }

  /// Reports the first field that is out of order. The others may be in order once it is moved.
  private static func check(
    _ selectionSet: SelectionSet, _ document: Document, _ context: inout ValidationContext
  ) {
    var last: String?
    for selection in selectionSet.selections {
      guard case .field(let id) = document[selection] else { continue }
      let field = document[id]
      let name = document.names[field.responseName]
      if let last, precedesNaturally(name, last) {
        return context.report(
          Self.self,
          "The field \"\(name)\" comes after \"\(last)\". Put the fields into alphabetical order.",
          at: (field.alias ?? field.name).span)
      }
      last = name
    }
  }
}
