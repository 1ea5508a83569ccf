import GraphQLSchema
import GraphQLSyntax

/// Tells quickly whether the fields of selection sets can be merged, and nothing more.
///
/// The fields of a set, those in its fragments included, are grouped by response name. All fields
/// of a group must be alike, so each is compared with the first one only; then the selection sets
/// of the group are merged and the same is asked of the union. A union is examined once, wherever
/// it comes from, so the work is in proportion to the document except for documents made to be
/// hard.
///
/// Where a set fails, ``ConflictSearch`` finds out all that is wrong with it.
struct MergeCheck {
  /// A pair of fields that cannot be merged.
  struct Witness {
    var first: Field.ID
    var second: Field.ID
    var conflict: MergeConflict
  }

  /// What is asked of the fields of a group.
  private enum Demand: UInt32 {
    /// Only that their values have the same shape: no object has both fields.
    case shape
    /// That they are the same field with the same arguments.
    case identity
  }

  private struct Job {
    var demand: Demand
    var sets: [SelectionSet]
  }

  private let comparison: FieldComparison
  private var fields: FieldTable
  private var jobs: [Job] = []
  /// By demand and selection sets: the witness against their union, or -1 when there is none.
  private var known: [[UInt32]: Int] = [:]
  /// The unions met in the current check.
  private var newKeys: [[UInt32]] = []
  private var witnesses: [Witness] = []
  /// How many more selections may be looked at.
  private var budget = 60_000_000

  init(_ comparison: FieldComparison) {
    self.comparison = comparison
    fields = FieldTable(comparison)
  }

  /// Whether the document is so intricate that the check was given up.
  var isExhausted: Bool { budget < 0 }
}

// MARK: - Checking

extension MergeCheck {
  /// Two fields within `selectionSet`, at whatever depth, that cannot be merged.
  ///
  /// - Parameters:
  ///   - selectionSet: The set to check.
  ///   - met: Is called with the fragments that are part of the set.
  /// - Returns: The fields and why they conflict, or nil when none are found.
  mutating func witness(
    in selectionSet: SelectionSet, met: (FragmentDefinition.ID) -> Void = { _ in }
  ) -> Witness? {
    jobs.append(Job(demand: .identity, sets: [selectionSet]))
    var isRoot = true
    var witness: Witness?
    while witness == nil, !isExhausted, let job = jobs.popLast() {
      budget -= fields.collect(job.sets)
      if isRoot { fields.fragments.forEach(met) }
      isRoot = false
      witness = check(job.demand)
    }
    if let witness {
      for key in newKeys { known[key] = witnesses.count }
      witnesses.append(witness)
      jobs.removeAll()
    }
    newKeys.removeAll()
    return witness
  }

  private mutating func check(_ demand: Demand) -> Witness? {
    for name in fields.repeatedNames {
      let group = fields.group(of: name)
      let witness =
        switch demand {
        case .shape: checkShape(group)
        case .identity: checkIdentity(group)
        }
      if let witness { return witness }
    }
    return nil
  }

  private mutating func checkShape(_ group: [MergedField]) -> Witness? {
    firstConflict(in: group, comparison.shapeConflict) ?? merge(group, .shape)
  }

  private mutating func checkIdentity(_ group: [MergedField]) -> Witness? {
    let classes = classes(of: group)
    if classes.count > 1, let witness = checkShape(group) { return witness }
    for members in classes where members.count > 1 {
      if let witness = firstConflict(in: members, comparison.fieldConflict)
        ?? firstConflict(in: members, comparison.shapeConflict) ?? merge(members, .identity)
      {
        return witness
      }
    }
    return nil
  }

  /// The largest subsets of a group that one object can have all of: for each object type the
  /// fields selected from it, and always those selected from abstract types.
  private mutating func classes(of group: [MergedField]) -> [[MergedField]] {
    let parent = group.first?.parent
    // Nearly always so.
    guard group.contains(where: { $0.parent != parent }) else { return [group] }
    var objects: [Schema.NamedType.ID] = []
    var members: [Schema.NamedType.ID: [MergedField]] = [:]
    var others: [MergedField] = []
    for field in group {
      guard let parent = field.parent, comparison.schema[parent].kind == .object else {
        others.append(field)
        continue
      }
      if members[parent] == nil { objects.append(parent) }
      members[parent, default: []].append(field)
    }
    guard objects.count > 1 else { return [group] }
    // The others are in every class; many objects with many others are made to be slow.
    budget -= objects.count * others.count
    guard !isExhausted else { return [] }
    return objects.map { members[$0, default: []] + others }
  }

  /// The conflict of one field of `group` with another, if there is any.
  ///
  /// - Parameters:
  ///   - group: The fields, all of which are compared with one of them.
  ///   - conflict: Compares two fields. Must be transitive where it finds none.
  /// - Returns: The two fields and their conflict, or nil when all agree.
  private func firstConflict(
    in group: [MergedField], _ conflict: (MergedField, MergedField) -> MergeConflict?
  ) -> Witness? {
    guard
      let first = group.first(where: { comparison.types.definition(of: $0.id) != nil })
        ?? group.first
    else { return nil }
    for other in group {
      if let conflict = conflict(first, other) {
        return Witness(first: first.id, second: other.id, conflict: conflict)
      }
    }
    return nil
  }
}

// MARK: - Merging

extension MergeCheck {
  /// Demands that the selection sets of all fields of `group` can be merged.
  private mutating func merge(_ group: [MergedField], _ demand: Demand) -> Witness? {
    var sets: [SelectionSet] = []
    for field in group {
      guard let set = comparison.document[field.id].selectionSet else { continue }
      sets.append(comparison.withoutDetour(set))
    }
    guard sets.count > 1 else { return nil }
    sets.sort { $0.selections.start < $1.selections.start }
    var key = [demand.rawValue]
    for set in sets where key.count == 1 || key[key.count - 1] != set.selections.start {
      key.append(set.selections.start)
    }
    guard key.count > 2 else { return nil }
    if let witness = known[key] { return witness < 0 ? nil : witnesses[witness] }
    known[key] = -1
    newKeys.append(key)
    jobs.append(Job(demand: demand, sets: sets))
    return nil
  }
}

extension FieldComparison {
  /// The selection set of the fragment, if all that `selectionSet` does is to spread one.
  func withoutDetour(_ selectionSet: SelectionSet) -> SelectionSet {
    var result = selectionSet
    for _ in 0..<100 {
      guard result.selections.count == 1, let selection = document[result.selections].first,
        case .fragmentSpread(let id) = selection,
        let fragment = facts.fragment(named: document[id].name.symbol)
      else { break }
      result = document[fragment].selectionSet
    }
    return result
  }
}
