import GraphQLSchema
import GraphQLSyntax

/// Confronts the variables of each operation with their uses, also those in fragments.
///
/// Which operations use a variable wrongly is found out for all of them together, so that a fragment
/// is not looked at for each operation that reaches it; then the places are looked for in those.
enum VariablesOfOperations {
  static func check(_ facts: DocumentFacts, in context: inout ValidationContext) {
    let document = context.document
    let inFragments = UsagesInFragments(facts, context)
    var search = PlaceSearch(facts, document)
    var scope = VariableScope(document)
    for (index, operation) in document.operations.enumerated() where !context.isFull {
      let id = OperationDefinition.ID(rawValue: UInt32(index))
      scope.open(operation, document)
      check(facts.usages(in: .operation(id)), in: operation, &scope, &context)
      if let wrong = inFragments.wrong[id] {
        check(search.usages(reachableFrom: id, like: wrong)[...], in: operation, &scope, &context)
      }
      let unused = scope.unused(in: operation, document) { inFragments.isUsed[$0.index] }
      NoUnusedVariables.report(unused, of: operation, in: &context)
    }
  }

  private static func check(
    _ usages: ArraySlice<VariableUsage>, in operation: OperationDefinition,
    _ scope: inout VariableScope, _ context: inout ValidationContext
  ) {
    for usage in usages where !context.isFull {
      if let variable = scope.use(usage.name) {
        VariablesInAllowedPosition.check(usage, of: context.document[variable], in: &context)
      } else {
        NoUndefinedVariables.check(usage, in: operation, in: &context)
      }
    }
  }
}

// MARK: - Quickly

/// How the fragments that operations reach use their variables.
///
/// Usages that are alike are one kind. Sixty-four kinds at a time, each fragment gets a word that says
/// which of them are in it or in what it spreads, and each operation what its spreads have. So the
/// work is in proportion to fragments and operations, not to their product.
private struct UsagesInFragments {
  /// By variable definition.
  private(set) var isUsed: [Bool]
  /// The kinds that operations use wrongly, by the first usage of each.
  private(set) var wrong: [OperationDefinition.ID: [VariableUsage]] = [:]
  /// How many more may be added to `wrong`; more are not reported anyway.
  private var room = DiagnosticList.greatestCount

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
          note(kinds.usage(at: word.trailingZeroBitCount), in: id, scope, context)
          word &= word - 1
        }
      }
    }
  }

  private mutating func note(
    _ usage: VariableUsage, in operation: OperationDefinition.ID, _ scope: VariableScope,
    _ context: ValidationContext
  ) {
    if let variable = scope.definition(of: usage.name) {
      isUsed[variable.index] = true
      guard !VariablesInAllowedPosition.allows(usage, of: context.document[variable], context)
      else { return }
    }
    guard room > 0 else { return }
    room -= 1
    wrong[operation, default: []].append(usage)
  }
}

/// Hands out the kinds of usages in fragments, a word of 64 for each fragment at a time.
private struct KindsOfFragments {
  private let facts: DocumentFacts
  private let document: Document
  /// The first usage of each kind.
  private var kinds: [VariableUsage] = []
  /// By fragment: the kinds in itself that were not yet handed out, the next one last.
  private var own: [[Int]]
  /// By fragment: the components of the fragments that it spreads.
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

  /// The first usage of the kind at `bit` of the words that were handed out last.
  func usage(at bit: Int) -> VariableUsage { kinds[handedOut - 64 + bit] }

  /// By component of fragments: which of the next 64 kinds are in its fragments and in what these
  /// reach; nil when all kinds were handed out.
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

  /// Which of the kinds are in the fragments that `operation` reaches.
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

/// Looks for the places where the fragments that operations reach use variables in certain ways.
private struct PlaceSearch {
  private let facts: DocumentFacts
  private let document: Document
  private var search: FragmentSearch
  /// How many more fragments may be looked at; more only are in documents made to be slow.
  private var budget = 2_000_000

  init(_ facts: DocumentFacts, _ document: Document) {
    self.facts = facts
    self.document = document
    search = FragmentSearch(fragmentCount: document.fragments.count)
  }

  /// All usages that `operation` reaches in fragments of the same kind as one of `usages`.
  ///
  /// - Returns: `usages` itself, which are one of each kind, when looking would take too long.
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

/// The variables of one operation after the other, found by symbol.
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

  /// Forgets the operation before and knows the variables of this one.
  mutating func open(_ operation: OperationDefinition, _ document: Document) {
    scope += 1
    for id in operation.variables {
      entries[document[id].name.symbol.index] = Entry(scope: scope, variable: id.rawValue)
    }
  }

  /// The definition of `name`, the last one if there are several.
  func definition(of name: Symbol) -> VariableDefinition.ID? {
    guard entries[name.index].scope == scope else { return nil }
    return VariableDefinition.ID(rawValue: entries[name.index].variable)
  }

  /// The definition of `name`, which is now used.
  mutating func use(_ name: Symbol) -> VariableDefinition.ID? {
    guard let variable = definition(of: name) else { return nil }
    entries[name.index].isUsed = true
    return variable
  }

  /// The variables of `operation`, which is open, that `use` was not called for and that are not
  /// used elsewhere.
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
