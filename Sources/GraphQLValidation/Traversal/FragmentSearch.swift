import GraphQLSyntax

/// Follows fragment spreads; made once for many searches.
struct FragmentSearch {
  /// By fragment: the number of the last search that met it.
  private var stamps: [UInt32]
  private var stamp: UInt32 = 0

  init(fragmentCount: Int) {
    stamps = Array(repeating: 0, count: fragmentCount)
  }

  /// The fragments used by `owners` directly or through others, each once, as first met.
  ///
  /// - Parameters:
  ///   - owners: Where to start.
  ///   - facts: What is known of the spreads of `document`.
  ///   - document: The document with the fragments.
  ///   - isFollowed: Whether to look into a fragment; those not looked into are left out.
  /// - Returns: The fragments, in the order in which they are first met.
  mutating func fragments(
    reachableFrom owners: some Sequence<DocumentFacts.Owner>,
    facts: DocumentFacts,
    document: Document,
    where isFollowed: (FragmentDefinition.ID) -> Bool = { _ in true }
  ) -> [FragmentDefinition.ID] {
    stamp += 1
    var found: [FragmentDefinition.ID] = []
    for owner in owners { visit(owner, facts, document, isFollowed, &found) }
    var next = 0
    while next < found.count {
      visit(.fragment(found[next]), facts, document, isFollowed, &found)
      next += 1
    }
    return found
  }

  private mutating func visit(
    _ owner: DocumentFacts.Owner,
    _ facts: DocumentFacts,
    _ document: Document,
    _ isFollowed: (FragmentDefinition.ID) -> Bool,
    _ found: inout [FragmentDefinition.ID]
  ) {
    for spread in facts.spreads(in: owner) {
      guard let fragment = facts.fragment(named: document[spread].name.symbol),
        stamps[fragment.index] != stamp
      else { continue }
      stamps[fragment.index] = stamp
      if isFollowed(fragment) { found.append(fragment) }
    }
  }
}
