/// Who depends on fields of one record.
///
/// Watches that ask for the same fields stand together, so a change is compared with their shape
/// once. Most records have one watch, which needs no table.
enum RecordWatches: Sendable {
  case one(StoreWatch.ID, RecordShape)
  case several([RecordShape: Set<StoreWatch.ID>])

  /// - Complexity: O(1) on average.
  mutating func insert(_ id: StoreWatch.ID, _ fields: RecordShape) {
    switch self {
    case .one(let known, let shape):
      if known == id, shape === fields { return }
      var table: [RecordShape: Set<StoreWatch.ID>] = [shape: [known]]
      table[fields, default: []].insert(id)
      self = .several(table)
    case .several(var table):
      self = .several([:])  // so that `table` is the only owner
      table[fields, default: []].insert(id)
      self = .several(table)
    }
  }

  /// Removes a watch of these fields, and says whether none is left.
  ///
  /// - Complexity: O(1) on average.
  mutating func remove(_ id: StoreWatch.ID, _ fields: RecordShape) -> Bool {
    switch self {
    case .one(let known, let shape): return known == id && shape === fields
    case .several(var table):
      self = .several([:])  // as above
      if let position = table.index(forKey: fields) {
        table.values[position].remove(id)
        if table.values[position].isEmpty { table.remove(at: position) }
      }
      self = .several(table)
      return table.isEmpty
    }
  }

  /// Adds those whom a change of the record concerns.
  ///
  /// - Complexity: O(*s* + *w*) in the number of shapes and of the watches concerned.
  func add(concernedBy change: ChangedFields, to concerned: inout Set<StoreWatch.ID>) {
    switch self {
    case .one(let id, let shape):
      if change.intersects(shape) { concerned.insert(id) }
    case .several(let table):
      for (shape, ids) in table where change.intersects(shape) { concerned.formUnion(ids) }
    }
  }
}
