import GraphQLSyntax

/// The first use of each name.
struct FirstUses {
  /// The span of the first use, indexed by symbol. An empty span at 0 stands for no use.
  private var spans: [SourceSpan]

  private static let none = SourceSpan(at: 0)

  init(nameCount: Int) {
    spans = Array(repeating: Self.none, count: nameCount)
  }

  /// Records the use of `name`. Returns the span of the first use, or `nil` if this is the first.
  mutating func insert(_ name: Name) -> SourceSpan? {
    let first = spans[name.symbol.index]
    guard first == Self.none else { return first }
    spans[name.symbol.index] = name.span
    return nil
  }
}

/// Looks up names in one list of nodes.
///
/// Short lists, which are the usual case, are searched without an allocation.
struct NameLookup {
  /// The names of a long list, computed on first use.
  private var names: Set<Symbol>?

  /// Returns whether a node of `list` is named `symbol`.
  ///
  /// - Complexity: O(1) on average, after the first call.
  mutating func contains<Node>(
    _ symbol: Symbol, in list: NodeList<Node>, _ name: (NodeID<Node>) -> Symbol
  ) -> Bool {
    guard list.count > 8 else { return list.contains { name($0) == symbol } }
    let names = names ?? Set(list.map(name))
    self.names = names
    return names.contains(symbol)
  }
}

/// Returns the names that occur more than once in `list`, in the order of their first occurrences.
///
/// Lists without repetitions, which are the usual case, need no allocation.
/// - Complexity: O(*n*) on average. Up to eight names are compared pairwise.
func repeatedNames<Node>(
  in list: NodeList<Node>, _ name: (NodeID<Node>) -> Name
) -> [(name: Symbol, uses: [SourceSpan])] {
  guard list.count > 1, hasRepetition(list, name) else { return [] }
  var positions: [Symbol: Int] = [:]
  var groups: [(name: Symbol, uses: [SourceSpan])] = []
  for id in list {
    let name = name(id)
    if let position = positions[name.symbol] {
      groups[position].uses.append(name.span)
    } else {
      positions[name.symbol] = groups.count
      groups.append((name.symbol, [name.span]))
    }
  }
  return groups.filter { $0.uses.count > 1 }
}

private func hasRepetition<Node>(
  _ list: NodeList<Node>, _ name: (NodeID<Node>) -> Name
) -> Bool {
  guard list.count <= 8 else {
    return Set(list.map { name($0).symbol }).count < list.count
  }
  for position in list.indices.dropFirst() {
    let symbol = name(list[position]).symbol
    for earlier in list.startIndex..<position where name(list[earlier]).symbol == symbol {
      return true
    }
  }
  return false
}

extension Diagnostic.Note {
  /// Returns a note with the same message for each span.
  static func each(_ spans: some Sequence<SourceSpan>, _ message: String) -> [Diagnostic.Note] {
    spans.map { Diagnostic.Note(message, at: $0) }
  }
}
