package import ApolloAPI

/// Turns a response into records while it is decoded.
///
/// As a listener of the decoder it is told of each object when the object is complete, children
/// first. An object with a key becomes a record and leaves a reference with its parent; any other
/// is embedded there.
package final class ResponseNormalizer: ResponseListener {
  let rootKey: RecordKey
  let plan: RecordPlan
  private let giveBack: () -> Void

  /// What parents are to hold for the objects that are complete. An object's `listenerTag` is its
  /// index.
  private var values: ContiguousArray<CacheValue> = []
  private var records: [Record] = []
  private var dependencies = Dependencies()
  private var root: ResponseObject?

  /// - Parameters:
  ///   - plan: of what the response answers. Nobody else uses it meanwhile.
  ///   - key: the record of the response's root object.
  ///   - giveBack: called when the plan is not needed any more.
  package init(_ plan: RecordPlan, key: RecordKey, giveBack: @escaping () -> Void = {}) {
    self.plan = plan
    rootKey = key
    self.giveBack = giveBack
  }

  deinit {
    giveBack()
  }

  package func didComplete(_ object: ResponseObject) {
    let value = normalize(object) { values[Int($0.listenerTag)] }
    object.listenerTag = UInt64(values.count)
    values.append(value)
  }

  /// The records of the response that was decoded.
  package func finish(errors: [GraphQLError] = []) -> NormalizedResponse {
    var response = NormalizedResponse(records: RecordSet(records), dependencies: dependencies)
    if let root {
      for error in errors { response.note(error, below: root, record: rootKey, plan: plan) }
    }
    return response
  }

  private func normalize(_ object: ResponseObject, _ child: (ResponseObject) -> CacheValue)
    -> CacheValue
  {
    let layout = plan.layout(object.layout)
    let fields = layout.fieldMap(of: object, child)
    let isRoot = object.layout.place === plan.root
    guard let key = isRoot ? rootKey : plan.key(of: object, layout) else { return .object(fields) }
    if isRoot { root = object }
    return keep(fields, layout, as: key)
  }

  /// Makes a record of an object's fields, and returns the reference to it.
  func keep(_ fields: FieldMap, _ layout: RecordLayout, as key: RecordKey) -> CacheValue {
    records.append(Record(key: key, fields: fields))
    dependencies.insert(layout.shape, of: key)
    return .reference(key)
  }
}

/// What a response says: its records, in the order in which their objects were complete, and the
/// fields it told.
package struct NormalizedResponse: Sendable {
  package internal(set) var records: RecordSet
  package internal(set) var dependencies: Dependencies
}

// MARK: - One object

extension RecordLayout {
  /// What the fields of an object become, given what its children have become.
  fileprivate func fieldMap(of object: ResponseObject, _ child: (ResponseObject) -> CacheValue)
    -> FieldMap
  {
    var isComplete = true
    let values = ContiguousArray<CacheValue>(unsafeUninitializedCapacity: fields.count) {
      values, count in
      for index in fields.indices {
        let value = CacheValue(object.contents(ofField: index), rank: fields[index].rank, child)
        if value == nil { isComplete = false }
        (values.baseAddress! + index).initialize(to: value ?? .null)  // there is at least one field
      }
      count = fields.count
    }
    guard isComplete && isPlain else { return merged(values, of: object) }
    return FieldMap(shape: shape, values: values)
  }

  /// The fields, where some are missing, or several are aliases of one, or there are more than a
  /// shape can have.
  private func merged(_ values: ContiguousArray<CacheValue>, of object: ResponseObject) -> FieldMap
  {
    var merger = RecordMerger()
    var map = FieldMap()
    for (index, field) in layout.fields.enumerated() where !object.isMissing(field) {
      _ = merger.merge(FieldMap([(fields[index].key, values[index])]), into: &map)
    }
    return map
  }
}

extension CacheValue {
  /// What a record keeps of a slot; nil where nothing is in it.
  @inline(__always)
  init?(_ contents: SlotContents, rank: Int, _ child: (ResponseObject) -> CacheValue) {
    switch contents {
    case .missing: return nil
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(Int64(value))
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .leaf(let value): self = CacheValue(leaf: value, rank: rank)
    case .object(let object): self = child(object)
    case .objects(let objects): self = .list(objects.map(child))
    case .nullableObjects(let objects): self = .list(objects.map { $0.map(child) ?? .null })
    case .tree(let tree): self = CacheValue(tree, child)
    }
  }

  private init(_ tree: ObjectTree, _ child: (ResponseObject) -> CacheValue) {
    switch tree {
    case .null: self = .null
    case .object(let object): self = child(object)
    case .list(let elements): self = .list(elements.map { CacheValue($0, child) })
    }
  }
}
