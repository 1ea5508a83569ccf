internal import ApolloAPI

extension NormalizedResponse {
  /// Remembers with the null at an error's path that it is there because of the error.
  ///
  /// Errors without a path, or whose path leads to no null, leave the records as they are. Where a
  /// null has spread to the objects around the field, the outermost null is the one.
  mutating func note(
    _ error: GraphQLError, below root: ResponseObject, record: RecordKey, plan: RecordPlan
  ) {
    guard let path = error.path else { return }
    let records = records
    guard
      let target = FailedField(path, below: root, record: record, records: records, plan: plan)
    else { return }
    let failure = FieldFailure(
      message: error.message, extensions: error.extensions.map(JSONValue.object) ?? .null)
    update(target.record) { $0.replaceNull(at: target.steps[...], by: failure) }
  }
}

/// Where the null that an error left is kept.
private struct FailedField {
  enum Step {
    case field(FieldKey)
    case index(Int)
  }

  private(set) var record: RecordKey
  private(set) var steps: [Step] = []

  /// Follows a response path through the objects and the records that were made of them, as far as
  /// the first null.
  init?(
    _ path: [PathEntry], below root: ResponseObject, record: RecordKey, records: RecordSet,
    plan: RecordPlan
  ) {
    self.record = record
    var rest = path[...]
    var object = root
    while case .field(let responseKey)? = rest.popFirst() {
      guard let index = object.layout.fields.firstIndex(where: { $0.responseKey == responseKey })
      else { return nil }
      let field = object.layout.fields[index]
      steps.append(.field(plan.layout(object.layout).fields[index].key))
      guard object.hasValue(field) else { return }
      var tree = object.objects(of: field)
      while case .list(let elements) = tree, case .index(let index)? = rest.first {
        guard elements.indices.contains(index) else { return nil }
        rest = rest.dropFirst()
        steps.append(.index(index))
        tree = elements[index]
      }
      guard case .object(let child) = tree else {
        if case .null = tree { return }
        return nil
      }
      object = child
      guard let value = records.value(at: steps, of: self.record) else { return nil }
      if case .reference(let key) = value {
        self.record = key
        steps = []
      }
    }
    return nil
  }
}

extension RecordSet {
  fileprivate func value(at steps: [FailedField.Step], of key: RecordKey) -> CacheValue? {
    lazy.filter { $0.key == key }.compactMap { $0.fields.value(at: steps[...]) }.first
  }
}

extension FieldMap {
  fileprivate func value(at steps: ArraySlice<FailedField.Step>) -> CacheValue? {
    guard case .field(let field)? = steps.first else { return nil }
    return self[field]?.value(at: steps.dropFirst())
  }

  fileprivate mutating func replaceNull(
    at steps: ArraySlice<FailedField.Step>, by failure: FieldFailure
  ) {
    guard case .field(let field)? = steps.first else { return }
    self[field] = self[field]?.replacingNull(at: steps.dropFirst(), by: failure)
  }
}

extension CacheValue {
  fileprivate func value(at steps: ArraySlice<FailedField.Step>) -> CacheValue? {
    switch (self, steps.first) {
    case (_, nil): return self
    case (.object(let fields), .field): return fields.value(at: steps)
    case (.list(let elements), .index(let index)):
      return elements.indices.contains(index) ? elements[index].value(at: steps.dropFirst()) : nil
    default: return nil
    }
  }

  fileprivate func replacingNull(at steps: ArraySlice<FailedField.Step>, by failure: FieldFailure)
    -> CacheValue
  {
    switch (self, steps.first) {
    case (.null, nil): return .failure(failure)
    case (.object(var fields), .field):
      fields.replaceNull(at: steps, by: failure)
      return .object(fields)
    case (.list(var elements), .index(let index)) where elements.indices.contains(index):
      elements[index] = elements[index].replacingNull(at: steps.dropFirst(), by: failure)
      return .list(elements)
    default: return self
    }
  }
}
