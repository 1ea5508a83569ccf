import GraphQLSyntax

/// Removes the fix-its that would give a name to two elements of a list: to two fields of a
/// selection set, two arguments, or two directives.
///
/// A misspelled name beside the correct one is more likely superfluous than misspelled.
struct DuplicatingFixIts {
  private let document: Document
  /// The replacements that fix-its suggest, by the start of the replaced name.
  private let replacements: [UInt32: String]
  /// The starts of the names that must not be replaced.
  private var duplicating: Set<UInt32> = []

  /// Returns `diagnostics` without these fix-its.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the document, if there are any fix-its.
  static func removed(from diagnostics: [Diagnostic], in document: Document) -> [Diagnostic] {
    let edits = diagnostics.flatMap { $0.fixIts.filter { $0.edits.count == 1 }.flatMap(\.edits) }
      .filter { $0.span.start < $0.span.end && !$0.replacement.isEmpty }
    guard !edits.isEmpty else { return diagnostics }
    var search = DuplicatingFixIts(document, edits)
    search.run()
    guard !search.duplicating.isEmpty else { return diagnostics }
    return diagnostics.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.fixIts.removeAll { fixIt in
        fixIt.edits.count == 1 && search.duplicating.contains(fixIt.edits[0].span.start)
      }
      return diagnostic
    }
  }

  private init(_ document: Document, _ edits: [Diagnostic.Edit]) {
    self.document = document
    replacements = Dictionary(
      edits.map { ($0.span.start, $0.replacement) }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func run() {
    var sets = document.fields.compactMap(\.selectionSet)
    sets += document.operations.map(\.selectionSet) + document.fragments.map(\.selectionSet)
    sets += document.inlineFragments.map(\.selectionSet)
    for selectionSet in sets {
      check(
        selectionSet.selections.compactMap { id in
          guard case .field(let id) = document[id] else { return nil }
          return document[id].alias ?? document[id].name
        })
    }
    for field in document.fields {
      check(document[field.arguments].map(\.name))
      check(document[field.directives].map(\.name))
    }
    for directive in document.directives { check(document[directive.arguments].map(\.name)) }
  }

  /// Checks the names of one list. A name that is not replaced comes before one that is.
  private mutating func check(_ names: [Name]) {
    guard names.count > 1, names.contains(where: { replacements[$0.span.start] != nil }) else {
      return
    }
    var taken = Set(
      names.filter { replacements[$0.span.start] == nil }.map { document.spelling($0) })
    for name in names {
      guard let replacement = replacements[name.span.start] else { continue }
      if !taken.insert(replacement).inserted { duplicating.insert(name.span.start) }
    }
  }
}
