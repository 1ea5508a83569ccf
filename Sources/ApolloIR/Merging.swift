import GraphQLSchema

/// Decides what each model shows besides the fields of its own selection set.
///
/// A merged field points at the struct that was written for it, wherever that is. Only where
/// several selection sets meet, and none of them shows what the others do, is a selection set
/// added; inside an added one only for a field of an added type case.
struct Merging {
  private var program: Program
  private var closures: [Closure] = []
  private let options: MergingOptions

  static func merge(_ program: Program, _ options: MergingOptions) -> Program {
    var merging = Merging(program, options)
    for id in program.selectionSets.indices.map({ SelectionSet.ID($0) }) {
      merging.closures.append(merging.closure(of: id))
    }
    // Fragments before those that spread them, so that what was added for a fragment can be used by
    // others.
    for definition in program.dependencyOrder() {
      for id in merging.writtenSets(of: definition) { merging.resolve(id) }
    }
    return merging.program
  }

  private init(_ program: Program, _ options: MergingOptions) {
    self.program = program
    self.options = options
    setsOfDefinition = Array(repeating: [], count: program.definitions.count)
    for (index, set) in program.selectionSets.enumerated() {
      setsOfDefinition[set.definition.index].append(SelectionSet.ID(index))
    }
  }

  // MARK: - Selection sets of definitions

  private var setsOfDefinition: [[SelectionSet.ID]]

  private func writtenSets(of definition: Definition.ID) -> [SelectionSet.ID] {
    setsOfDefinition[definition.index]
  }

  // MARK: - Closures

  /// The closure of a set whose parent's closure is known.
  private mutating func closure(of id: SelectionSet.ID) -> Closure {
    let set = program[id]
    var seeds: [Closure.Entry] = []
    if let parent = set.parent {
      let around = closures[parent.index].entries
      switch set.role {
      case .root: break
      case .inlineFragment: seeds = around
      case .field(let key):
        for entry in around {
          for case .field(let field) in program[entry.set].selections
          where field.responseKey == key
            && field.conditions.allSatisfy(set.fulfilledConditions.contains)
          {
            if let child = field.child, child != id {
              seeds.append(.init(set: child, depth: entry.depth))
            }
          }
        }
      }
    }
    return Closure(of: id, seeds: seeds, in: program)
  }

  /// Adds a selection set without selections and resolves it, without adding anything inside it.
  private mutating func synthesize(_ set: SelectionSet) -> SelectionSet.ID {
    let id = SelectionSet.ID(program.selectionSets.count)
    program.selectionSets.append(set)
    closures.append(closure(of: id))
    return id
  }

  // MARK: - One selection set

  private mutating func resolve(_ id: SelectionSet.ID) {
    resolveFields(id)
    resolveCases(id)
    resolveFragments(id)
    program[id].forwardedFragments = closures[id.index].truncatedFragments
  }

  /// Fields of the other sets that apply here, in the order in which they are met.
  private mutating func resolveFields(_ id: SelectionSet.ID) {
    let own = Set(program[id].ownFields.map(\.responseKey))
    var order: [String] = []
    var found: [String: [Field]] = [:]
    for entry in closures[id.index].entries.dropFirst() where shows(entry, in: id) {
      for case .field(let field) in program[entry.set].selections
      where !own.contains(field.responseKey) {
        if found[field.responseKey] == nil { order.append(field.responseKey) }
        found[field.responseKey, default: []].append(field)
      }
    }
    for key in order {
      guard let fields = found[key], let merged = mergedField(key, fields, in: id) else { continue }
      program[id].mergedFields.append(merged)
    }
  }

  /// One accessor for all occurrences of a response key, or `nil` when no type shows all of them.
  private mutating func mergedField(
    _ key: String, _ fields: [Field], in id: SelectionSet.ID
  ) -> MergedField? {
    let fulfilled = program[id].fulfilledConditions
    let certain = fields.filter { $0.conditions.allSatisfy(fulfilled.contains) }
    let candidates = certain.isEmpty ? fields : certain
    guard var field = candidates.first else { return nil }
    let children = candidates.compactMap(\.child)
    guard children.count > 1 else {
      return MergedField(field: field, isConditional: certain.isEmpty)
    }
    if let best = covering(children) {
      field = candidates.first { $0.child == best } ?? field
      return MergedField(field: field, isConditional: certain.isEmpty)
    }
    guard !certain.isEmpty, !program[id].isSynthesized || isCase(id) else { return nil }
    addField(field, to: id)
    return nil
  }

