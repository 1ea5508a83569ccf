import GraphQLSchema
import GraphQLSyntax

/// Checks the variables of each operation against their uses, including those in fragments.
///
/// Many operations can share the same fragments, so visiting the fragments of each operation would
/// take quadratic time:
///
/// 1. Group the usages in fragments into kinds (``VariableUsage/Kind``), and compute for all
///    fragments the kinds that can be reached from them.
/// 2. For each operation, check each kind once. This finds the unused variables and the kinds that
///    violate a rule.
/// 3. Only for operations with violations, visit their fragments to find the positions.
enum VariablesOfOperations {
  static func check(_ facts: DocumentFacts, in context: inout ValidationContext) {
    let document = context.document
    let inFragments = UsagesInFragments(facts, context)
    var search = PlaceSearch(facts, document)
    var scope = VariableScope(document)
    for (index, operation) in document.operations.enumerated() where !context.isFull {
      let id = OperationDefinition.ID(rawValue: UInt32(index))
      scope.open(operation, document)
      var definesAll = check(facts.usages(in: .operation(id)), in: operation, &scope, &context)
      if let wrong = inFragments.wrong[id] {
        let usages = search.usages(reachableFrom: id, like: wrong)
        definesAll = check(usages[...], in: operation, &scope, &context) && definesAll
      }
      let unused = scope.unused(in: operation, document) { inFragments.isUsed[$0.index] }
      NoUnusedVariables.report(
        unused, of: operation, isCertain: definesAll && !facts.hasUnknownSpreads, in: &context)
    }
  }

  /// Checks usages of variables, and returns whether `operation` defines all of them.
  private static func check(
    _ usages: ArraySlice<VariableUsage>, in operation: OperationDefinition,
    _ scope: inout VariableScope, _ context: inout ValidationContext
  ) -> Bool {
    var definesAll = true
    for usage in usages where !context.isFull {
      if let variable = scope.use(usage.name) {
        VariablesInAllowedPosition.check(usage, of: context.document[variable], in: &context)
      } else {
        definesAll = false
        NoUndefinedVariables.check(usage, in: operation, in: &context)
      }
    }
    return definesAll
  }
}

// MARK: - Quickly

/// The effects of the usages in fragments on the operations that reach them.
///
/// The kinds are processed 64 at a time. Each fragment gets a word with one bit for each kind that
/// it uses, directly or through other fragments. Each operation combines the words of the fragments
/// that it spreads. The work is therefore proportional to the number of fragments and operations,
/// and not to their product.
private struct UsagesInFragments {
  /// One element for each variable definition: `true` if a fragment uses it.
  private(set) var isUsed: [Bool]
  /// The kinds that violate a rule in each operation, represented by the first usage of each.
  private(set) var wrong: [OperationDefinition.ID: [VariableUsage]] = [:]
  /// The remaining number of elements to add to `wrong`. More would not be reported.
  private var remainingWrong = DiagnosticList.maximumCount

  init(_ facts: DocumentFacts, _ context: ValidationContext) {
    isUsed = Array(repeating: false, count: context.document.variableDefinitions.count)
    guard facts.usesVariables.contains(true) else { return }
    var kinds = KindsOfFragments(facts, context.document)
    var scope = VariableScope(context.document)
    while let words = kinds.nextWords() {
      for (index, operation) in context.document.operations.enumerated() {
        let id = OperationDefinition.ID(rawValue: UInt32(index))
        var word = kinds.word(of: id, words)
        guard word != 0 else { continue }
        scope.open(operation, context.document)
        while word != 0 {
          record(kinds.usage(at: word.trailingZeroBitCount), in: id, scope, context)
          word &= word - 1
        }
      }
    }
  }

  private mutating func record(
    _ usage: VariableUsage, in operation: OperationDefinition.ID, _ scope: VariableScope,
    _ context: ValidationContext
  ) {
    if let variable = scope.definition(of: usage.name) {
      isUsed[variable.index] = true
      guard !VariablesInAllowedPosition.allows(usage, of: context.document[variable], context)
      else { return }
    }
    guard remainingWrong > 0 else { return }
    remainingWrong -= 1
    wrong[operation, default: []].append(usage)
  }
}

/// The kinds of variable usages in fragments, provided in words of 64 for each fragment.
private struct KindsOfFragments {
  private let facts: DocumentFacts
  private let document: Document
  /// The first usage of each kind.
  private var kinds: [VariableUsage] = []
  /// The kinds in each fragment that have not been processed, the next one last.
  private var own: [[Int]]
  /// The components of the fragments that each fragment spreads.
  private var targets: [[Int]]
  private let components: CyclicComponents
  private var handedOut = 0

  init(_ facts: DocumentFacts, _ document: Document) {
    self.facts = facts
    self.document = document
    own = Array(repeating: [], count: document.fragments.count)
    let spread = document.fragments.indices.map { index in
      facts.spreads(in: .fragment(FragmentDefinition.ID(rawValue: UInt32(index)))).compactMap {
        facts.fragment(named: document[$0].name.symbol)
      }.filter { facts.usesVariables[$0.index] }.map(\.index)
    }
    let components = CyclicComponents(
      vertexCount: spread.count, starts: spread.indices.lazy.filter { facts.usesVariables[$0] }
    ) { spread[$0] }
    self.components = components
    targets = spread.map { Array(Set($0.map { components.component[$0] })) }
    findKinds()
  }

