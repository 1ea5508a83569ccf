import GraphQLSchema
import GraphQLSyntax

/// Searches for the fragments that definitions use. One instance serves many searches.
struct FragmentSearch {
  /// The number of the last search that reached each fragment.
  private var stamps: [UInt32]
  private var stamp: UInt32 = 0

  init(fragmentCount: Int) {
    stamps = Array(repeating: 0, count: fragmentCount)
  }

  /// Returns the fragments that `owners` use, directly or through other fragments, each of them
  /// once.
  ///
  /// - Parameters:
  ///   - owners: The definitions from which to search.
  ///   - facts: The spreads of `document`.
  ///   - document: The document that contains the fragments.
  ///   - isFollowed: Returns whether to visit a fragment. Other fragments are left out of the
  ///     result.
  /// - Returns: The fragments, in the order in which they are reached.
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
