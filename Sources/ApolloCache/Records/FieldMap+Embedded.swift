// Objects without keys are values of the fields that hold them.
extension FieldMap {
  /// Returns the fields of the embedded object to which fields lead, or `nil` if there is none.
  func object(at way: some Sequence<FieldKey>) -> FieldMap? {
    var object = self
    for field in way {
      guard case .object(let inner)? = object[field] else { return nil }
      object = inner
    }
    return object
  }

  /// Returns a value with nothing but the way to an embedded object, for which `null` stands, and
  /// the types of the objects around it.
  func part(at way: ArraySlice<FieldKey>) -> CacheValue {
    guard let field = way.first else { return .null }
    let inner = object(at: way.prefix(1)) ?? FieldMap()
    var part = FieldMap([(field, inner.part(at: way.dropFirst()))])
    part[.typename] = self[.typename]
    return .object(part)
  }

  /// Returns the fields with another object in place of the embedded one to which fields lead.
  func replacingObject(at way: some Collection<FieldKey>, by new: FieldMap) -> FieldMap {
    guard let field = way.first else { return new }
    var fields = self
    let inner = object(at: CollectionOfOne(field)) ?? FieldMap()
    fields[field] = .object(inner.replacingObject(at: Array(way.dropFirst()), by: new))
    return fields
  }
}
