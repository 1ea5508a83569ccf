import GraphQLSchema
import GraphQLSyntax

/// The fields of a union of selection sets, grouped by response name. The table is reused.
struct FieldTable {
  private struct Entry {
    var field: OverlappingField
    /// The index of the previous entry with the same response name, or -1.
    var previous: Int
  }

  private let comparison: FieldComparison
  private var entries: [Entry] = []
  /// The last entry of each response name, indexed by symbol. It is valid only if its stamp is
  /// current.
  private var lastEntries: [(stamp: UInt32, entry: Int, isRepeated: Bool)]
  private var fragmentStamps: [UInt32]
  private var stamp: UInt32 = 0
  private var pending: [SelectionSet] = []

  /// The response names that several fields have.
  private(set) var repeatedNames: [Symbol] = []
  /// The fragments whose fields belong to the union.
  private(set) var fragments: [FragmentDefinition.ID] = []

  init(_ comparison: FieldComparison) {
    self.comparison = comparison
    lastEntries = Array(repeating: (0, -1, false), count: comparison.document.names.count)
    fragmentStamps = Array(repeating: 0, count: comparison.document.fragments.count)
  }

  /// Returns the fields with the response name `name`, in the order in which they were collected.
  func group(of name: Symbol) -> [OverlappingField] {
    var group: [OverlappingField] = []
    var next = lastEntries[name.index].entry
    while next >= 0 {
      group.append(entries[next].field)
      next = entries[next].previous
    }
    group.reverse()
    return group
  }

  /// Replaces the contents of the table by the fields of `sets`, including those of their
  /// fragments.
  ///
  /// - Returns: The number of selections visited.
  mutating func collect(_ sets: [SelectionSet]) -> Int {
    stamp += 1
    entries.removeAll(keepingCapacity: true)
    repeatedNames.removeAll(keepingCapacity: true)
    fragments.removeAll(keepingCapacity: true)
    pending.append(contentsOf: sets.reversed())
    var count = 0
    while let set = pending.popLast() {
      count += set.selections.count
      collect(set)
    }
    return count
  }

  private mutating func collect(_ set: SelectionSet) {
    let parent = comparison.types.parentType(of: set)
    for selection in set.selections {
      switch comparison.document[selection] {
      case .field(let id): add(OverlappingField(id: id, parent: parent))
      case .inlineFragment(let id): pending.append(comparison.document[id].selectionSet)
      case .fragmentSpread(let id): enter(id)
      }
    }
  }

  private mutating func enter(_ id: FragmentSpread.ID) {
    guard let fragment = comparison.facts.fragment(named: comparison.document[id].name.symbol),
      fragmentStamps[fragment.index] != stamp
    else { return }
    fragmentStamps[fragment.index] = stamp
    fragments.append(fragment)
    pending.append(comparison.document[fragment].selectionSet)
  }

  private mutating func add(_ field: OverlappingField) {
    let node = comparison.document.fields[field.id.index]
    let name = node.responseName
    let last = lastEntries[name.index]
    let isRepeated = last.stamp == stamp
    if isRepeated, repeats(node, field.parent, entries[last.entry].field),
      comparison.haveSameTreatment(field.id, entries[last.entry].field.id)
    {
      return
    }
    if isRepeated && !last.isRepeated { repeatedNames.append(name) }
    lastEntries[name.index] = (stamp, entries.count, isRepeated)
    entries.append(Entry(field: field, previous: isRepeated ? last.entry : -1))
  }
  /// Returns whether a field agrees with all fields with which `other` agrees: both are the same
  /// leaf of the same type, without arguments. Documents can repeat such a field millions of times.
  private func repeats(
    _ field: Field, _ parent: Schema.NamedType.ID?, _ other: OverlappingField
  ) -> Bool {
    guard field.selectionSet == nil, field.arguments.isEmpty, parent == other.parent else {
      return false
    }
    let otherField = comparison.document.fields[other.id.index]
    return otherField.selectionSet == nil && otherField.arguments.isEmpty
      && otherField.name.symbol == field.name.symbol
  }
}