  private mutating func findKinds() {
    var numbers: [VariableUsage.Kind: Int] = [:]
    for index in own.indices {
      let fragment = FragmentDefinition.ID(rawValue: UInt32(index))
      var found: Set<Int> = []
      for usage in facts.usages(in: .fragment(fragment)) {
        let number = numbers[usage.kind] ?? kinds.count
        if number == kinds.count {
          numbers[usage.kind] = number
          kinds.append(usage)
        }
        found.insert(number)
      }
      own[index] = found.sorted(by: >)
    }
  }

  /// Returns the first usage of the kind at `bit` of the current words.
  func usage(at bit: Int) -> VariableUsage { kinds[handedOut - 64 + bit] }

  /// Returns the words of the next 64 kinds, or `nil` if all kinds have been processed.
  ///
  /// There is one word for each component of fragments. It contains the kinds in these fragments
  /// and in all fragments that can be reached from them.
  mutating func nextWords() -> [UInt64]? {
    guard handedOut < kinds.count else { return nil }
    var words = Array(repeating: UInt64(0), count: components.componentCount)
    for fragment in components.targetsFirst {
      var word: UInt64 = 0
      while let kind = own[fragment].last, kind < handedOut + 64 {
        word |= 1 << UInt64(kind - handedOut)
        own[fragment].removeLast()
      }
      for target in targets[fragment] { word |= words[target] }
      words[components.component[fragment]] |= word
    }
    handedOut += 64
    return words
  }

  /// Returns the kinds in the fragments that `operation` reaches.
  func word(of operation: OperationDefinition.ID, _ words: [UInt64]) -> UInt64 {
    facts.spreads(in: .operation(operation)).reduce(0) { word, spread in
      guard let fragment = facts.fragment(named: document[spread].name.symbol),
        facts.usesVariables[fragment.index]
      else { return word }
      return word | words[components.component[fragment.index]]
    }
  }
}

// MARK: - Thoroughly

/// Searches the fragments of operations for the positions of variable usages.
private struct PlaceSearch {
  private let facts: DocumentFacts
  private let document: Document
  private var search: FragmentSearch
  /// The remaining number of fragments to visit. Only documents designed to be slow have more.
  private var budget = 2_000_000

  init(_ facts: DocumentFacts, _ document: Document) {
    self.facts = facts
    self.document = document
    search = FragmentSearch(fragmentCount: document.fragments.count)
  }

  /// Returns all usages that `operation` reaches in fragments and that are of the same kinds as
  /// `usages`.
  ///
  /// - Returns: The usages, or `usages` itself if the search would take too long.
  mutating func usages(
    reachableFrom operation: OperationDefinition.ID, like usages: [VariableUsage]
  ) -> [VariableUsage] {
    guard budget > 0 else { return usages }
    let kinds = Set(usages.map(\.kind))
    let fragments = search.fragments(
      reachableFrom: CollectionOfOne(.operation(operation)), facts: facts, document: document
    ) { facts.usesVariables[$0.index] }
    budget -= fragments.count
    return fragments.flatMap { fragment in
      facts.usages(in: .fragment(fragment)).filter { kinds.contains($0.kind) }
    }
  }
}

/// The variables of the current operation, by name.
private struct VariableScope {
  private struct Entry {
    var scope: UInt32 = 0
    var variable: UInt32 = 0
    var isUsed = false
  }

  private var entries: [Entry]
  private var scope: UInt32 = 0

  init(_ document: Document) {
    entries = Array(repeating: Entry(), count: document.names.count)
  }

  /// Makes `operation` the current operation.
  mutating func open(_ operation: OperationDefinition, _ document: Document) {
    scope += 1
    for id in operation.variables {
      entries[document[id].name.symbol.index] = Entry(scope: scope, variable: id.rawValue)
    }
  }

  /// Returns the definition of `name`, or `nil` if there is none. Of several, the last one is
  /// returned.
  func definition(of name: Symbol) -> VariableDefinition.ID? {
    guard entries[name.index].scope == scope else { return nil }
    return VariableDefinition.ID(rawValue: entries[name.index].variable)
  }

  /// Marks the variable `name` as used, and returns its definition.
  mutating func use(_ name: Symbol) -> VariableDefinition.ID? {
    guard let variable = definition(of: name) else { return nil }
    entries[name.index].isUsed = true
    return variable
  }

  /// Returns the variables of `operation`, which must be the current one, that are used neither in
  /// it nor elsewhere.
  func unused(
    in operation: OperationDefinition, _ document: Document,
    butFor isUsedElsewhere: (VariableDefinition.ID) -> Bool
  ) -> [VariableDefinition.ID] {
    operation.variables.filter { id in
      let name = document[id].name.symbol
      guard !entries[name.index].isUsed else { return false }
      return !(definition(of: name).map(isUsedElsewhere) ?? false)
    }
  }
}
