import GraphQLSchema
import GraphQLSyntax

/// The fragments and variables that each definition uses, collected during the traversal.
struct DocumentFacts: Sendable {
  /// A definition with a selection set.
  enum Owner: Hashable, Sendable {
    case operation(OperationDefinition.ID)
    case fragment(FragmentDefinition.ID)
  }

  /// The uses in one definition, as ranges of `spreads` and `usages`.
  private struct Part {
    var spreads = 0..<0
    var usages = 0..<0
  }

  private var spreads: [FragmentSpread.ID] = []
  private var usages: [VariableUsage] = []
  private var operations: [Part]
  private var fragments: [Part]
  /// The last fragment of each name, indexed by symbol.
  private var fragmentsBySymbol: [UInt32]
  /// One element for each fragment: `true` if it uses a variable, directly or through other
  /// fragments.
  private(set) var usesVariables: [Bool]
  /// `true` if a spread names an unknown fragment. It can be a misspelling of any other one.
  private(set) var hasUnknownSpreads = false

  private static let none = UInt32.max

  init(of document: Document) {
    operations = Array(repeating: Part(), count: document.operations.count)
    fragments = Array(repeating: Part(), count: document.fragments.count)
    fragmentsBySymbol = Array(repeating: Self.none, count: document.names.count)
    usesVariables = Array(repeating: false, count: document.fragments.count)
    for (index, fragment) in document.fragments.enumerated() {
      fragmentsBySymbol[fragment.name.symbol.index] = UInt32(index)
    }
  }
}

// MARK: - Looking up

extension DocumentFacts {
  /// Returns the fragment named `name`, or `nil` if there is none. Of several, the last one is
  /// returned.
  func fragment(named name: Symbol) -> FragmentDefinition.ID? {
    let fragment = fragmentsBySymbol[name.index]
    return fragment == Self.none ? nil : FragmentDefinition.ID(rawValue: fragment)
  }

  /// Returns the spreads in a definition itself, in the order of the text.
  func spreads(in owner: Owner) -> ArraySlice<FragmentSpread.ID> {
    spreads[part(of: owner).spreads]
  }

  /// Returns the variable usages in a definition itself, in the order of the text.
  func usages(in owner: Owner) -> ArraySlice<VariableUsage> {
    usages[part(of: owner).usages]
  }

  private func part(of owner: Owner) -> Part {
    switch owner {
    case .operation(let id): operations[id.index]
    case .fragment(let id): fragments[id.index]
    }
  }

  /// Returns the fragments that `owner` uses, directly or through other fragments, each of them
  /// once.
  ///
  /// - Complexity: O(*n*), where *n* is the number of spreads in all of them.
  func reachableFragments(from owner: Owner, in document: Document) -> [FragmentDefinition.ID] {
    var search = FragmentSearch(fragmentCount: fragments.count)
    return search.fragments(reachableFrom: [owner], facts: self, document: document)
  }
}

// MARK: - Collecting

extension DocumentFacts {
  /// Records a spread in the current definition.
  mutating func add(_ spread: FragmentSpread.ID, isKnown: Bool) {
    spreads.append(spread)
    if !isKnown { hasUnknownSpreads = true }
  }

  /// Records the use of a variable in the current definition.
  mutating func add(_ usage: VariableUsage) { usages.append(usage) }

  /// Removes the uses of variables since `mark` for which `isLocal` returns `true`: uses of the
  /// variables of a fragment, which do not concern the operations that spread it.
  mutating func removeUsages(
    since mark: (spreads: Int, usages: Int), where isLocal: (VariableUsage) -> Bool
  ) {
    let others = usages[mark.usages...].filter { !isLocal($0) }
    usages.replaceSubrange(mark.usages..., with: others)
  }

  /// The start of the next definition's spreads and usages.
  var mark: (spreads: Int, usages: Int) { (spreads.count, usages.count) }

  /// Assigns everything recorded since `mark` to `owner`.
  mutating func close(_ owner: Owner, since mark: (spreads: Int, usages: Int)) {
    let part = Part(
      spreads: mark.spreads..<spreads.count, usages: mark.usages..<usages.count)
    switch owner {
    case .operation(let id): operations[id.index] = part
    case .fragment(let id): fragments[id.index] = part
    }
  }

  /// Finds the fragments that use variables, after the traversal has ended.
  ///
  /// - Complexity: O(*f* + *s*) for *f* fragments and *s* spreads.
  mutating func findUsesOfVariables(in document: Document) {
    var users: [[Int]] = Array(repeating: [], count: fragments.count)
    var pending: [Int] = []
    for index in fragments.indices {
      for spread in spreads[fragments[index].spreads] {
        guard let used = fragment(named: document[spread].name.symbol) else { continue }
        users[used.index].append(index)
      }
      guard !fragments[index].usages.isEmpty else { continue }
      usesVariables[index] = true
      pending.append(index)
    }
    while let index = pending.popLast() {
      for user in users[index] where !usesVariables[user] {
        usesVariables[user] = true
        pending.append(user)
      }
    }
  }
}
