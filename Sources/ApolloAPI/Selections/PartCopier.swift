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
  ///
  /// - Parameters:
  ///   - parts: The parts.
  ///   - names: The response keys of the objects that are looked up.
  ///   - operation: The selections of the operation.
  ///   - types: The types of the schema.
  /// - Returns: The selections, and the types on which those of the objects are made.
  static func selections(
    of parts: MissingParts, named names: [String], in operation: Selections, _ types: SchemaTypes
  ) -> (selections: Selections, objectTypes: [String])? {
    var copier = PartCopier()
    let root = operation.nodes[0]
    copier.nodes.append(nil)
    var selections: [Selection] = []
    var objectTypes: [String] = []
    for (object, name) in zip(parts.objects, names) {
      guard let (field, type) = copier.field(name, object, root, types) else { return nil }
      selections.append(.field(field))
      objectTypes.append(type)
    }
    if let part = parts.root {
      copier.found = FoundFields()
      for selection in root.selections {
        if let copied = copier.copy(selection, of: root, part) { selections.append(copied) }
      }
      guard copier.found.areAll(of: part) else { return nil }
    }
    guard !selections.isEmpty, copier.count < maximumCount else { return nil }
    copier.nodes[0] = SelectionNode(
      index: 0, parentType: root.parentType, selections: selections, keys: selections.responseKeys,
      mergedConditions: [:])
    return (Selections(copier.nodes.compactMap { $0 }, copying: operation), objectTypes)
  }

  /// Returns the field that looks an object up, and the type on which the object's selections are
  /// made. They are inline fragments, one for each field of the operation that leads to the object.
  private mutating func field(
    _ name: String, _ object: ObjectPart, _ root: SelectionNode, _ types: SchemaTypes
  ) -> (FieldSelection, String)? {
    let sources = selectionSets(of: object.way[...], in: root, types)
    guard let type = sources.first?.parentType, sources.allSatisfy({ $0.parentType == type }) else {
      return nil
    }
    let index = nodes.count
    nodes.append(nil)
    found = FoundFields()
    var selections: [Selection] = [.field(.typename)]
    for source in sources {
      if let copied = copy(source, object.part) { selections.append(.inlineFragment(copied, [])) }
    }
    guard found.areAll(of: object.part) else { return nil }
    let child = SelectionNode(
      index: index, parentType: object.lookup.type, selections: selections,
      keys: selections.responseKeys, mergedConditions: [:])
    nodes[index] = child
    return (.lookup(name, child), type)
  }

  /// Returns the selection sets of the operation for the objects at the end of a way.
  private mutating func selectionSets(
    of way: ArraySlice<ObjectPart.Step>, in node: SelectionNode, _ types: SchemaTypes
  ) -> [SelectionNode] {
    guard let step = way.first else { return [node] }
    var sets: [SelectionNode] = []
    for selection in node.selections {
      count += 1
      guard count < Self.maximumCount else { return [] }
      let inner: SelectionNode
      switch selection {
      case .field(let field):
        guard field.responseKey == step.responseKey, let child = field.child else { continue }
        sets += selectionSets(of: way.dropFirst(), in: child, types)
        continue
      case .inlineFragment(let fragment, _): inner = fragment
      case .fragmentSpread(let index, _):
        inner = node.definition.fragments[index].__selections.nodes[0]
      }
      guard types.fragment(on: inner.parentType, appliesTo: step.typename) else { continue }
      sets += selectionSets(of: way, in: inner, types)
    }
    return sets
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
  /// The name of the type, as a document selects it.
  fileprivate static let typename = FieldSelection(
    responseKey: "__typename", name: "__typename", arguments: [],
    type: FieldType(base: .string, nonNull: 1), child: nil, maxAge: nil, conditions: [],
    connection: nil)

  /// A field that finds an object. Its name is none of the schema, because its value, which depends
  /// on the argument, is not for the cache.
  fileprivate static func lookup(_ responseKey: String, _ child: SelectionNode) -> FieldSelection {
    FieldSelection(
      responseKey: responseKey, name: ObjectPart.namePrefix + responseKey, arguments: [],
      type: FieldType(base: .object), child: child, maxAge: nil, conditions: [], connection: nil)
  }

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
