import GraphQLSyntax

/// The fields of a selection set, grouped by response name, and the fragments that it spreads.
///
/// The fields of inline fragments are included. Those of named fragments are not.
final class CollectedFields {
  /// The identity of the selection set.
  let start: UInt32
  private(set) var groups: [(name: Symbol, fields: [OverlappingField])] = []
  private(set) var fragmentNames: [Symbol] = []
  private var positions: [Symbol: Int] = [:]
  private var knownFragmentNames: Set<Symbol> = []

  init(_ selectionSet: SelectionSet, _ comparison: FieldComparison) {
    start = selectionSet.selections.start
    collect(selectionSet, comparison)
  }

  func fields(named name: Symbol) -> [OverlappingField] {
    positions[name].map { groups[$0].fields } ?? []
  }

  private func collect(_ selectionSet: SelectionSet, _ comparison: FieldComparison) {
    let document = comparison.document
    let parent = comparison.types.parentType(of: selectionSet)
    for selection in selectionSet.selections {
      switch document[selection] {
      case .field(let id): add(OverlappingField(id: id, parent: parent), document[id].responseName)
      case .inlineFragment(let id): collect(document[id].selectionSet, comparison)
      case .fragmentSpread(let id):
        let name = document[id].name.symbol
        if knownFragmentNames.insert(name).inserted { fragmentNames.append(name) }
      }
    }
  }

  private func add(_ field: OverlappingField, _ name: Symbol) {
    if let position = positions[name] {
      groups[position].fields.append(field)
    } else {
      positions[name] = groups.count
      groups.append((name, [field]))
    }
  }
}
