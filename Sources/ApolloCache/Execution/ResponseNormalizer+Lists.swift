internal import ApolloAPI

// The changes of lists that directives of an operation ask for. Their items are in the response.
extension ResponseNormalizer {
  /// Returns the changes, in the order of the document. Directives whose fields are null, or are
  /// not in the response, change nothing.
  func listChanges(of root: ResponseObject) -> [ListChange] {
    listEdits.compactMap { edit, lists in
      let values = values(at: edit.path[...], of: root, plan.root)
      let action: ListChange.Action
      switch edit.action {
      case .appendEdge, .prependEdge:
        action = .insert(
          values.compactMap(ListItem.init(edge:)), atEnd: edit.action == .appendEdge)
      case .appendNode, .prependNode:
        let items = values.compactMap { ListItem(node: $0, edgeTypeName: edit.edgeTypeName ?? "") }
        action = .insert(items, atEnd: edit.action == .appendNode)
      case .deleteRecord, .deleteEdge:
        let keys = values.compactMap { key(of: $0, edit.typeName) }
        action = .remove(keys, alsoRecords: edit.action == .deleteRecord)
      }
      return values.isEmpty ? nil : ListChange(action, lists)
    }
  }

  /// Returns the values of a field, without the lists around them and without nulls.
  private func values(
    at path: ArraySlice<String>, of object: ResponseObject, _ position: ObjectPosition
  ) -> [CacheValue] {
    let layout = plan.layout(at: position, forTypename: object.typename)
    guard let key = path.first,
      let index = layout.fields.firstIndex(where: { $0.responseKey == key })
    else { return [] }
    let field = layout.fields[index]
    guard path.count > 1 else {
      return value(of: field, index, of: object, as: layout)?.innermost ?? []
    }
    let own =
      object.layout === layout.layout ? index : object.layout.fieldIndex(withKey: key)
    guard let inner = field.position, let own else { return [] }
    return object.contents(ofField: own).innermostObjects.flatMap {
      values(at: path.dropFirst(), of: $0, inner)
    }
  }

  /// Returns the key of an object, or of the object of a type with an identifier.
  private func key(of value: CacheValue, _ typeName: String?) -> RecordKey? {
    switch (value, typeName) {
    case (.reference(let key), _): return key
    case (.string(let id), let typeName?):
      return RecordKey(
        of: typeName, id: .string(id), plan.root.plan.schema, plan.cacheKeyForObject)
    case (.int(let id), let typeName?):
      return RecordKey(of: typeName, id: .int(id), plan.root.plan.schema, plan.cacheKeyForObject)
    default: return nil
    }
  }
}

extension CacheValue {
  /// The values in the lists that are the value, or the value itself, unless it is null.
  fileprivate var innermost: [CacheValue] {
    switch self {
    case .null, .failure: []
    case .list(let elements): elements.flatMap(\.innermost)
    default: [self]
    }
  }
}

extension SlotContents {
  /// The objects of a field, without lists of lists.
  fileprivate var innermostObjects: [ResponseObject] {
    switch self {
    case .object(let object): [object]
    case .objects(let objects): objects
    case .nullableObjects(let objects): objects.compactMap { $0 }
    default: []
    }
  }
}
