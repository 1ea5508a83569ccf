internal import ApolloAPI

extension NormalizedResponse {
  /// Replaces the nulls at the paths of errors by failures.
  ///
  /// An error whose path leads to no null changes nothing. If a null has spread to the objects
  /// around the field, the outermost null is replaced. Of two errors with one path, the first
  /// counts.
  ///
  /// An error without a path may be the reason of any null. So it replaces all nulls that no path
  /// leads to: "not logged in" must not be read as "there is no user" later.
  ///
  /// - Complexity: O(*r* + *e*) in the sizes of the response and of the errors. A server may send
  ///   as many errors as objects.
  mutating func note(
    _ errors: [GraphQLError], below root: ResponseObject, record: RecordKey, plan: NormalizationPlan
  ) {
    var failures: [RecordKey: FailureTree] = [:]
    var failureWithoutPath: FieldFailure?
    for error in errors {
      let failure = FieldFailure(
        message: error.message, extensions: error.extensions.map(JSONValue.object) ?? .null)
      guard let path = error.path else {
        failureWithoutPath = failureWithoutPath ?? failure
        continue
      }
      if let field = FailedField(path, below: root, record: record, plan: plan) {
        failures[field.record, default: FailureTree()].insert(failure, at: field.steps[...])
      }
    }
    guard !failures.isEmpty || failureWithoutPath != nil else { return }
    update { record in
      if let tree = failures[record.key] { record.fields.replaceNulls(by: tree) }
      if let failureWithoutPath { record.fields.replaceAllNulls(by: failureWithoutPath) }
    }
  }
}

/// The position in the records of the null that an error left.
private struct FailedField {
  enum Step: Hashable {
    case field(FieldKey)
    case index(Int)
  }

  private(set) var record: RecordKey
  private(set) var steps: [Step] = []

  /// Follows a response path through the objects to the first null.
  init?(
    _ path: [PathEntry], below root: ResponseObject, record: RecordKey, plan: NormalizationPlan
  ) {
    self.record = record
    var rest = path[...]
    var object = root
    while case .field(let responseKey)? = rest.popFirst() {
      guard let index = object.layout.fieldIndex(withKey: responseKey) else { return nil }
      let field = plan.layout(object.layout).fields[index]
      steps.append(.field(field.key))
      guard field.position != nil else {
        addIndices(rest.prefix(object.layout.fields[index].listRank))
        return
      }
      switch target(ofField: index, of: object, rank: field.rank, at: &rest) {
      case .null: return
      case .object(let child): object = child
      case .nowhere: return nil
      }
      if let key = object.recordKey {
        self.record = key
        steps = []
      }
    }
    return nil
  }

  /// Adds the indices at the start of a path, and removes them from it. Returns their target.
  private mutating func target(
    ofField index: Int, of object: ResponseObject, rank: Int, at path: inout ArraySlice<PathEntry>
  ) -> PathTarget {
    guard rank > 1 else {
      let contents = object.contents(ofField: index)
      return contents.element(at: &path, noting: { steps.append(.index($0)) })
    }
    // A tree of the lists would take as long as they are, for each error. A null around the element
    // is explained by the failure inside of it.
    let indices = path.prefix(rank)
    path = path.dropFirst(rank)
    addIndices(indices)
    return PathTarget(object.object(of: object.layout.fields[index], at: indices))
  }

  /// Adds the entries of a path that lead into lists, until one is no index. There is at most one
  /// for each list: a server may send any number. The list can be null, which is not looked up:
  /// each element of a long list can have an error.
  private mutating func addIndices(_ entries: some Sequence<PathEntry>) {
    for entry in entries {
      guard case .index(let index) = entry else { return }
      steps.append(.index(index))
    }
  }
}

/// The target of a path.
private enum PathTarget {
  case null
  case object(ResponseObject)
  case nowhere

  init(_ object: ResponseObject?) { self = object.map(PathTarget.object) ?? .null }
}

extension SlotContents {
  /// Returns the target of the index at the start of a path, and removes it from the path. Not for
  /// nested lists.
  fileprivate func element(
    at path: inout ArraySlice<PathEntry>, noting note: (Int) -> Void
  ) -> PathTarget {
    func nextIndex(_ count: Int) -> Int? {
      guard case .index(let index)? = path.first, (0..<count).contains(index) else { return nil }
      path = path.dropFirst()
      note(index)
      return index
    }
    switch self {
    case .null, .missing: return .null
    case .object(let object): return .object(object)
    case .objects(let objects):
      return nextIndex(objects.count).map { .object(objects[$0]) } ?? .nowhere
    case .nullableObjects(let objects):
      return nextIndex(objects.count).map { PathTarget(objects[$0]) } ?? .nowhere
    case .tree, .bool, .int, .double, .string, .strings, .leaf: return .nowhere
    }
  }
}

/// The failures in a record or in a value, by position.
private struct FailureTree {
  /// The first failure at the position or inside of it, which explains a null there: an element of
  /// a list of leaves that fails, and is never null, leaves its list null.
  private(set) var failure: FieldFailure?
  private(set) var parts: [FailedField.Step: FailureTree] = [:]

  mutating func insert(_ failure: FieldFailure, at steps: ArraySlice<FailedField.Step>) {
    if self.failure == nil { self.failure = failure }
    guard let step = steps.first else { return }
    parts[step, default: FailureTree()].insert(failure, at: steps.dropFirst())
  }
}

extension FieldMap {
  fileprivate mutating func replaceNulls(by failures: FailureTree) {
    for case (.field(let field), let failures) in failures.parts {
      guard var value = self[field] else { continue }
      value.replaceNulls(by: failures)
      self[field] = value
    }
  }
}

extension FieldMap {
  fileprivate mutating func replaceAllNulls(by failure: FieldFailure) {
    for (field, value) in self where value.hasNulls {
      var value = value
      value.replaceAllNulls(by: failure)
      self[field] = value
    }
  }
}

extension CacheValue {
  /// Indicates whether the value is null, or has a null in a list or an embedded object.
  fileprivate var hasNulls: Bool {
    switch self {
    case .null: true
    case .object(let fields): fields.contains { $0.value.hasNulls }
    case .list(let elements): elements.contains(where: \.hasNulls)
    default: false
    }
  }

  fileprivate mutating func replaceAllNulls(by failure: FieldFailure) {
    switch self {
    case .null: self = .failure(failure)
    case .object(var fields):
      fields.replaceAllNulls(by: failure)
      self = .object(fields)
    case .list(var elements):
      for index in elements.indices { elements[index].replaceAllNulls(by: failure) }
      self = .list(elements)
    default: break
    }
  }

  fileprivate mutating func replaceNulls(by failures: FailureTree) {
    switch self {
    case .null: if let failure = failures.failure { self = .failure(failure) }
    case .object(var fields):
      self = .null  // so that `fields` is the only owner
      fields.replaceNulls(by: failures)
      self = .object(fields)
    case .list(var elements):
      self = .null  // as above
      for case (.index(let index), let failures) in failures.parts
      where elements.indices.contains(index) {
        elements[index].replaceNulls(by: failures)
      }
      self = .list(elements)
    default: break
    }
  }
}
