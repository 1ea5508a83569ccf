extension ObjectLayout {
  /// Collects the fields of a place for one type of object (specification 6.3.2, "Field Collection").
  static func link(_ place: Place, typename: String?) -> ObjectLayout {
    var collector = FieldCollector(plan: place.plan, typename: typename)
    for contributor in place.contributors { collector.collect(contributor.node) }
    return ObjectLayout(
      place: place, typename: typename,
      fields: collector.fields(startingWith: place.contributors[0].keys),
      fulfilled: collector.fulfilled.map { SelectionLayout($0) })
  }
}

/// Gathers the selections that apply to objects of one type, merged by response key.
private struct FieldCollector {
  let plan: Plan
  let typename: String?
  /// The selection sets that apply, each once.
  private(set) var fulfilled: [SelectionNode] = []
  private var visited: Set<ObjectIdentifier> = []
  private var groups: [Group] = []
  private var groupIndices: [String: Int] = [:]

  /// The fields with one response key. The first one says what the field is.
  private struct Group {
    let field: FieldSelection
    var children: [SelectionLayout] = []
  }

  init(plan: Plan, typename: String?) {
    self.plan = plan
    self.typename = typename
  }

  mutating func collect(_ node: SelectionNode) {
    guard visited.insert(ObjectIdentifier(node)).inserted else { return }
    fulfilled.append(node)
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
    guard plan.holds(conditions),
      plan.condition(type, holdsFor: typename, within: parent.parentType)
    else { return }
    collect(fragment)
  }

  private mutating func add(_ field: FieldSelection) {
    let index = groupIndices[field.responseKey] ?? groups.count
    if index == groups.count {
      groupIndices[field.responseKey] = index
      groups.append(Group(field: field))
    }
    guard let child = field.child.map(SelectionLayout.init) else { return }
    if !groups[index].children.contains(child) { groups[index].children.append(child) }
  }

  /// The fields in the order they were met. Slots begin with `primaryKeys` when all of them are there.
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
    let hasVariables = field.arguments.contains { $0.value.constant == nil }
    let operations = field.type.slotOperations
    return FieldLayout(
      responseKey: field.responseKey, name: field.name, slot: slot, type: field.type,
      place: group.children.isEmpty ? nil : plan.place(for: group.children),
      operations: operations, leafOperations: operations as? any LeafSlotOperations,
      reading: field.type.reading,
      arguments: field.arguments,
      hasVariables: hasVariables,
      staticKey: FieldLayout.staticKey(name: field.name, field.arguments))
  }
}
