import GraphQLSyntax

/// Every fragment is used by an operation, directly or through other fragments.
///
/// A spread of an unknown fragment can be a misspelling of an unused one. No fix-it removes a
/// fragment while the document has such a spread.
///
/// Spec: 5.5.1.4, "Fragments Must Be Used".
enum NoUnusedFragments: Rule {
  static let name = ValidationRule.noUnusedFragments.diagnosticRule

  static func check(_ facts: DocumentFacts, in context: inout ValidationContext) {
    let document = context.document
    guard context.isChecked(Self.self), !document.fragments.isEmpty else { return }
    var search = FragmentSearch(fragmentCount: document.fragments.count)
    let operations = document.operations.indices.lazy.map {
      DocumentFacts.Owner.operation(OperationDefinition.ID(rawValue: UInt32($0)))
    }
    var isUsed = Array(repeating: false, count: document.names.count)
    for fragment in search.fragments(reachableFrom: operations, facts: facts, document: document) {
      isUsed[document[fragment].name.symbol.index] = true
    }
    let removals = FragmentRemovals(document) { isUsed[$0.name.symbol.index] }
    for fragment in document.fragments where !isUsed[fragment.name.symbol.index] {
      let removal = facts.hasUnknownSpreads ? nil : removals.removal(of: fragment)
      context.report(
        Self.self, "Fragment \"\(document.spelling(fragment.name))\" is never used.",
        at: fragment.span, fixIts: removal.map { [$0] } ?? [])
    }
  }
}

/// Computes fix-its that remove unused fragments.
private struct FragmentRemovals {
  private let document: Document
  /// One element for each source: `true` if it keeps a definition. A source without any is not a
  /// valid document.
  private var keepsDefinition: [Bool]

  init(_ document: Document, isUsed: (FragmentDefinition) -> Bool) {
    self.document = document
    keepsDefinition = Array(repeating: false, count: document.sources.sources.count)
    for definition in document.definitions {
      if case .fragment(let id) = definition, !isUsed(document[id]) { continue }
      keepsDefinition[document.sources.sourceIndex(at: document.span(of: definition).start)] = true
    }
  }

  /// Returns a fix-it that removes `fragment` and the white space after it, or `nil` if the source
  /// would have no definitions left.
  func removal(of fragment: FragmentDefinition) -> Diagnostic.FixIt? {
    let span = fragment.span
    let source = document.sources.sourceIndex(at: span.start)
    guard keepsDefinition[source] else { return nil }
    let rest = SourceSpan(start: span.end, end: document.sources.span(ofSourceAt: source).end)
    let blanks = document.sources.bytes(of: rest).prefix {
      $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r")
    }
    return Diagnostic.FixIt(
      "remove the fragment",
      replacing: SourceSpan(start: span.start, end: span.end + UInt32(blanks.count)), with: "")
  }
}
