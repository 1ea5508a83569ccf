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
    let occurrences = occurrences(of: object, as: layout)
    let isRoot = position === plan.root
    guard keepsRoot || !isRoot else { return .null }
    guard let key = isRoot ? rootKey : key(of: object, layout) else {
      return .object(merged(occurrences))
    }
    for fields in occurrences { _ = keep(fields, as: key) }
    return .reference(key)
  }

  /// Returns the key of an object, from all of its fields, even those that are not written.
  private func key(of object: ResponseObject, _ layout: RecordLayout) -> RecordKey? {
    if object.layout === layout.layout { return plan.key(of: object, layout) }
    return CacheKeyResolver(object.layout, cacheKeyForObject: plan.cacheKeyForObject)
      .key(of: object)
  }

  /// Returns the fields of an object as occurrences of its record. A field with several aliases is
  /// in as many of them: a program may have changed one alias alone.
  private func occurrences(of object: ResponseObject, as layout: RecordLayout) -> [FieldMap] {
    var keys: [FieldKey] = []
    var values: ContiguousArray<CacheValue> = []
    for (index, field) in layout.fields.enumerated() {
      guard let value = value(of: field, index, of: object, as: layout) else { continue }
      keys.append(field.key)
      values.append(value)
      if !listEdits.isEmpty { note(value, of: field) }
    }
    noteLists(of: layout)
    if layout.isPlain { return [FieldMap(distinct: keys, values: values)] }
    var occurrences: [[(FieldKey, CacheValue)]] = [[]]
    var counts: [FieldKey: Int] = [:]
    for (key, value) in zip(keys, values) {
      let count = counts[key, default: 0]
      counts[key] = count + 1
      if count == occurrences.count { occurrences.append([]) }
      occurrences[count].append((key, value))
    }
    return occurrences.map { FieldMap($0) }
  }

  /// Returns the fields of an embedded object, which is one value of its record. Of several aliases
  /// of a field, the last one wins.
  private func merged(_ occurrences: [FieldMap]) -> FieldMap {
    var merger = RecordMerger()
    var fields = occurrences[0]  // there is at least one, which may be empty
    for others in occurrences.dropFirst() { merger.merge(others, into: &fields) }
    return fields
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
