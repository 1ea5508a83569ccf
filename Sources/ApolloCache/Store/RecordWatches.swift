/// Who depends on fields of one record.
///
/// Watches that ask for the same fields stand together, so a change is compared with their shape
/// once. Most records have one watch, which needs no table.
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

  /// Removes a watch of these fields, and says whether none is left.
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

  /// Adds those whom a change of the record concerns.
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
