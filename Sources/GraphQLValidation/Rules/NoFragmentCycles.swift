import GraphQLSyntax

/// Fragments do not spread themselves, directly or through other fragments.
///
/// Spec: 5.5.2.2, "Fragment Spreads Must Not Form Cycles".
enum NoFragmentCycles: Rule {
  static let name = ValidationRule.noFragmentCycles.diagnosticRule

  static func check(_ facts: DocumentFacts, in context: inout ValidationContext) {
    var search = FragmentCycleSearch(context.document, facts)
    for index in context.document.fragments.indices {
      for cycle in search.cycles(from: FragmentDefinition.ID(rawValue: UInt32(index))) {
        report(cycle, in: &context)
      }
    }
  }

  /// Reports that a fragment spreads itself.
  ///
  /// - Parameters:
  ///   - cycle: The spreads that lead from the fragment back to itself.
  ///   - context: The context that collects the diagnostic.
  private static func report(_ cycle: [FragmentSpread.ID], in context: inout ValidationContext) {
    let spreads = cycle.map { context.document[$0] }
    guard let first = spreads.first, let last = spreads.last else { return }
    let path = spreads.dropLast().map { "\"\(context.document.spelling($0.name))\"" }
    let via = path.isEmpty ? "" : " via \(path.joined(separator: ", "))"
    context.report(
      Self.self,
      "Cannot spread fragment \"\(context.document.spelling(last.name))\" within itself\(via).",
      at: first.span,
      notes: Diagnostic.Note.each(spreads.dropFirst().map(\.span), "and this leads back"))
  }
}

/// Searches the fragments of a document for cycles, depth first and without recursion.
///
/// Recording stops when the cycles contain 10,000 spreads in total. Only documents designed to be
/// slow have more.
private struct FragmentCycleSearch {
  /// A fragment on the current path, with its remaining spreads.
  private struct Step {
    var name: Symbol
    var spreads: [FragmentSpread.ID]
    var next = 0
  }

  private let document: Document
  private let facts: DocumentFacts
  /// One element for each symbol: `true` if the fragment of that name was visited.
  private var isVisited: [Bool]
  /// The number of spreads that lead to the fragment of each symbol, or -1 if it is not on the
  /// current path.
  private var depths: [Int]
  /// The remaining number of spreads to record.
  private var remainingSpreads = 10_000

  init(_ document: Document, _ facts: DocumentFacts) {
    self.document = document
    self.facts = facts
    isVisited = Array(repeating: false, count: document.names.count)
    depths = Array(repeating: -1, count: document.names.count)
  }

  /// Returns the cycles that are first reached from `fragment`. Each fragment is entered once.
  mutating func cycles(from fragment: FragmentDefinition.ID) -> [[FragmentSpread.ID]] {
    var cycles: [[FragmentSpread.ID]] = []
    var path: [FragmentSpread.ID] = []
    var steps: [Step] = []
    enter(fragment, depth: 0, &steps)
    while let step = steps.last {
      guard step.next < step.spreads.count else {
        depths[step.name.index] = -1
        steps.removeLast()
        if !path.isEmpty { path.removeLast() }
        continue
      }
      steps[steps.count - 1].next += 1
      let spread = step.spreads[step.next]
      let name = document[spread].name.symbol
      if depths[name.index] >= 0 {
        let length = path.count - depths[name.index] + 1
        // The first cycle is always recorded.
        guard remainingSpreads == 10_000 || length <= remainingSpreads else { continue }
        cycles.append(path[depths[name.index]...] + [spread])
        remainingSpreads -= length
      } else if let target = facts.fragment(named: name), !isVisited[name.index] {
        path.append(spread)
        enter(target, depth: path.count, &steps)
      }
    }
    return cycles
  }

  private mutating func enter(
    _ fragment: FragmentDefinition.ID, depth: Int, _ steps: inout [Step]
  ) {
    let name = document[fragment].name.symbol
    guard !isVisited[name.index] else { return }
    isVisited[name.index] = true
    depths[name.index] = depth
    steps.append(Step(name: name, spreads: outerSpreadsFirst(in: document[fragment].selectionSet)))
  }

  /// Returns all spreads in a selection set, in the order that decides which cycle is found first.
  ///
  /// Spreads of outer selection sets precede those of inner ones. Inner selection sets are visited
  /// in reverse.
  private func outerSpreadsFirst(in selectionSet: SelectionSet) -> [FragmentSpread.ID] {
    var spreads: [FragmentSpread.ID] = []
    var pending = [selectionSet]
    while let selectionSet = pending.popLast() {
      for selection in selectionSet.selections {
        switch document[selection] {
        case .fragmentSpread(let id): spreads.append(id)
        case .inlineFragment(let id): pending.append(document[id].selectionSet)
        case .field(let id): if let inner = document[id].selectionSet { pending.append(inner) }
        }
      }
    }
    return spreads
  }
}
