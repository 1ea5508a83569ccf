extension SelectionLayout {
  /// Returns whether a field, also one of a fragment, can have a page of a list that the cache
  /// merges.
  ///
  /// - Complexity: O(*n*) in the selections, if fields of the schema have list policies.
  package func hasMergedLists(in schema: any SchemaMetadata.Type) -> Bool {
    if hasConnections { return true }
    guard schema.hasListPolicies else { return false }
    var visited = IdentitySet()
    var pending = [node]
    while let node = pending.popLast() {
      guard visited.insert(node) else { continue }
      let types = [node.parentType] + schema.types.possibleTypes(of: node.parentType)
      for selection in node.selections {
        switch selection {
        case .field(let field):
          guard let child = field.child else { continue }
          if types.contains(where: { schema.listPolicy(ofField: field.name, on: [$0]) != nil }) {
            return true
          }
          pending.append(child)
        case .inlineFragment(let fragment, _): pending.append(fragment)
        case .fragmentSpread(let index, _):
          pending.append(node.definition.fragments[index].__selections.nodes[0])
        }
      }
    }
    return false
  }
}
