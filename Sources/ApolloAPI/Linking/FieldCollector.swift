/// A collector of the selections that apply to objects of one type, merged by response key.
struct FieldCollector {
  let position: ObjectPosition
  let typename: String?
  /// The selection sets that apply, each once.
  private(set) var fulfilled: [SelectionNode] = []
  /// The deferred ones among them.
  private(set) var deferred: [SelectionNode] = []
  private var visited = IdentitySet()
  private var groups: [Group] = []
  private var groupIndices: [String: Int] = [:]
  /// The selection sets to collect after all others.
  private var postponed: [SelectionNode] = []
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
    /// The deferred part of each child; `nil` if it is not deferred.
    var parts: [Int?] = []
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
    case .later: postponed.append(node)
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
    guard visited.insert(node) else { return }
    fulfilled.append(node)
    if part != nil { deferred.append(node) }
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
    guard let child = field.child.map(SelectionLayout.init),
      !groups[index].children.contains(child)
    else { return }
    groups[index].children.append(child)
    groups[index].parts.append(part)
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

  /// Returns the sources of a field's objects. Objects that arrive with one deferred part have all
  /// of it; those that arrive earlier, or with another part, receive the rest later.
  private func sources(of group: Group) -> SelectionSources {
    let immediateCount = group.parts.prefix { $0 == nil }.count  // deferred ones were added last
    let isOfOnePart = group.parts.allSatisfy { $0 == group.parts[0] }
    return SelectionSources(
      layouts: group.children, immediateCount: isOfOnePart ? group.children.count : immediateCount)
  }
}
