package import ApolloAPI

// Writing a model that exists already: one that was read, made by an initializer, or changed.
//
// Its objects may have been laid out for another selection (a fragment of an operation), or for
// other values of the variables. So what is written is found by walking the selections that are to
// be written, and taking from each object what it has of them.
extension ResponseNormalizer {
  /// The records of a model's object, as the selections of the plan have it.
  package func normalize(model root: ResponseObject) -> NormalizedResponse {
    _ = value(of: root, at: plan.root)
    return finish()
  }

  private func value(of object: ResponseObject, at position: ObjectPosition) -> CacheValue {
    let layout = plan.layout(at: position, forTypename: object.typename)
    let fields = fields(of: object, as: layout)
    let key = position === plan.root ? rootKey : key(of: object, layout)
    return key.map { keep(fields, layout, as: $0) } ?? .object(fields)
  }

  /// An object's identity is found with all that it has, even where that is more than is written.
  private func key(of object: ResponseObject, _ layout: RecordLayout) -> RecordKey? {
    if object.layout === layout.layout { return plan.key(of: object, layout) }
    return CacheKeyResolver(object.layout, cacheKeyForObject: plan.cacheKeyForObject)
      .key(of: object)
  }

  private func fields(of object: ResponseObject, as layout: RecordLayout) -> FieldMap {
    var keys: [FieldKey] = []
    var values: ContiguousArray<CacheValue> = []
    for (index, field) in layout.fields.enumerated() {
      guard let value = value(of: field, index, of: object, as: layout) else { continue }
      keys.append(field.key)
      values.append(value)
    }
    if layout.isPlain { return FieldMap(distinct: keys, values: values) }
    var merger = RecordMerger()
    var map = FieldMap()
    for (key, value) in zip(keys, values) {
      _ = merger.merge(FieldMap([(key, value)]), into: &map)
    }
    return map
  }

  /// What a record is to keep of one field; nil where the object does not have it.
  private func value(
    of field: RecordField, _ index: Int, of object: ResponseObject, as layout: RecordLayout
  ) -> CacheValue? {
    let own =
      object.layout === layout.layout ? index : object.layout.fieldIndex(withKey: field.responseKey)
    guard let own else { return nil }
    return CacheValue(object.contents(ofField: own), rank: field.rank) { child in
      field.position.map { value(of: child, at: $0) } ?? .null  // objects stand at places
    }
  }
}
