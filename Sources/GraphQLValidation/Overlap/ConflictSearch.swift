import GraphQLSyntax

/// Finds every pair of fields that conflict, as the reference implementation does.
///
/// It compares all pairs, which takes long for big sets, so it is used only for sets that are known
/// to have a conflict, and only up to a number of comparisons, a number of conflicts and a depth.
///
/// Spec: 5.3.2, "Field Selection Merging".
struct ConflictSearch {
  private let comparison: FieldComparison
  private var collected: [UInt32: CollectedFields] = [:]
  private var comparedFragments = PairSet()
  private var comparedFieldsAndFragments = PairSet()
  private var conflicts: [Conflict] = []
  private var depth = 0
  private var budget = 1_000_000
  private var remainingConflicts = 1000

  private static let greatestDepth = 400

  init(_ comparison: FieldComparison) {
    self.comparison = comparison
  }

  /// Whether something was left out, because the search took too long or went too deep.
  private(set) var isExhausted = false

  /// The conflicts between the fields of `selectionSet` itself and of the fragments it spreads.
  mutating func conflicts(in selectionSet: SelectionSet) -> [Conflict] {
    let fields = self.fields(of: selectionSet)
    for group in fields.groups {
      for (index, field) in group.fields.enumerated() {
        for other in group.fields.dropFirst(index + 1) { compare(group.name, field, other, false) }
      }
    }
    for (index, name) in fields.fragmentNames.enumerated() {
      compare(fields, withFragment: name, false)
      for other in fields.fragmentNames.dropFirst(index + 1) {
        compare(fragment: name, withFragment: other, false)
      }
    }
    defer { conflicts = [] }
    return conflicts
  }

  private mutating func fields(of selectionSet: SelectionSet) -> CollectedFields {
    if let known = collected[selectionSet.selections.start] { return known }
    let fields = CollectedFields(selectionSet, comparison)
    collected[selectionSet.selections.start] = fields
    return fields
  }

  private mutating func fields(ofFragment name: Symbol) -> CollectedFields? {
    comparison.facts.fragment(named: name)
      .map { fields(of: comparison.document[$0].selectionSet) }
  }

  /// Calls `body` one level deeper, unless that is too deep or takes too long.
  private mutating func descend(_ body: (inout ConflictSearch) -> Void) {
    guard depth < Self.greatestDepth, budget > 0, remainingConflicts > 0 else {
      isExhausted = true
      return
    }
    depth += 1
    budget -= 1
    body(&self)
    depth -= 1
  }
}

// MARK: - Sets and fragments

extension ConflictSearch {
  /// Compares fields with those of a fragment and of the fragments that it spreads.
  ///
  /// - Parameters:
  ///   - fields: The fields of a selection set or a fragment.
  ///   - name: The name of the fragment to compare them with.
  ///   - areExclusive: Whether no object has fields of both.
  private mutating func compare(
    _ fields: CollectedFields, withFragment name: Symbol, _ areExclusive: Bool
  ) {
    guard comparedFieldsAndFragments.insert(fields.start, name.rawValue, weakly: areExclusive),
      let others = self.fields(ofFragment: name), others.start != fields.start
    else { return }
    descend { search in
      search.compare(fields, others, areExclusive)
      for inner in others.fragmentNames {
        search.compare(fields, withFragment: inner, areExclusive)
      }
    }
  }

  /// Compares the fields of two fragments and of the fragments that these spread.
  private mutating func compare(
    fragment name: Symbol, withFragment other: Symbol, _ areExclusive: Bool
  ) {
    guard name != other else { return }
    let (low, high) = (min(name.rawValue, other.rawValue), max(name.rawValue, other.rawValue))
    guard comparedFragments.insert(low, high, weakly: areExclusive),
      let fields = fields(ofFragment: name), let others = self.fields(ofFragment: other)
    else { return }
    descend { search in
      search.compare(fields, others, areExclusive)
      for inner in others.fragmentNames {
        search.compare(fragment: name, withFragment: inner, areExclusive)
      }
      for inner in fields.fragmentNames {
        search.compare(fragment: inner, withFragment: other, areExclusive)
      }
    }
  }

  /// Compares every field of one set with every field of the other one.
  private mutating func compare(
    _ fields: CollectedFields, _ others: CollectedFields, _ areExclusive: Bool
  ) {
    for group in fields.groups {
      let candidates = others.fields(named: group.name)
      for field in group.fields {
        for other in candidates { compare(group.name, field, other, areExclusive) }
      }
    }
  }
}

// MARK: - Pairs of fields

extension ConflictSearch {
  private mutating func compare(
    _ name: Symbol, _ field: MergedField, _ other: MergedField, _ areParentsExclusive: Bool
  ) {
    guard budget > 0, remainingConflicts > 0 else {
      isExhausted = true
      return
    }
    budget -= 1
    let areExclusive = areParentsExclusive || comparison.areExclusive(field, other)
    let conflict =
      (areExclusive ? nil : comparison.fieldConflict(field, other))
      ?? comparison.shapeConflict(field, other)
    if let conflict {
      remainingConflicts -= 1
      conflicts.append(
        Conflict(
          responseName: name, reason: .fields(conflict), firstFields: [field.id],
          secondFields: [other.id]))
    } else {
      compareSubfields(name, field, other, areExclusive)
    }
  }

  private mutating func compareSubfields(
    _ name: Symbol, _ field: MergedField, _ other: MergedField, _ areExclusive: Bool
  ) {
    guard let set = comparison.document[field.id].selectionSet,
      let otherSet = comparison.document[other.id].selectionSet
    else { return }
    let outerConflicts = conflicts
    conflicts = []
    descend { $0.compare(set, otherSet, areExclusive) }
    let inner = conflicts
    conflicts = outerConflicts
    guard !inner.isEmpty else { return }
    conflicts.append(
      Conflict(
        responseName: name, reason: .subfields(inner.map { ($0.responseName, $0.reason) }),
        firstFields: [field.id] + inner.flatMap(\.firstFields),
        secondFields: [other.id] + inner.flatMap(\.secondFields)))
  }

  private mutating func compare(
    _ set: SelectionSet, _ otherSet: SelectionSet, _ areExclusive: Bool
  ) {
    let (fields, others) = (self.fields(of: set), self.fields(of: otherSet))
    compare(fields, others, areExclusive)
    for name in others.fragmentNames { compare(fields, withFragment: name, areExclusive) }
    for name in fields.fragmentNames { compare(others, withFragment: name, areExclusive) }
    for name in fields.fragmentNames {
      for other in others.fragmentNames {
        compare(fragment: name, withFragment: other, areExclusive)
      }
    }
  }
}
