import GraphQLSyntax

/// Every fragment is used by an operation, directly or through others.
///
/// Spec: 5.5.1.4, "Fragments Must Be Used".
enum NoUnusedFragments {
  static func check(_ facts: DocumentFacts, in context: inout ValidationContext) {
    let document = context.document
    guard context.isChecked(.noUnusedFragments), !document.fragments.isEmpty else { return }
    var search = FragmentSearch(fragmentCount: document.fragments.count)
    let operations = document.operations.indices.lazy.map {
      DocumentFacts.Owner.operation(OperationDefinition.ID(rawValue: UInt32($0)))
    }
    var isUsed = Array(repeating: false, count: document.names.count)
    for fragment in search.fragments(reachableFrom: operations, facts: facts, document: document) {
      isUsed[document[fragment].name.symbol.index] = true
    }
    for fragment in document.fragments where !isUsed[fragment.name.symbol.index] {
      context.report(
        .noUnusedFragments, "Fragment \"\(document.spelling(fragment.name))\" is never used.",
        at: fragment.span,
        fixIts: document.removal(ofDefinitionAt: fragment.span).map { [$0] } ?? [])
    }
  }
}

extension Document {
  /// Removes a definition with the rest of its line, unless nothing else is in its source.
  fileprivate func removal(ofDefinitionAt span: SourceSpan) -> Diagnostic.FixIt? {
    let source = sources.sourceIndex(at: span.start)
    let others = definitions.lazy.filter { definition in
      let other = self.span(of: definition)
      return other != span && sources.sourceIndex(at: other.start) == source
    }
    guard !others.isEmpty else { return nil }
    var end = span.end
    let text = sources.bytes(of: SourceSpan(start: end, end: sources.span(ofSourceAt: source).end))
    for byte in text {
      guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\r")
      else { break }
      end += 1
    }
    return Diagnostic.FixIt(
      "remove the fragment", replacing: SourceSpan(start: span.start, end: end), with: "")
  }
}
