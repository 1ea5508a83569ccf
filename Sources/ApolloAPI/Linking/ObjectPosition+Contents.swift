extension ObjectPosition {
  /// The contents of the position, which are computed on first use.
  package var contents: Contents {
    if let known = cachedContents.withLock({ $0 }) { return known }
    var walk = ContentsWalk()
    walk.visit(sources.map(\.node))
    let contents = Contents(
      argumentVariables: walk.variables.sorted(),
      mayComeLater: walk.meetsDeferredParts || immediateCount < sources.count)
    cachedContents.withLock { $0 = contents }
    return contents
  }
}

/// A walk over selection sets, those within them, and the fragments that they spread.
private struct ContentsWalk {
  private(set) var variables: Set<String> = []
  private(set) var meetsDeferredParts = false
  private var visited = IdentitySet()

  mutating func visit(_ nodes: [SelectionNode]) {
    var pending = nodes
    while let node = pending.popLast() {
      guard visited.insert(node) else { continue }
      for selection in node.selections {
        switch selection {
        case .field(let field):
          for argument in field.arguments { argument.value.collectVariables(into: &variables) }
          if let child = field.child { pending.append(child) }
        case .inlineFragment(let fragment, let conditions):
          note(conditions)
          pending.append(fragment)
        case .fragmentSpread(let index, let conditions):
          note(conditions)
          pending.append(node.definition.fragments[index].__selections.nodes[0])
        }
      }
    }
  }

  private mutating func note(_ conditions: [InclusionCondition]) {
    for case .defer in conditions { meetsDeferredParts = true }
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
