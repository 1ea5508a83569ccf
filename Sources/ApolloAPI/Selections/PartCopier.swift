/// Copies selection sets as far as they belong to a part of an operation.
struct PartCopier {
  /// The largest number of fields and fragments of a part, in which fragments occur wherever they
  /// are spread.
  private static let maximumCount = 10_000

  private var nodes: [SelectionNode?] = []
  private var found = FoundFields()
  private var count = 0

  /// Returns the selections of a part of an operation, with fragments as inline fragments, or `nil`
  /// if the operation does not have the part, or it is too large.
  ///
  /// The result must live as long as the program, as selections do.
  ///
  /// Errors of fields do not end the part of an operation (`@throwOnFieldError`): its data is for
  /// the cache.
  static func selections(of part: OperationPart, in operation: Selections) -> Selections? {
    var copier = PartCopier()
    guard copier.copy(operation.nodes[0], part) != nil, copier.found.areAll(of: part),
      copier.count < maximumCount
    else { return nil }
    return Selections(copier.nodes.compactMap { $0 }, copying: operation)
  }

  /// Returns the copy of a selection set, or `nil` if nothing of it belongs to the part.
  private mutating func copy(_ node: SelectionNode, _ part: OperationPart) -> SelectionNode? {
    let index = nodes.count
    nodes.append(nil)
    var selections: [Selection] = []
    for selection in node.selections {
      if let copied = copy(selection, of: node, part) { selections.append(copied) }
    }
    guard !selections.isEmpty else {
      nodes.removeSubrange(index...)
      return nil
    }
    let copied = SelectionNode(
      index: index, parentType: node.parentType, selections: selections,
      keys: selections.responseKeys, mergedConditions: [:])
    nodes[index] = copied
    return copied
  }

  private mutating func copy(
    _ selection: Selection, of node: SelectionNode, _ part: OperationPart
  ) -> Selection? {
    count += 1
    guard count < Self.maximumCount else { return nil }
    switch selection {
    case .field(let field): return copy(field, part).map(Selection.field)
    case .inlineFragment(let fragment, let conditions):
      return self.fragment(fragment, conditions, part)
    case .fragmentSpread(let index, let conditions):
      let fragment = node.definition.fragments[index].__selections.nodes[0]
      return self.fragment(fragment, conditions, part)
    }
  }

  private mutating func fragment(
    _ node: SelectionNode, _ conditions: [InclusionCondition], _ part: OperationPart
  ) -> Selection? {
    guard let copied = copy(node, part) else { return nil }
    guard !copied.selections.areTypenames else {
      nodes.removeSubrange(copied.index...)
      return nil
    }
    return .inlineFragment(copied, conditions)
  }

  private mutating func copy(_ field: FieldSelection, _ part: OperationPart) -> FieldSelection? {
    guard let child = field.child else {
      guard part.selectsLeaf(field.responseKey, name: field.name) else { return nil }
      found.enter(field.responseKey, of: part)
      found.leave()
      return field.copy(child: nil)
    }
    guard let inner = part.part(ofField: field.responseKey) else { return nil }
    found.enter(field.responseKey, of: part)
    defer { found.leave() }
    return copy(child, inner).map { field.copy(child: $0) }
  }
}

extension FieldSelection {
  /// The same field with a copy of its selection set, and without what errors of fields cause.
  fileprivate func copy(child: SelectionNode?) -> FieldSelection {
    FieldSelection(
      responseKey: responseKey, name: name, arguments: arguments, type: type, child: child,
      maxAge: maxAge, conditions: conditions, connection: connection)
  }
}

extension [Selection] {
  /// The response keys of the fields, each once.
  fileprivate var responseKeys: [String] {
    var known: Set<String> = []
    return compactMap { selection in
      guard case .field(let field) = selection, known.insert(field.responseKey).inserted else {
        return nil
      }
      return field.responseKey
    }
  }

  /// Indicates whether nothing but the names of types is selected.
  fileprivate var areTypenames: Bool {
    allSatisfy { selection in
      if case .field(let field) = selection { field.name == "__typename" } else { false }
    }
  }
}
