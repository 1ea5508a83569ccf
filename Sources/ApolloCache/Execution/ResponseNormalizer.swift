package import ApolloAPI

/// Turns a response into records while it is decoded.
///
/// As a listener of the decoder it is told of each object when the object is complete, children first. An object with a key becomes a
/// record and leaves a reference with its parent; any other is embedded there.
package final class ResponseNormalizer: ResponseListener {
  private let rootKey: RecordKey
  private let rootPlace: Place
  private let keys: FieldKeys
  private let cacheKeyForObject: CacheKeyForObject?

  private var layouts: [ObjectIdentifier: NormalizingLayout] = [:]
  private var lastLayout: NormalizingLayout?

  /// What parents are to hold for the objects that are complete. An object's `listenerTag` is its index.
  private var values: [CacheValue] = []
  private var records: [Record] = []
  private var dependencies = Dependencies()
  private var root: ResponseObject?

  /// - Parameters:
  ///   - selections: what the response answers.
  ///   - key: the record of the response's root object.
  package init(
    _ selections: SelectionLayout, schema: any SchemaMetadata.Type, variables: Variables?,
    key: RecordKey, cacheKeyForObject: CacheKeyForObject?
  ) {
    rootKey = key
    rootPlace = selections.plan(schema: schema, variables: variables).place(for: [selections])
    keys = FieldKeys(selections, variables: variables)
    self.cacheKeyForObject = cacheKeyForObject
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
      for error in errors { response.note(error, below: root, record: rootKey, keys: keys) }
    }
    return response
  }

  /// The records of an object that exists already.
  ///
  /// It may be shared with other threads, so its tag is left alone.
  package func normalize(tree root: ResponseObject) -> NormalizedResponse {
    _ = value(ofTree: root)
    return finish()
  }

  private func value(ofTree object: ResponseObject) -> CacheValue {
    normalize(object) { value(ofTree: $0) }
  }

  // MARK: - One object

  private func normalize(_ object: ResponseObject, _ child: (ResponseObject) -> CacheValue) -> CacheValue {
    let layout = layout(of: object)
    let fields = layout.fields(of: object, child)
    let key = object.layout.place === rootPlace ? rootKey : layout.resolver.key(of: object)
    guard let key else { return .object(fields) }
    if key == rootKey { root = object }
    records.append(Record(key: key, fields: fields))
    dependencies.insert(layout.record.shape, of: key)
    return .reference(key)
  }

  private func layout(of object: ResponseObject) -> NormalizingLayout {
    let layout = object.layout
    if let lastLayout, lastLayout.record.layout === layout { return lastLayout }
    let normalizing = layouts[ObjectIdentifier(layout)]
      ?? NormalizingLayout(layout, keys: keys, cacheKeyForObject: cacheKeyForObject)
    layouts[ObjectIdentifier(layout)] = normalizing
    lastLayout = normalizing
    return normalizing
  }
}

/// What a response says: its records, in the order in which their objects were complete, and the fields it told.
package struct NormalizedResponse: Sendable {
  package internal(set) var records: RecordSet
  package internal(set) var dependencies: Dependencies
}

/// How objects of one layout become records.
private final class NormalizingLayout {
  let record: RecordLayout
  let resolver: CacheKeyResolver

  init(_ layout: ObjectLayout, keys: FieldKeys, cacheKeyForObject: CacheKeyForObject?) {
    record = RecordLayout(layout, keys: keys)
    resolver = CacheKeyResolver(layout, cacheKeyForObject: cacheKeyForObject)
  }

  func fields(of object: ResponseObject, _ child: (ResponseObject) -> CacheValue) -> FieldMap {
    var values = ContiguousArray<CacheValue>()
    values.reserveCapacity(record.layout.fields.count)
    var isComplete = true
    for field in record.layout.fields {
      guard !object.isMissing(field) else {
        isComplete = false
        values.append(.null)
        continue
      }
      values.append(value(of: field, of: object, child))
    }
    guard isComplete, !record.hasAliases, values.count <= RecordShape.maximumFieldCount else {
      return merged(values, of: object)
    }
    return FieldMap(shape: record.shape, values: values)
  }

  private func value(
    of field: FieldLayout, of object: ResponseObject, _ child: (ResponseObject) -> CacheValue
  ) -> CacheValue {
    guard field.place != nil else { return CacheValue(leaf: object.leafValue(of: field), rank: field.listRank) }
    return value(of: object.objects(of: field), child)
  }

  private func value(of tree: ObjectTree, _ child: (ResponseObject) -> CacheValue) -> CacheValue {
    switch tree {
    case .null: .null
    case .object(let object): child(object)
    case .list(let elements): .list(elements.map { value(of: $0, child) })
    }
  }

  /// The fields, where some are missing, or several are aliases of one, or there are more than a shape can have.
  private func merged(_ values: ContiguousArray<CacheValue>, of object: ResponseObject) -> FieldMap {
    var fields = FieldMap()
    var merger = RecordMerger()
    for (index, field) in record.layout.fields.enumerated() where !object.isMissing(field) {
      let key = record.shape.fields[record.positions[index]]
      _ = merger.merge(FieldMap([(key, values[index])]), into: &fields)
    }
    return fields
  }
}