  /// The first selection set that shows everything that the others select.
  private func covering(_ children: [SelectionSet.ID]) -> SelectionSet.ID? {
    children.first { child in
      let members = closures[child.index].members
      return children.allSatisfy(members.contains)
    }
  }

  /// A field of this set that several fragments select, with a struct that shows all they select.
  private mutating func addField(_ field: Field, to id: SelectionSet.ID) {
    let set = program[id]
    guard let child = field.child else { return }
    var added = field
    added.conditions = []
    let childID = synthesize(
      SelectionSet(
        definition: set.definition, parent: id, role: .field(responseKey: field.responseKey),
        parentType: program[child].parentType, parentTypeName: program[child].parentTypeName,
        fulfilledConditions: set.fulfilledConditions, isSynthesized: true))
    added.child = childID
    program[id].selections.append(.field(added))
    resolve(childID)
  }

  // MARK: - Type cases

  private struct CaseKey: Hashable {
    var typeCondition: TypeCondition?
    var conditions: [Condition]
  }

  /// Own inline fragments, then those that fragments and other selections of the same field bring
  /// along.
  private mutating func resolveCases(_ id: SelectionSet.ID) {
    let set = program[id]
    var own: Set<CaseKey> = []
    var cases: [SelectionSet.ID] = []
    for case .inlineFragment(let child) in set.selections {
      guard case .inlineFragment(let type, let conditions) = program[child].role else { continue }
      own.insert(CaseKey(typeCondition: type, conditions: conditions))
      if program[child].deferredLabel == nil {
        cases.append(child)
      } else {
        program[id].deferredParts.append(child)
      }
    }
    program[id].cases = cases
    guard !set.isSynthesized else { return }
    let (order, found) = inheritedCases(of: id, excluding: own)
    for key in order {
      if let child = inheritedCase(key, found[key] ?? [], in: id) {
        program[id].cases.append(child)
      }
    }
  }

  /// Inline fragments, and spreads of narrower fragments, that may apply to objects of this set.
  private func inheritedCases(
    of id: SelectionSet.ID, excluding own: Set<CaseKey>
  ) -> (order: [CaseKey], found: [CaseKey: [SelectionSet.ID]]) {
    let set = program[id]
    var order: [CaseKey] = []
    var found: [CaseKey: [SelectionSet.ID]] = [:]
    for entry in closures[id.index].entries
    where entry.depth < Closure.maximumDepth && !isAround(entry.set, id) && shows(entry, in: id) {
      for selection in program[entry.set].selections {
        guard let (key, root) = caseKey(of: selection, in: set), !own.contains(key) else {
          continue
        }
        if found[key] == nil { order.append(key) }
        found[key, default: []].append(root)
      }
    }
    return (order, found)
  }

  private func caseKey(
    of selection: Selection, in set: SelectionSet
  ) -> (CaseKey, SelectionSet.ID)? {
    var key: CaseKey
    let root: SelectionSet.ID
    switch selection {
    case .field: return nil
    case .inlineFragment(let child):
      guard case .inlineFragment(let type, let conditions) = program[child].role else { return nil }
      guard !conditions.contains(where: \.isDeferral) else { return nil }
      key = CaseKey(typeCondition: type, conditions: conditions)
      root = child
    case .fragmentSpread(let spread):
      guard !spread.conditions.contains(where: \.isDeferral) else { return nil }
      root = program[spread.fragment].root
      let type = TypeCondition(
        type: program[root].parentType, name: program[root].parentTypeName)
      key = CaseKey(typeCondition: type, conditions: spread.conditions)
    }
    if let type = key.typeCondition {
      guard program.schema.doTypesOverlap(type.type, set.parentType) else { return nil }
      if program.schema.isSubtype(set.parentType, of: type.type) { key.typeCondition = nil }
    }
    key.conditions.removeAll(where: set.fulfilledConditions.contains)
    return key.typeCondition == nil && key.conditions.isEmpty ? nil : (key, root)
  }

