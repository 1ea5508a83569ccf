import GraphQLSchema

/// Adds the fields, type cases and fragments that each model offers besides its own selections.
///
/// 1. The ``Closure`` of each selection set is computed: all sets that apply whenever it does.
/// 2. Definitions are visited in an order in which fragments precede their users.
/// 3. For each selection set, the fields of the other sets in its closure are merged by response
///    key. A merged field refers to the struct of the first selection set that shows the fields of
///    all occurrences.
/// 4. If no selection set shows the fields of all occurrences, one is synthesized. Inside of a
///    synthesized one, that happens only for a field of a synthesized type case, and in definitions
///    whose models have initializers, which take every field.
/// 5. Type cases and named fragments are collected in the same way.
struct Merging {
  private var program: Program
  private var closures: [Closure] = []
  private let options: MergingOptions

  static func merge(_ program: Program, _ options: MergingOptions) -> Program {
    var merging = Merging(program, options)
    for id in program.selectionSets.indices.map({ SelectionSet.ID($0) }) {
      merging.closures.append(merging.closure(of: id))
    }
    // Fragments precede their users, so that sets synthesized for a fragment can be used by others.
    for definition in program.dependencyOrder() {
      for id in merging.writtenSets(of: definition) where !program[id].isAdded {
        merging.resolve(id)
      }
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

  /// Returns the closure of a set whose parent's closure is known.
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

  /// Adds a selection set without selections, and computes its closure.
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

  /// Merges the fields of the other sets that apply here, in the order of the closure.
  private mutating func resolveFields(_ id: SelectionSet.ID) {
    guard closures[id.index].entries.count > 1 else { return }
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

  /// Returns one field for all occurrences of a response key, or `nil` if no type shows all of
  /// them.
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
      return MergedField(field: field, isConditional: certain.isEmpty, isShared: true)
    }
    guard !certain.isEmpty,
      !program[id].isSynthesized || isCase(id)
        || program[program[id].definition].hasInitializers
    else { return nil }
    addField(field, of: candidates, to: id)
    return nil
  }

  /// Returns the first selection set that shows the selections of all.
  private func covering(_ children: [SelectionSet.ID]) -> SelectionSet.ID? {
    children.first { child in
      let members = closures[child.index].members
      return children.allSatisfy(members.contains)
    }
  }

  /// Adds a field that several fragments select, with a struct that shows all of their selections.
  private mutating func addField(
    _ field: Field, of candidates: [Field], to id: SelectionSet.ID
  ) {
    let set = program[id]
    guard let child = field.child else { return }
    var added = field
    added.conditions = []
    added.nullability = nullability(of: field, among: candidates, addedTo: set.definition)
    let childID = synthesize(
      SelectionSet(
        definition: set.definition, parent: id, role: .field(responseKey: field.responseKey),
        parentType: program[child].parentType, parentTypeName: program[child].parentTypeName,
        fulfilledConditions: set.fulfilledConditions, isSynthesized: true))
    added.child = childID
    program[id].selections.append(.field(added))
    resolve(childID)
  }

  /// Returns the treatment of a field that is added.
  ///
  /// An error in it does not end an operation with `@throwOnFieldError`: the errors of a fragment's
  /// fields do not, and those of the operation's own selections are found there.
  private func nullability(
    of field: Field, among candidates: [Field], addedTo definition: Definition.ID
  ) -> FieldNullability? {
    guard program[definition].nullability.endsOperation else { return field.nullability }
    let own = candidates.first { candidate in
      candidate.child.map { program[$0].definition == definition } ?? false
    }
    var nullability = (own ?? field).nullability ?? FieldNullability(untreated: field.type)
    nullability.caughtLevels = Array(nullability.levels.indices)
    nullability.certainLevels = []
    return nullability
  }

  // MARK: - Type cases

  private struct CaseKey: Hashable {
    var typeCondition: TypeCondition?
    var conditions: [Condition]
  }

  /// Collects the own inline fragments, then those of fragments and of other selections of the same
  /// field.
  private mutating func resolveCases(_ id: SelectionSet.ID) {
    let set = program[id]
    var own: Set<CaseKey> = []
    var cases: [SelectionSet.ID] = []
    for case .inlineFragment(let child) in set.selections {
      guard case .inlineFragment(let type, let conditions) = program[child].role else { continue }
      guard !program[child].isAdded else { continue }
      own.insert(CaseKey(typeCondition: type, conditions: conditions))
      if program[child].deferredLabel == nil {
        cases.append(child)
      } else {
        program[id].deferredFragments.append(child)
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

  /// Returns inline fragments, and spreads of narrower fragments, that may apply to objects of this
  /// set.
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
      guard !program[child].isAdded, !conditions.contains(where: \.isDeferral) else { return nil }
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
      if program.isCertain(type.type, in: set) { key.typeCondition = nil }
    }
    key.conditions.removeAll(where: set.fulfilledConditions.contains)
    return key.typeCondition == nil && key.conditions.isEmpty ? nil : (key, root)
  }

  /// Returns the struct of one of the fragments if it shows everything, and a synthesized one
  /// otherwise.
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
        outerTypes: set.typesAround(key.typeCondition),
        fulfilledConditions: conditions, isSynthesized: true))
    resolve(added)
    let shown = keys(of: added)
    // An object that is created as a type case of a fragment is not an object of this set.
    if !program[set.definition].hasInitializers,
      let existing = found.first(where: {
        isCase($0) && keys(of: $0).isSuperset(of: shown) && replaces(added, $0)
      })
    {
      addOwnFragment(to: existing, ifShownBy: added)
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

  /// Returns the selection sets of all objects that a set's model shows.
  private func children(of id: SelectionSet.ID) -> Set<SelectionSet.ID> {
    var children: Set<SelectionSet.ID> = []
    for entry in closures[id.index].entries {
      for case .field(let field) in program[entry.set].selections {
        if let child = field.child { children.insert(child) }
      }
    }
    return children
  }

  /// Returns the response keys that a set's model shows.
  private func keys(of id: SelectionSet.ID) -> Set<String> {
    var keys: Set<String> = []
    for entry in closures[id.index].entries {
      for case .field(let field) in program[entry.set].selections {
        keys.insert(field.responseKey)
      }
    }
    return keys
  }

  /// Returns the response keys whose properties are optional because of conditions.
  private func conditionalKeys(of id: SelectionSet.ID) -> Set<String> {
    let set = program[id]
    let own = set.ownFields
    let ownKeys = Set(own.map(\.responseKey))
    var conditional = Set(own.filter { !$0.conditions.isEmpty }.map(\.responseKey))
    var certain: Set<String> = []
    for entry in closures[id.index].entries.dropFirst() where shows(entry, in: id) {
      for case .field(let field) in program[entry.set].selections
      where !ownKeys.contains(field.responseKey) {
        if field.conditions.allSatisfy(set.fulfilledConditions.contains) {
          certain.insert(field.responseKey)
        } else {
          conditional.insert(field.responseKey)
        }
      }
    }
    return conditional.subtracting(certain)
  }

  // MARK: - Named fragments

  private mutating func resolveFragments(_ id: SelectionSet.ID) {
    let own = program[id].fragments
    program[id].fragments = visibleFragments(of: id)
    // What an earlier user of a fragment's type case has added stays.
    program[id].fragments += own.filter { !program[id].fragments.contains($0) }
  }

  private func visibleFragments(of id: SelectionSet.ID) -> [SelectionSet.VisibleFragment] {
    let set = program[id]
    let fulfilled = set.fulfilledInclusions
    var order: [Definition.ID] = []
    var certain: Set<Definition.ID> = []
    var immediate: Set<Definition.ID> = []
    for entry in closures[id.index].entries where shows(entry, in: id) {
      for case .fragmentSpread(let spread) in program[entry.set].selections {
        let type = program[program[spread.fragment].root].parentType
        guard program.schema.doTypesOverlap(type, set.parentType) else { continue }
        if !order.contains(spread.fragment) { order.append(spread.fragment) }
        let conditions = spread.conditions.filter { !fulfilled.contains($0) }
        if !conditions.contains(where: \.isDeferral) { immediate.insert(spread.fragment) }
        if conditions.isEmpty, program.isCertain(type, in: set) { certain.insert(spread.fragment) }
      }
    }
    return order.map {
      SelectionSet.VisibleFragment(
        fragment: $0, isCertain: certain.contains($0), isDeferred: !immediate.contains($0))
    }
  }

  /// Returns the fragment that a type case is a part of, if it is one of the fragment's own objects
  /// and not of an object in one of its fields.
  private func ownFragment(of id: SelectionSet.ID) -> Definition.ID? {
    let definition = program[id].definition
    let root = program[definition].root
    return program[definition].kind == .fragment && isAround(root, id) ? definition : nil
  }

  /// Returns `true` if a type case of a fragment shows all that a synthesized one with the same
  /// response keys shows: the selections of its objects, and all fragments that apply, besides the
  /// fragment itself. A property that is optional because of a condition must be so in both.
  ///
  /// If fragments are nested too deeply for all of their fields to be merged, the one of the
  /// fragment shows more of them, and replaces the synthesized one anyway.
  private func replaces(_ added: SelectionSet.ID, _ existing: SelectionSet.ID) -> Bool {
    guard closures[added.index].truncatedFragments.isEmpty else { return true }
    guard children(of: existing).isSuperset(of: children(of: added)),
      conditionalKeys(of: existing).isSubset(of: conditionalKeys(of: added))
    else { return false }
    let shown = visibleFragments(of: existing)
    let own = ownFragment(of: existing)
    return program[added].fragments.allSatisfy { needed in
      let type = program[program[needed.fragment].root].parentType
      return needed.fragment == own || !program.isCertain(type, in: program[added])
        || shown.contains {
          $0.fragment == needed.fragment && $0.isCertain == needed.isCertain
            && $0.isDeferred == needed.isDeferred
        }
    }
  }

  /// Lets a type case of a fragment be converted to that fragment, because it takes the place of a
  /// synthesized one that can be.
  private mutating func addOwnFragment(
    to existing: SelectionSet.ID, ifShownBy added: SelectionSet.ID
  ) {
    guard let own = ownFragment(of: existing),
      program[added].fragments.contains(where: { $0.fragment == own && $0.isCertain }),
      !program[existing].fragments.contains(where: { $0.fragment == own })
    else { return }
    program[existing].fragments.append(.init(fragment: own, isCertain: true))
  }

  // MARK: - What merging is asked for

  /// Returns `true` if `other` is `id`, or a selection set around it for the same object.
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

  /// Returns `true` if the options make the fields of an entry visible in `id`.
  private func shows(_ entry: Closure.Entry, in id: SelectionSet.ID) -> Bool {
    if entry.set == id { return true }
    if entry.depth > 0 { return options.contains(.namedFragments) }
    return options.contains(isAround(entry.set, id) ? .ancestors : .siblings)
  }
}

/// The selection sets whose fields a model shows besides its own.
package struct MergingOptions: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let ancestors = Self(rawValue: 1)
  package static let siblings = Self(rawValue: 2)
  package static let namedFragments = Self(rawValue: 4)
  package static let all: Self = [.ancestors, .siblings, .namedFragments]
}
