import GraphQLSyntax

/// The fragments that the definitions of a document spread.
struct SpreadGraph {
  /// The names of the fragments that each definition spreads.
  private var spreads: [Definition: Set<Symbol>] = [:]
  private var fragments: [Symbol: [Definition]] = [:]

  /// - Complexity: O(*n* log *n*), where *n* is the number of definitions and spreads.
  init(_ document: Document) {
    let definitions = document.definitions.map { ($0, document.span(of: $0)) }
      .sorted { $0.1.start < $1.1.start }
    for spread in document.fragmentSpreads {
      let index = definitions.partitioningIndex { $0.1.start > spread.span.start } - 1
      guard index >= 0, spread.span.start < definitions[index].1.end else { continue }
      spreads[definitions[index].0, default: []].insert(spread.name.symbol)
    }
    for index in document.fragments.indices {
      fragments[document.fragments[index].name.symbol, default: []]
        .append(.fragment(.init(rawValue: UInt32(index))))
    }
  }

  /// Returns whether an operation spreads the fragment `name`, also through others. The document
  /// need not have the fragment.
  func reaches(_ name: Symbol, from operation: Definition) -> Bool {
    fragments(reachedFrom: operation).union([operation]).contains {
      spreads[$0]?.contains(name) ?? false
    }
  }

  func fragments(reachedFrom operation: Definition) -> Set<Definition> {
    var found: Set<Definition> = []
    var open = [operation]
    while let next = open.popLast() {
      for name in spreads[next] ?? [] {
        for fragment in fragments[name] ?? [] where found.insert(fragment).inserted {
          open.append(fragment)
        }
      }
    }
    return found
  }
}
