import GraphQLSyntax

/// Who uses which fragments and variables, found in the one traversal.
struct DocumentFacts: Sendable {
  /// A definition that selects something.
  enum Owner: Hashable, Sendable {
    case operation(OperationDefinition.ID)
    case fragment(FragmentDefinition.ID)
  }

  /// What is written in one definition itself.
  private struct Part {
    var spreads = 0..<0
    var usages = 0..<0
  }

  private var spreads: [FragmentSpread.ID] = []
  private var usages: [VariableUsage] = []
  private var operations: [Part]
  private var fragments: [Part]
  /// The last fragment of each name, by symbol.
  private var fragmentsBySymbol: [UInt32]
  /// By fragment: whether it or one that it uses, directly or not, uses a variable.
  private(set) var usesVariables: [Bool]

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
  /// The fragment named `name`; the last one if there are several.
  func fragment(named name: Symbol) -> FragmentDefinition.ID? {
    let fragment = fragmentsBySymbol[name.index]
    return fragment == Self.none ? nil : FragmentDefinition.ID(rawValue: fragment)
  }

  /// The spreads in a definition itself, in the order of the text.
  func spreads(in owner: Owner) -> ArraySlice<FragmentSpread.ID> {
    spreads[part(of: owner).spreads]
  }

  /// The variables used in a definition itself, in the order of the text.
  func usages(in owner: Owner) -> ArraySlice<VariableUsage> {
    usages[part(of: owner).usages]
  }

  private func part(of owner: Owner) -> Part {
    switch owner {
    case .operation(let id): operations[id.index]
    case .fragment(let id): fragments[id.index]
    }
  }

  /// The fragments used by `owner` directly or through others, each once, as first met.
  ///
  /// - Complexity: O(spreads in all of them).
  func reachableFragments(from owner: Owner, in document: Document) -> [FragmentDefinition.ID] {
    var search = FragmentSearch(fragmentCount: fragments.count)
    return search.fragments(reachableFrom: [owner], facts: self, document: document)
  }
}

// MARK: - Collecting

extension DocumentFacts {
  /// Notes a spread in the definition that is being traversed.
  mutating func add(_ spread: FragmentSpread.ID) { spreads.append(spread) }

  /// Notes a use of a variable in the definition that is being traversed.
  mutating func add(_ usage: VariableUsage) { usages.append(usage) }

  /// Where the next definition's spreads and variables begin.
  var mark: (spreads: Int, usages: Int) { (spreads.count, usages.count) }

  /// Says that what was noted since `mark` is in `owner`.
  mutating func close(_ owner: Owner, since mark: (spreads: Int, usages: Int)) {
    let part = Part(
      spreads: mark.spreads..<spreads.count, usages: mark.usages..<usages.count)
    switch owner {
    case .operation(let id): operations[id.index] = part
    case .fragment(let id): fragments[id.index] = part
    }
  }

  /// Finds which fragments use variables, after everything has been noted.
  ///
  /// - Complexity: O(fragments + spreads).
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
