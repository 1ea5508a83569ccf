import GraphQLSchema
import GraphQLSyntax

/// The fields of a selection set are in alphabetical order, by their names in the response.
///
/// Fragments may be anywhere between them.
enum Alphabetical {
  static func check(_ document: ValidatedDocument, _ report: inout LintReport) {
    let document = document.document
    var sets = document.fields.compactMap(\.selectionSet)
    sets += document.operations.map(\.selectionSet) + document.fragments.map(\.selectionSet)
    sets += document.inlineFragments.map(\.selectionSet)
    for selectionSet in sets { check(selectionSet, document, &report) }
  }

  /// Reports the first field that is out of order. The others may be in order once it is moved.
  private static func check(
    _ selectionSet: SelectionSet, _ document: Document, _ report: inout LintReport
  ) {
    var last: String?
    for selection in selectionSet.selections {
      guard case .field(let id) = document[selection] else { continue }
      let field = document[id]
      let name = document.names[field.responseName]
      if let last, precedesNaturally(name, last) {
        return report.add(
          .alphabetical,
          "The field \"\(name)\" comes after \"\(last)\". Put the fields into alphabetical order.",
          at: (field.alias ?? field.name).span)
      }
      last = name
    }
  }
}
