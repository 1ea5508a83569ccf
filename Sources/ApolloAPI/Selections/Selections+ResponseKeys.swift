extension GeneratedCode.Selections {
  /// Returns the response keys under which the definition's own selection set, with its fragments,
  /// selects a field.
  package func responseKeys(ofFieldNamed name: String) -> Set<String> {
    nodes.first.map { responseKeys(ofFieldNamed: name, in: $0) } ?? []
  }

  private func responseKeys(ofFieldNamed name: String, in node: SelectionNode) -> Set<String> {
    node.selections.reduce(into: []) { keys, selection in
      switch selection {
      case .field(let field): if field.name == name { keys.insert(field.responseKey) }
      case .inlineFragment(let node, _):
        keys.formUnion(responseKeys(ofFieldNamed: name, in: node))
      case .fragmentSpread(let index, _):
        keys.formUnion(fragments[index].__selections.responseKeys(ofFieldNamed: name))
      }
    }
  }
}