  /// The struct of one of the fragments when it shows everything, else one that is added here.
  private mutating func inheritedCase(
    _ key: CaseKey, _ found: [SelectionSet.ID], in id: SelectionSet.ID
  ) -> SelectionSet.ID? {
    let set = program[id]
    var conditions = set.fulfilledConditions
    conditions.formUnion(key.conditions)
    let added = synthesize(
      SelectionSet(
        definition: set.definition, parent: id,
        role: .inlineFragment(typeCondition: key.typeCondition, conditions: key.conditions),
        parentType: key.typeCondition?.type ?? set.parentType,
        parentTypeName: key.typeCondition?.name ?? set.parentTypeName,
        fulfilledConditions: conditions, isSynthesized: true))
    resolve(added)
    let shown = keys(of: added)
    // What is made as a case of a fragment is no object of this set.
    if !program[set.definition].hasInitializers,
      let existing = found.first(where: { isCase($0) && keys(of: $0).isSuperset(of: shown) })
    {
      program.selectionSets.removeSubrange(added.index...)
      closures.removeSubrange(added.index...)
      return existing
    }
    program[id].selections.append(.inlineFragment(added))
    return added
  }

  private func isCase(_ id: SelectionSet.ID) -> Bool {
    if case .inlineFragment = program[id].role { true } else { false }
  }

  /// The response keys that a set's model shows.
  private func keys(of id: SelectionSet.ID) -> Set<String> {
    var keys: Set<String> = []
    for entry in closures[id.index].entries {
      for case .field(let field) in program[entry.set].selections {
        keys.insert(field.responseKey)
      }
    }
    return keys
  }

  // MARK: - Named fragments

  private mutating func resolveFragments(_ id: SelectionSet.ID) {
    let set = program[id]
    var order: [Definition.ID] = []
    var certain: Set<Definition.ID> = []
    var immediate: Set<Definition.ID> = []
    for entry in closures[id.index].entries where shows(entry, in: id) {
      for case .fragmentSpread(let spread) in program[entry.set].selections {
        let type = program[program[spread.fragment].root].parentType
        guard program.schema.doTypesOverlap(type, set.parentType) else { continue }
        if !order.contains(spread.fragment) { order.append(spread.fragment) }
        let conditions = spread.conditions.filter { !set.fulfilledConditions.contains($0) }
        if !conditions.contains(where: \.isDeferral) { immediate.insert(spread.fragment) }
        if spread.conditions.allSatisfy(set.fulfilledConditions.contains),
          program.schema.isSubtype(set.parentType, of: type)
        {
          certain.insert(spread.fragment)
        }
      }
    }
    program[id].fragments = order.map {
      VisibleFragment(
        fragment: $0, isCertain: certain.contains($0), isDeferred: !immediate.contains($0))
    }
  }

  // MARK: - What merging is asked for

  /// Whether `other` is `id` or a selection set around it that looks at the same object.
  private func isAround(_ other: SelectionSet.ID, _ id: SelectionSet.ID) -> Bool {
    var current = id
    while other != current {
      guard case .inlineFragment = program[current].role, let parent = program[current].parent
      else {
        return false
      }
      current = parent
    }
    return other != id
  }

  /// Whether the configuration wants the fields of an entry to be visible in `id`.
  private func shows(_ entry: Closure.Entry, in id: SelectionSet.ID) -> Bool {
    if entry.set == id { return true }
    if entry.depth > 0 { return options.contains(.namedFragments) }
    return options.contains(isAround(entry.set, id) ? .ancestors : .siblings)
  }
}

/// Whose fields a model shows besides those of its own selection set.
package struct MergingOptions: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let ancestors = Self(rawValue: 1)
  package static let siblings = Self(rawValue: 2)
  package static let namedFragments = Self(rawValue: 4)
  package static let all: Self = [.ancestors, .siblings, .namedFragments]
}
