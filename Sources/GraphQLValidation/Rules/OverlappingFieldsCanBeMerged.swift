import GraphQLSchema
import GraphQLSyntax

/// Fields with the same response name can be merged into one.
///
/// 1. ``MergeCheck`` checks every selection set quickly, and finds out only whether it has a
///    conflict.
/// 2. ``ConflictSearch`` finds all conflicts of the selection sets that fail.
///
/// Spec: 5.3.2, "Field Selection Merging".
enum OverlappingFieldsCanBeMerged: Rule {
  static let name = ValidationRule.overlappingFieldsCanBeMerged.diagnosticRule

  static func check(
    _ types: StaticTypes, _ facts: DocumentFacts, in context: inout ValidationContext
  ) {
    let comparison = FieldComparison(
      document: context.document, schema: context.schema, types: types, facts: facts,
      caughtLevels: context.caughtLevels)
    var roots = MergeRoots(comparison)
    roots.check()
    if roots.isExhausted { reportExhaustion(in: &context) }
    guard !roots.failures.isEmpty else { return }
    var report = ConflictReport(comparison, roots.failures)
    report.run(in: &context)
  }

  private static func reportExhaustion(in context: inout ValidationContext) {
    guard let definition = context.document.definitions.first else { return }
    context.report(
      Self.self,
      "The selections are too intricate to tell whether fields conflict. Use fewer fragments "
        + "within fragments.",
      at: context.document.span(of: definition))
  }
}

// MARK: - Quick check

/// Checks the selection sets of a document, except those of inline fragments, which their parents
/// contain.
private struct MergeRoots {
  private let comparison: FieldComparison
  private var merge: MergeCheck
  /// One element for each fragment: `true` if it belongs to a selection set without conflicts.
  private var isCovered: [Bool]
  /// A conflict of each selection set that failed, by the index of its first selection.
  private(set) var failures: [UInt32: MergeCheck.Witness] = [:]

  init(_ comparison: FieldComparison) {
    self.comparison = comparison
    merge = MergeCheck(comparison)
    isCovered = Array(repeating: false, count: comparison.document.fragments.count)
  }

  var isExhausted: Bool { merge.isExhausted }

  mutating func check() {
    let document = comparison.document
    for operation in document.operations { check(operation.selectionSet) }
    for field in document.fields {
      if let selectionSet = field.selectionSet { check(selectionSet) }
    }
    for fragment in usersFirst() where !isCovered[fragment.index] {
      check(document[fragment].selectionSet)
    }
  }

  private mutating func check(_ selectionSet: SelectionSet) {
    let document = comparison.document
    if selectionSet.selections.count == 1, let only = document[selectionSet.selections].first {
      // A single field has no conflict, and a fragment is checked on its own.
      if case .inlineFragment = only {} else { return }
    }
    var met: [FragmentDefinition.ID] = []
    if let witness = merge.witness(in: selectionSet, met: { met.append($0) }) {
      failures[selectionSet.selections.start] = witness
    } else {
      for fragment in met { isCovered[fragment.index] = true }
    }
  }

  /// Returns all fragments, each after the fragments that spread it, except in cycles.
  private func usersFirst() -> [FragmentDefinition.ID] {
    let document = comparison.document
    var order: [FragmentDefinition.ID] = []
    var isVisited = Array(repeating: false, count: document.fragments.count)
    for index in document.fragments.indices where !isVisited[index] && !isCovered[index] {
      var path: [(fragment: FragmentDefinition.ID, spreads: ArraySlice<FragmentSpread.ID>)] = []
      func enter(_ fragment: FragmentDefinition.ID) {
        isVisited[fragment.index] = true
        path.append((fragment, comparison.facts.spreads(in: .fragment(fragment))))
      }
      enter(FragmentDefinition.ID(rawValue: UInt32(index)))
      while let last = path.last {
        guard let spread = last.spreads.first else {
          order.append(last.fragment)
          path.removeLast()
          continue
        }
        path[path.count - 1].spreads.removeFirst()
        if let next = comparison.facts.fragment(named: document[spread].name.symbol),
          !isVisited[next.index]
        {
          enter(next)
        }
      }
    }
    return order.reversed()
  }
}

// MARK: - Reporting

/// Reports the conflicts in the selection sets that failed, in the order of the text.
private struct ConflictReport {
  private let failures: [UInt32: MergeCheck.Witness]
  private var search: ConflictSearch

  init(_ comparison: FieldComparison, _ failures: [UInt32: MergeCheck.Witness]) {
    self.failures = failures
    search = ConflictSearch(comparison)
  }

  mutating func run(in context: inout ValidationContext) {
    for definition in context.document.definitions {
      switch definition {
      case .operation(let id): visit(context.document[id].selectionSet, false, &context)
      case .fragment(let id): visit(context.document[id].selectionSet, false, &context)
      case .schema, .type, .directive: break
      }
    }
  }

  /// Reports the conflicts in a selection set and in those inside it.
  ///
  /// - Parameters:
  ///   - selectionSet: The selection set to visit.
  ///   - isWithinFailure: Whether it belongs to an inline fragment in a selection set that failed.
  ///   - context: The context that collects the diagnostics.
  private mutating func visit(
    _ selectionSet: SelectionSet, _ isWithinFailure: Bool, _ context: inout ValidationContext
  ) {
    let witness = failures[selectionSet.selections.start]
    let isFailure = isWithinFailure || witness != nil
    if isFailure { report(selectionSet, witness, &context) }
    for selection in selectionSet.selections {
      switch context.document[selection] {
      case .field(let id):
        if let inner = context.document[id].selectionSet { visit(inner, false, &context) }
      case .inlineFragment(let id):
        visit(context.document[id].selectionSet, isFailure, &context)
      case .fragmentSpread: break
      }
    }
  }

  private mutating func report(
    _ selectionSet: SelectionSet, _ witness: MergeCheck.Witness?,
    _ context: inout ValidationContext
  ) {
    let conflicts = search.conflicts(in: selectionSet)
    for conflict in conflicts { report(conflict, &context) }
    guard conflicts.isEmpty, search.isExhausted, let witness else { return }
    report(
      Conflict(
        responseName: context.document[witness.first].responseName,
        reason: .fields(witness.conflict), firstFields: [witness.first],
        secondFields: [witness.second]), &context)
  }

  private func report(_ conflict: Conflict, _ context: inout ValidationContext) {
    let document = context.document
    let spans = (conflict.firstFields + conflict.secondFields).map { document[$0].span }
    context.report(
      OverlappingFieldsCanBeMerged.self, conflict.message(document, context.schema), at: spans[0],
      notes: Diagnostic.Note.each(spans.dropFirst(), "conflicts with this"))
  }
}
