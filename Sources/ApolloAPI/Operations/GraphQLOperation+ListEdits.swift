extension GraphQLOperation {
  /// The values of the variables that requests contain: all but those that only name lists of the
  /// cache.
  package var sentVariables: [(name: String, value: JSONValue)] {
    let fields = __variables?.fields.map { (name: $0.name, value: $0.value) } ?? []
    guard Self.operationType != .query, !fields.isEmpty else { return fields }
    let edits = Self.__selections.listEdits
    guard !edits.isEmpty else { return fields }
    let local = Set(edits.flatMap(\.variables))
    return fields.filter { !local.contains($0.name) }
  }

  /// The directives that change lists, and the identifiers of the lists that each names.
  package var listEdits: [(edit: ListEdit, lists: [String])] {
    guard Self.operationType != .query else { return [] }
    let selections = Self.__selections
    guard !selections.listEdits.isEmpty else { return [] }
    let variables = __variables
    return selections.listEdits.map { edit in
      let lists = edit.lists.flatMap { list in
        switch list {
        case .constant(let text): [text]
        case .variable(let name):
          (variables?[name] ?? selections.variableDefaults[name])?.listTexts ?? []
        }
      }
      return (edit, lists)
    }
  }
}

extension JSONValue {
  /// The texts in a list, or the text itself.
  fileprivate var listTexts: [String] {
    stringValue.map { [$0] } ?? arrayValue?.compactMap(\.stringValue) ?? []
  }
}
