import GraphQLSchema
import GraphQLSyntax

/// Checks quickly whether the fields of selection sets can be merged.
///
/// The check finds one conflict at most. ``ConflictSearch`` then finds all conflicts of a selection
/// set that fails.
///
/// 1. Collect the fields of a union of selection sets, including their fragments, by response name
///    (``FieldTable``). The first union consists of one selection set.
/// 2. Compare the fields of each response name with the first of them. Agreement is transitive, so
///    there is no need to compare all pairs.
/// 3. Fields that are selected from different object types never apply to the same object. They are
///    required to have the same shape; others are required to be the same field.
/// 4. Form the union of the selection sets below each group of fields, and check it in the same
///    way.
///
/// Each union is checked once, in whatever context it occurs. The work is therefore proportional to
/// the size of the document, except for documents designed to be slow, for which a budget ends the
/// check.
struct MergeCheck {
  /// A pair of fields that cannot be merged.
  struct Witness {
    var first: Field.ID
    var second: Field.ID
    var conflict: MergeConflict
  }

  /// A requirement on the fields of a group.
  private enum Requirement: UInt32 {
    /// Their values have the same shape. No object has both fields.
    case shape
    /// They are the same field with the same arguments.
    case identity
  }

  /// A union of selection sets that is still to be checked.
  private struct Job {
    var requirement: Requirement
    var sets: [SelectionSet]
  }

  private let comparison: FieldComparison
  private var fields: FieldTable
  private var jobs: [Job] = []
  /// The result for each union that was checked, by requirement and selection sets: an index in
  /// `witnesses`, or -1 if there is no conflict.
  private var results: [[UInt32]: Int] = [:]
  /// The unions found in the current check.
  private var newKeys: [[UInt32]] = []
  private var witnesses: [Witness] = []
  /// The remaining number of selections to visit.
  private var budget = 60_000_000

  init(_ comparison: FieldComparison) {
    self.comparison = comparison
    fields = FieldTable(comparison)
  }

  /// A Boolean value that indicates whether the check was abandoned because the document is too
  /// complex.
  var isExhausted: Bool { budget < 0 }
}

// MARK: - Checking

extension MergeCheck {
  /// Returns two fields in `selectionSet`, at any depth, that cannot be merged.
  ///
  /// - Parameters:
  ///   - selectionSet: The selection set to check.
  ///   - met: Called with each fragment that belongs to the selection set.
  /// - Returns: The fields with the reason, or `nil` if there is no conflict.
  mutating func witness(
    in selectionSet: SelectionSet, met: (FragmentDefinition.ID) -> Void = { _ in }
  ) -> Witness? {
    jobs.append(Job(requirement: .identity, sets: [selectionSet]))
    var isRoot = true
    var witness: Witness?
    while witness == nil, !isExhausted, let job = jobs.popLast() {
      budget -= fields.collect(job.sets)
      if isRoot { fields.fragments.forEach(met) }
      isRoot = false
      witness = check(job.requirement)
    }
    if let witness {
      for key in newKeys { results[key] = witnesses.count }
      witnesses.append(witness)
      jobs.removeAll()
    }
    newKeys.removeAll()
    return witness
  }

  private mutating func check(_ requirement: Requirement) -> Witness? {
    for name in fields.repeatedNames {
      let group = fields.group(of: name)
      let witness =
        switch requirement {
        case .shape: checkShape(group)
        case .identity: checkIdentity(group)
        }
      if let witness { return witness }
    }
    return nil
  }

  private mutating func checkShape(_ group: [OverlappingField]) -> Witness? {
    firstConflict(in: group, comparison.shapeConflict) ?? merge(group, .shape)
  }

  private mutating func checkIdentity(_ group: [OverlappingField]) -> Witness? {
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

  /// Returns the largest subsets of `group` that can all apply to one object.
  ///
  /// For each object type, that is the fields selected from it and those selected from abstract
  /// types.
  private mutating func classes(of group: [OverlappingField]) -> [[OverlappingField]] {
    let parent = group.first?.parent
    // Most groups have one parent type.
    guard group.contains(where: { $0.parent != parent }) else { return [group] }
    var objects: [Schema.NamedType.ID] = []
    var members: [Schema.NamedType.ID: [OverlappingField]] = [:]
    var others: [OverlappingField] = []
    for field in group {
      guard let parent = field.parent, comparison.schema[parent].kind == .object else {
        others.append(field)
        continue
      }
      if members[parent] == nil { objects.append(parent) }
      members[parent, default: []].append(field)
    }
    guard objects.count > 1 else { return [group] }
    // Fields of abstract types belong to every subset. Only documents designed to be slow have many
    // of both.
    budget -= objects.count * others.count
    guard !isExhausted else { return [] }
    return objects.map { members[$0, default: []] + others }
  }

  /// Returns the first conflict in `group`.
  ///
  /// - Parameters:
  ///   - group: The fields, all of which are compared with one of them.
  ///   - conflict: Compares two fields. The absence of conflicts must be transitive.
  /// - Returns: The two fields with the reason, or `nil` if all agree.
  private func firstConflict(
    in group: [OverlappingField], _ conflict: (OverlappingField, OverlappingField) -> MergeConflict?
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
  /// Requires that the selection sets of all fields of `group` can be merged.
  private mutating func merge(_ group: [OverlappingField], _ requirement: Requirement) -> Witness? {
    var sets: [SelectionSet] = []
    for field in group {
      guard let set = comparison.document[field.id].selectionSet else { continue }
      sets.append(comparison.withoutDetour(set))
    }
    guard sets.count > 1 else { return nil }
    sets.sort { $0.selections.start < $1.selections.start }
    var key = [requirement.rawValue]
    for set in sets where key.count == 1 || key[key.count - 1] != set.selections.start {
      key.append(set.selections.start)
    }
    guard key.count > 2 else { return nil }
    if let witness = results[key] { return witness < 0 ? nil : witnesses[witness] }
    results[key] = -1
    newKeys.append(key)
    jobs.append(Job(requirement: requirement, sets: sets))
    return nil
  }
}

extension FieldComparison {
  /// Returns the selection set of a fragment, if `selectionSet` contains nothing but a spread of
  /// it.
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
