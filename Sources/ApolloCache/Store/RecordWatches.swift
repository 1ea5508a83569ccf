/// The watches that depend on fields of one record.
///
/// Watches of the same fields are grouped, so a change is compared with their shape once. Most
/// records have one watch, which needs no table.
enum RecordWatches: Sendable {
  case one(StoreWatch.ID, RecordShape)
  case several(WatchesByShape)

  /// - Complexity: O(1) on average.
  mutating func insert(_ id: StoreWatch.ID, _ fields: RecordShape) {
    switch self {
    case .one(let known, let shape):
      if known == id, shape === fields { return }
      var shapes = WatchesByShape()
      shapes.insert(known, shape)
      shapes.insert(id, fields)
      self = .several(shapes)
    case .several(var shapes):
      self = .several(WatchesByShape())  // so that `shapes` is the only owner
      shapes.insert(id, fields)
      self = .several(shapes)
    }
  }

  /// Removes a watch of these fields. Returns `true` if none is left.
  ///
  /// - Complexity: O(1) on average.
  mutating func remove(_ id: StoreWatch.ID, _ fields: RecordShape) -> Bool {
    switch self {
    case .one(let known, let shape): return known == id && shape === fields
    case .several(var shapes):
      self = .several(WatchesByShape())  // as above
      shapes.remove(id, fields)
      self = .several(shapes)
      return shapes.isEmpty
    }
  }

  /// Adds the watches that a change of the record concerns.
  ///
  /// - Complexity: O(*f* + *w*) in the number of fields that changed and of the watches concerned.
  func add(concernedBy change: ChangedFields, to concerned: inout Set<StoreWatch.ID>) {
    switch self {
    case .one(let id, let shape):
      if change.intersects(shape) { concerned.insert(id) }
    case .several(let shapes): shapes.add(concernedBy: change, to: &concerned)
    }
  }
}
