import GraphQLSyntax

/// Finds every pair of conflicting fields, in the order of the reference implementation.
///
/// The search compares all pairs, which is slow for large selection sets. It therefore runs only
/// for sets in which ``MergeCheck`` has found a conflict:
///
/// 1. Collect the fields of the selection set by response name (``CollectedFields``), and compare
///    each pair of fields with the same name.
/// 2. Compare the fields with those of each fragment that the set spreads, recursively.
/// 3. Compare the fields of each pair of fragments with each other.
/// 4. To compare two fields, compare their names, arguments and types. If those agree, compare
///    their selection sets in the same way.
///
/// Pairs of fragments are compared once. Limits on comparisons, conflicts and depth end a search
/// that would take too long.
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

  private static let maximumDepth = 400

  /// An error that ends the search when a limit is reached.
  private struct Exhaustion: Error {}

  init(_ comparison: FieldComparison) {
    self.comparison = comparison
  }

  /// A Boolean value that indicates whether the search was cut short by a limit.
  private(set) var isExhausted = false

  /// Returns the conflicts between the fields of `selectionSet`, including those of its fragments.
  mutating func conflicts(in selectionSet: SelectionSet) -> [Conflict] {
    do throws(Exhaustion) {
      try compareAll(fields(of: selectionSet))
    } catch {
      isExhausted = true
    }
    defer { conflicts = [] }
    return conflicts
  }

  /// Compares the fields of one selection set with each other and with those of its fragments.
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

  /// Calls `body` one level deeper, unless the maximum depth is reached.
  private mutating func descend(
    _ body: (inout ConflictSearch) throws(Exhaustion) -> Void
  ) throws(Exhaustion) {
    guard depth < Self.maximumDepth else {
      isExhausted = true
      return
    }
    depth += 1
    try body(&self)
    depth -= 1
  }

  /// Counts one comparison, or ends the search if a limit is reached.
  private mutating func spend() throws(Exhaustion) {
    guard budget > 0, remainingConflicts > 0 else { throw Exhaustion() }
    budget -= 1
  }
}

// MARK: - Sets and fragments

extension ConflictSearch {
  /// Compares `fields` with those of the fragment `name` and of the fragments that it spreads.
  ///
  /// If `areExclusive` is `true`, no object has fields of both.
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

  /// Compares the fields of two fragments, and of the fragments that they spread.
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

  /// Compares every field of one selection set with every field of another.
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
    _ name: Symbol, _ field: OverlappingField, _ other: OverlappingField,
    _ areParentsExclusive: Bool
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
    _ name: Symbol, _ field: OverlappingField, _ other: OverlappingField, _ areExclusive: Bool
  ) throws(Exhaustion) {
    guard let set = comparison.document[field.id].selectionSet,
      let otherSet = comparison.document[other.id].selectionSet
    else { return }
    let outerConflicts = conflicts
    conflicts = []
    // Conflicts that were found before the search ended are reported too.
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

  /// Records that two fields conflict because of `inner`, unless `inner` is empty.
  private mutating func addConflict(
    _ name: Symbol, _ field: OverlappingField, _ other: OverlappingField, of inner: [Conflict]
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
