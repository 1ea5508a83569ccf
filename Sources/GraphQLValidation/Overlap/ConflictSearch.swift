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

  /// Thrown when there were too many comparisons or conflicts, to end the search.
  private struct Exhaustion: Error {}

  init(_ comparison: FieldComparison) {
    self.comparison = comparison
  }

  /// Whether something was left out, because the search took too long or went too deep.
  private(set) var isExhausted = false

  /// The conflicts between the fields of `selectionSet` itself and of the fragments it spreads.
  mutating func conflicts(in selectionSet: SelectionSet) -> [Conflict] {
    do throws(Exhaustion) {
      try compareAll(fields(of: selectionSet))
    } catch {
      isExhausted = true
    }
    defer { conflicts = [] }
    return conflicts
  }

  /// Compares the fields of one set with each other, and with those of the fragments it spreads.
  private mutating func compareAll(_ fields: CollectedFields) throws(Exhaustion) {
    depth = 0
    for group in fields.groups {
      for (index, field) in group.fields.enumerated() {
        for other in group.fields.dropFirst(index + 1) {
          try compare(group.name, field, other, false)
        }
      }
    }
    for (index, name) in fields.fragmentNames.enumerated() {
      try compare(fields, withFragment: name, false)
      for other in fields.fragmentNames.dropFirst(index + 1) {
        try compare(fragment: name, withFragment: other, false)
      }
    }
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

  /// Calls `body` one level deeper, unless that is too deep.
  private mutating func descend(
    _ body: (inout ConflictSearch) throws(Exhaustion) -> Void
  ) throws(Exhaustion) {
    guard depth < Self.greatestDepth else {
      isExhausted = true
      return
    }
    depth += 1
    try body(&self)
    depth -= 1
  }

  /// Takes one of the comparisons that there may be.
  private mutating func spend() throws(Exhaustion) {
    guard budget > 0, remainingConflicts > 0 else { throw Exhaustion() }
    budget -= 1
  }
}

// MARK: - Sets and fragments

extension ConflictSearch {
  /// Compares `fields`, of a selection set or a fragment, with those of the fragment `name` and of the
  /// fragments that it spreads. If `areExclusive`, no object has fields of both.
  private mutating func compare(
    _ fields: CollectedFields, withFragment name: Symbol, _ areExclusive: Bool
  ) throws(Exhaustion) {
    try spend()
    guard comparedFieldsAndFragments.insert(fields.start, name.rawValue, weakly: areExclusive),
      let others = self.fields(ofFragment: name), others.start != fields.start
    else { return }
    try descend { search throws(Exhaustion) in
      try search.compare(fields, others, areExclusive)
      for inner in others.fragmentNames {
        try search.compare(fields, withFragment: inner, areExclusive)
      }
    }
  }

  /// Compares the fields of two fragments and of the fragments that these spread.
  private mutating func compare(
    fragment name: Symbol, withFragment other: Symbol, _ areExclusive: Bool
  ) throws(Exhaustion) {
    guard name != other else { return }
    try spend()
    let (low, high) = (min(name.rawValue, other.rawValue), max(name.rawValue, other.rawValue))
    guard comparedFragments.insert(low, high, weakly: areExclusive),
      let fields = fields(ofFragment: name), let others = self.fields(ofFragment: other)
    else { return }
    try descend { search throws(Exhaustion) in
      try search.compare(fields, others, areExclusive)
      for inner in others.fragmentNames {
        try search.compare(fragment: name, withFragment: inner, areExclusive)
      }
      for inner in fields.fragmentNames {
        try search.compare(fragment: inner, withFragment: other, areExclusive)
      }
    }
  }

  /// Compares every field of one set with every field of the other one.
  private mutating func compare(
    _ fields: CollectedFields, _ others: CollectedFields, _ areExclusive: Bool
  ) throws(Exhaustion) {
    for group in fields.groups {
      let candidates = others.fields(named: group.name)
      for field in group.fields {
        for other in candidates { try compare(group.name, field, other, areExclusive) }
      }
    }
  }
}

// MARK: - Pairs of fields

extension ConflictSearch {
  private mutating func compare(
    _ name: Symbol, _ field: MergedField, _ other: MergedField, _ areParentsExclusive: Bool
  ) throws(Exhaustion) {
    try spend()
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
      try compareSubfields(name, field, other, areExclusive)
    }
  }

  private mutating func compareSubfields(
    _ name: Symbol, _ field: MergedField, _ other: MergedField, _ areExclusive: Bool
  ) throws(Exhaustion) {
    guard let set = comparison.document[field.id].selectionSet,
      let otherSet = comparison.document[other.id].selectionSet
    else { return }
    let outerConflicts = conflicts
    conflicts = []
    // What was found before the search ended is a conflict as well.
    var end: Exhaustion?
    do throws(Exhaustion) {
      try descend { search throws(Exhaustion) in try search.compare(set, otherSet, areExclusive) }
    } catch {
      end = error
    }
    let inner = conflicts
    conflicts = outerConflicts
    addConflict(name, field, other, of: inner)
    if let end { throw end }
  }

  /// Adds that two fields conflict because of `inner`, unless there is nothing in it.
  private mutating func addConflict(
    _ name: Symbol, _ field: MergedField, _ other: MergedField, of inner: [Conflict]
  ) {
    guard !inner.isEmpty else { return }
    conflicts.append(
      Conflict(
        responseName: name, reason: .subfields(inner.map { ($0.responseName, $0.reason) }),
        firstFields: [field.id] + inner.flatMap(\.firstFields),
        secondFields: [other.id] + inner.flatMap(\.secondFields)))
  }

  private mutating func compare(
    _ set: SelectionSet, _ otherSet: SelectionSet, _ areExclusive: Bool
  ) throws(Exhaustion) {
    let (fields, others) = (self.fields(of: set), self.fields(of: otherSet))
    try compare(fields, others, areExclusive)
    for name in others.fragmentNames { try compare(fields, withFragment: name, areExclusive) }
    for name in fields.fragmentNames { try compare(others, withFragment: name, areExclusive) }
    for name in fields.fragmentNames {
      for other in others.fragmentNames {
        try compare(fragment: name, withFragment: other, areExclusive)
      }
    }
  }
}
