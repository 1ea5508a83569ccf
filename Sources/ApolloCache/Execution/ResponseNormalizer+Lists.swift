internal import ApolloAPI

// The changes of lists that directives of an operation ask for. Their items are in the response.
//
// The layout of an object says which of its fields have a directive: one of a fragment on another
// type, or of a field that a condition excludes, is not among them.
extension ResponseNormalizer {
  /// Returns the changes that a response asks for, in the order of the document. Directives whose
  /// fields are null, or are not in the response, change nothing.
  func listChanges(of root: ResponseObject, _ errors: [GraphQLError]) -> [ListChange] {
    var values: [ListEdit: [EditedValue]] = [:]
    // Of the errors without a path, the first counts.
    let unlocated = errors.filter { $0.path == nil }.prefix(1)
    find(&values, in: root, keys: [], path: [], errors.filter { $0.path != nil } + unlocated)
    return listChanges(values)
  }

  /// Returns the changes with the values of the fields that have directives.
  func listChanges(_ values: [ListEdit: [EditedValue]]) -> [ListChange] {
    listEdits.compactMap { edit, lists in
      var values = values[edit] ?? []
      if case .delete(let typeName, _) = edit.action {
        values = values.compactMap { value in
          key(of: value.value, typeName).map {
            EditedValue(path: value.path, value: .reference($0))
          }
        }
      }
      return values.isEmpty ? nil : ListChange(edit, values, lists)
    }
  }

  /// Adds the values of the fields of an object, and of the objects in it, that have directives.
  ///
  /// The errors are those whose paths lead into the object, and one without a path. Each object
  /// passes on only those inside of its objects: a server may send as many errors as objects.
  private func find(
    _ values: inout [ListEdit: [EditedValue]], in object: ResponseObject, keys: [String],
    path: [PathEntry], _ errors: [GraphQLError]
  ) {
    let layout = plan.layout(of: object)
    for (index, field) in layout.fields.enumerated() {
      let keys = keys + [field.responseKey]
      guard listEdits.contains(where: { $0.edit.path.starts(with: keys) }) else { continue }
      let path = path + [.field(field.responseKey)]
      if !field.listEdits.isEmpty,
        let value = fields(of: object, as: layout, at: path.dropLast(), errors)[field.key]
      {
        for edit in field.listEdits { values[edit, default: []] += value.innermost(at: path) }
      }
      let children = object.contents(ofField: index).objects(at: path)
      guard !children.isEmpty else { continue }
      let unlocated = errors.filter { $0.path == nil }
      let inside = errors.grouped(byEntries: path.count + field.rank)
      for (place, child) in children {
        find(&values, in: child, keys: keys, path: place, (inside[place] ?? []) + unlocated)
      }
    }
  }

  /// Returns the fields of an object of the response, of which these are the errors. Those that
  /// failed are failures.
  private func fields(
    of object: ResponseObject, as layout: RecordLayout, at path: some Collection<PathEntry>,
    _ errors: [GraphQLError]
  ) -> FieldMap {
    let fields = layout.fieldMap(of: object)
    guard !errors.isEmpty else { return fields }
    let inside = errors.map { error in
      GraphQLError(
        message: error.message, path: error.path.map { Array($0.dropFirst(path.count)) },
        extensions: error.extensions)
    }
    var response = NormalizedResponse(records: RecordSet([Record(key: rootKey, fields: fields)]))
    response.note(inside, below: object, record: rootKey, plan: plan)
    return response.records.first?.fields ?? fields
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

extension [GraphQLError] {
  /// Returns the errors by so many first entries of their paths, for those with longer paths.
  fileprivate func grouped(byEntries count: Int) -> [[PathEntry]: [GraphQLError]] {
    reduce(into: [:]) { groups, error in
      guard let path = error.path, path.count > count else { return }
      groups[[PathEntry](path.prefix(count)), default: []].append(error)
    }
  }
}

extension CacheValue {
  /// Returns the values in the lists that are the value, or the value itself, with their paths.
  /// There are no nulls and no failures among them.
  func innermost(at path: [PathEntry]) -> [EditedValue] {
    switch self {
    case .null, .failure: []
    case .list(let elements):
      elements.enumerated().flatMap { $0.element.innermost(at: path + [.index($0.offset)]) }
    default: [EditedValue(path: path, value: self)]
    }
  }
}

extension SlotContents {
  /// Returns the objects of a field, with their paths.
  fileprivate func objects(at path: [PathEntry]) -> [(path: [PathEntry], object: ResponseObject)] {
    switch self {
    case .object(let object): [(path, object)]
    case .objects(let objects): objects.enumerated().map { (path + [.index($0)], $1) }
    case .nullableObjects(let objects):
      objects.enumerated().compactMap { index, object in
        object.map { (path + [.index(index)], $0) }
      }
    case .tree(let tree): tree.objects(at: path)
    default: []
    }
  }
}

extension ObjectTree {
  fileprivate func objects(at path: [PathEntry]) -> [(path: [PathEntry], object: ResponseObject)] {
    switch self {
    case .null: []
    case .object(let object): [(path, object)]
    case .list(let elements):
      elements.enumerated().flatMap { $0.element.objects(at: path + [.index($0.offset)]) }
    }
  }
}
