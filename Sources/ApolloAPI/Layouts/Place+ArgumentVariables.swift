extension Place {
  /// The variables that arguments read, of the fields of the objects here and of all that is in them, in ascending order.
  ///
  /// What the fields are called in the cache follows from the values of these. Where there are none, it is the same for every
  /// operation value.
  package var argumentVariables: [String] {
    if let known = knownArgumentVariables.withLock({ $0 }) { return known }
    let names = SelectionNode.argumentVariables(below: contributors.map(\.node))
    knownArgumentVariables.withLock { $0 = names }
    return names
  }
}

extension SelectionNode {
  /// The variables that arguments read in these selection sets, in those in them, and in the fragments that are spread.
  fileprivate static func argumentVariables(below nodes: [SelectionNode]) -> [String] {
    var names: Set<String> = []
    var pending = nodes
    var visited: Set<ObjectIdentifier> = []
    while let node = pending.popLast() {
      guard visited.insert(ObjectIdentifier(node)).inserted else { continue }
      for selection in node.selections {
        switch selection {
        case .field(let field):
          for argument in field.arguments { argument.value.collectVariables(into: &names) }
          if let child = field.child { pending.append(child) }
        case .inlineFragment(let fragment, _): pending.append(fragment)
        case .fragmentSpread(let index, _):
          pending.append(node.definition.fragments[index].__selections.nodes[0])
        }
      }
    }
    return names.sorted()
  }
}

extension ArgumentValue {
  fileprivate func collectVariables(into names: inout Set<String>) {
    switch self {
    case .constant: break
    case .variable(let name): names.insert(name)
    case .list(let elements): for element in elements { element.collectVariables(into: &names) }
    case .object(let members):
      for member in members.values { member.collectVariables(into: &names) }
    }
  }
}
