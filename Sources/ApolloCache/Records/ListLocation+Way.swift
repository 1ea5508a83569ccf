extension ListLocation {
  /// Returns the place of the list from the last record on its way. If the way leads to no object,
  /// the rest of it stays.
  ///
  /// `fields`: Returns the fields of a record, at least the given one.
  func resolved(
    _ fields: (RecordKey, FieldKey) throws -> FieldMap?
  ) rethrows -> ListLocation {
    var list = self
    var count = 0  // of the fields that lead to an embedded object
    while count < list.way.count {
      let way = list.way.prefix(count + 1)
      let record = try fields(list.record, way[0])
      switch record?.object(at: way.dropLast())?[way[count]] {
      case .reference(let key):
        list.record = key
        list.way.removeFirst(count + 1)
        count = 0
      case .object: count += 1
      default: return list
      }
    }
    return list
  }
}
