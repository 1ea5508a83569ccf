/// A collector of the selections that apply to objects of one type, merged by response key.
struct FieldCollector {
  let position: ObjectPosition
  let typename: String?
  /// The selection sets that apply, each once.
  private(set) var fulfilled: [SelectionNode] = []
  /// The deferred ones among them.
  private(set) var deferred: [SelectionNode] = []
  private var visited = IdentitySet()
  /// The latest part with each deferred selection set: several parts can spread a fragment.
  private var latestParts: [ObjectIdentifier: Int] = [:]
  private var groups: [Group] = []
  private var groupIndices: [String: Int] = [:]
  /// The selection sets to collect after all others, each once.
  private var postponed: [SelectionNode] = []
  /// The same selection sets.
  private var postponedSet = IdentitySet()
  /// The index in ``postponed`` of the part being collected; `nil` before.
  private var part: Int?

  /// The fields with one response key. The first one determines the field, which is never null if
  /// one of them says so.
  private struct Group {
    var field: FieldSelection
    /// `true` if all of them are deferred.
    let isDeferred: Bool
    /// The strictest maximum age of all fields that have one.
    var maxAge: MaxAge?
    /// The changes of lists that any of them asks for, each once.
    var listEdits: [ListEdit] = []
    var children: [SelectionLayout] = []
    /// The deferred parts with each child; `nil` if it is not deferred.
    var parts: [Set<Int>?] = []
  }

  private var plan: OperationPlan { position.plan }

  init(_ position: ObjectPosition, typename: String?) {
    self.position = position
    self.typename = typename
  }

  mutating func collect(_ node: SelectionNode, _ inclusion: OperationPlan.Inclusion) {
    switch inclusion {
    case .never: break
    case .now: collect(node)
    case .later: if postponedSet.insert(node) { postponed.append(node) }
    }
  }

  mutating func collectDeferred() {
    var next = 0
    while next < postponed.count {
      part = next
      collect(postponed[next])  // may postpone more
      next += 1
    }
  }

  private mutating func collect(_ node: SelectionNode) {
    if visited.insert(node) {
      fulfilled.append(node)
      if part != nil { deferred.append(node) }
    } else if !isNewInPart(node) {
      return
    }
    if let part { latestParts[ObjectIdentifier(node)] = part }
    for selection in node.selections {
      switch selection {
      case .field(let field):
        if plan.selects(field) { add(field) }
      case .inlineFragment(let fragment, let conditions):
        collect(fragment, conditions, within: node)
      case .fragmentSpread(let index, let conditions):
        let fragment = node.definition.fragments[index].__selections.nodes[0]
        collect(fragment, conditions, within: node)
      }
    }
  }

  /// Returns whether a selection set that was visited before is deferred, and new in the part being
  /// collected. Its fields are then collected again, so that they belong to this part, too.
  private func isNewInPart(_ node: SelectionNode) -> Bool {
    guard let part, let latest = latestParts[ObjectIdentifier(node)] else { return false }
    return latest < part
  }

  private mutating func collect(
    _ fragment: SelectionNode, _ conditions: [InclusionCondition], within parent: SelectionNode
  ) {
    let type = fragment.parentType
    guard
      plan.condition(type, holdsFor: typename, within: parent.parentType, at: position)
    else { return }
    collect(fragment, plan.inclusion(of: conditions))
  }

  private mutating func add(_ field: FieldSelection) {
    let index = groupIndices[field.responseKey] ?? groups.count
    if index == groups.count {
      groupIndices[field.responseKey] = index
      groups.append(Group(field: field, isDeferred: part != nil))
    }
    // A field with `@catch` may be null, although other selections of it are not.
    if field.type.isNonNull(at: 0) { groups[index].field.type.nonNull |= 1 }
    groups[index].field.certainLevels |= field.certainLevels
    if groups[index].field.connection == nil { groups[index].field.connection = field.connection }
    for new in field.listEdits
    where !groups[index].listEdits.contains(new.edit) && plan.makes(new) {
      groups[index].listEdits.append(new.edit)
    }
    if let maxAge = field.maxAge {
      groups[index].maxAge = groups[index].maxAge.map { MaxAges.strictest([$0, maxAge]) } ?? maxAge
    }
    guard let child = field.child.map(SelectionLayout.init) else { return }
    if let known = groups[index].children.firstIndex(of: child) {
      if let part { groups[index].parts[known]?.insert(part) }
    } else {
      groups[index].children.append(child)
      groups[index].parts.append(part.map { [$0] })
    }
  }

  /// Returns the fields in the order in which they were collected. The slots begin with
  /// `primaryKeys` if all of these were.
  func fields(startingWith primaryKeys: [String]) -> [FieldLayout] {
    var slots: [String: Int] = [:]
    if primaryKeys.allSatisfy({ groupIndices[$0] != nil }) {
      for key in primaryKeys { slots[key] = slots.count }
    }
    for group in groups where slots[group.field.responseKey] == nil {
      slots[group.field.responseKey] = slots.count
    }
    precondition(slots.count <= Int16.max, "A selection has more than 32,767 response keys")
    return groups.map { layout(of: $0, slot: slots[$0.field.responseKey]!) }  // filled in above
  }

  private func layout(of group: Group, slot: Int) -> FieldLayout {
    let field = group.field
    return FieldLayout(
      field, slot: slot,
      position: group.children.isEmpty ? nil : plan.position(for: sources(of: group)),
      isDeferred: group.isDeferred, maxAge: group.maxAge, listEdits: group.listEdits,
      staticKey: FieldLayout.staticKey(name: field.name, field.arguments))
  }

  /// Returns the sources of a field's objects. Objects whose sources belong to the same parts have
  /// all of them, whichever part arrives first; those that arrive earlier, or with another part,
  /// receive the rest later.
  private func sources(of group: Group) -> SelectionSources {
    let immediateCount = group.parts.prefix { $0 == nil }.count  // deferred ones were added last
    let haveSameParts = group.parts.allSatisfy { $0 == group.parts[0] }
    return SelectionSources(
      layouts: group.children,
      immediateCount: haveSameParts ? group.children.count : immediateCount)
  }
}
