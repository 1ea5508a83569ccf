package import ApolloAPI

// Writing a model: one that was read, made by an initializer, or changed.
//
// Its objects may have the layouts of another selection (a fragment of an operation), or of other
// values of the variables. So the selections that are to be written are traversed, and the values
// are taken from the objects.
extension ResponseNormalizer {
  /// Returns the records of a model's object, according to the selections of the plan.
  package func normalize(model root: ResponseObject) -> NormalizedResponse {
    _ = value(of: root, at: plan.root)
    return finish()
  }

  private func value(of object: ResponseObject, at position: ObjectPosition) -> CacheValue {
    let layout = plan.layout(at: position, forTypename: object.typename)
    let fields = fields(of: object, as: layout)
    let isRoot = position === plan.root
    guard keepsRoot || !isRoot else { return .null }
    let key = isRoot ? rootKey : key(of: object, layout)
    return key.map { keep(fields, as: $0) } ?? .object(fields)
  }

  /// Returns the key of an object, from all of its fields, even those that are not written.
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
      if !listEdits.isEmpty { note(value, of: field) }
    }
    noteLists(of: layout)
    if layout.isPlain { return FieldMap(distinct: keys, values: values) }
    var merger = RecordMerger()
    var map = FieldMap()
    for (key, value) in zip(keys, values) {
      _ = merger.merge(FieldMap([(key, value)]), into: &map)
    }
    return map
  }

  /// Returns the record value of a field, or `nil` if the object does not have it.
  ///
  /// A null that an error explains says nothing about the value, and neither does a list with such
  /// a null: they do not replace what the cache has.
  func value(
    of field: RecordField, _ index: Int, of object: ResponseObject, as layout: RecordLayout
  ) -> CacheValue? {
    let own =
      object.layout === layout.layout ? index : object.layout.fieldIndex(withKey: field.responseKey)
    guard let own else { return nil }
    let contents = object.contents(ofField: own)
    let written = CacheValue(contents, rank: field.rank) { child in
      field.position.map { value(of: child, at: $0) } ?? .null  // every such field has a position
    }
    return contents.hasNulls && object.hasErrors(ofField: own) ? nil : written
  }
}
