import GraphQLSyntax

/// Remembers where each name was first used.
struct FirstUses {
  /// By symbol; an empty span at 0 where the name is new, which no name has.
  private var spans: [SourceSpan]

  private static let none = SourceSpan(at: 0)

  init(nameCount: Int) {
    spans = Array(repeating: Self.none, count: nameCount)
  }

  /// Where the name was used before, or nil when this is the first use.
  mutating func insert(_ name: Name) -> SourceSpan? {
    let first = spans[name.symbol.index]
    guard first == Self.none else { return first }
    spans[name.symbol.index] = name.span
    return nil
  }
}

/// Tells whether one of the nodes of a list has a name; made for one list, and asked for many names.
///
/// Short lists, which nearly all are, are searched without allocating anything.
struct NameLookup {
  /// The names of a long list, once somebody asked.
  private var names: Set<Symbol>?

  /// - Complexity: O(1) on average, after the first call for the list.
  mutating func contains<Node>(
    _ symbol: Symbol, in list: NodeList<Node>, _ name: (NodeID<Node>) -> Symbol
  ) -> Bool {
    guard list.count > 8 else { return list.contains { name($0) == symbol } }
    let names = names ?? Set(list.map(name))
    self.names = names
    return names.contains(symbol)
  }
}

/// The nodes of a list that share a name, in the order of their first ones.
///
/// Lists without repetitions, which nearly all are, are told without allocating anything.
/// - Complexity: O(*n*²) comparisons of integers up to eight names, O(*n*) on average above.
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
  /// A note with the same words for each place.
  static func each(_ spans: some Sequence<SourceSpan>, _ message: String) -> [Diagnostic.Note] {
    spans.map { Diagnostic.Note(message, at: $0) }
  }
}
