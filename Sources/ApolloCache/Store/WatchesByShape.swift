/// The watches of one record, grouped by the fields that they depend on.
///
/// Ten thousand watches may each depend on other fields of a root. Then the shapes are indexed by
/// field, so that a change costs nothing for the watches that it does not concern.
struct WatchesByShape: Sendable {
  private var ids: [RecordShape: Set<StoreWatch.ID>] = [:]
  /// The shapes with each field, or `nil` while comparing with every shape is faster.
  private var shapes: [FieldKey: Set<RecordShape>]?

  private static let mostCompared = 8

  var isEmpty: Bool { ids.isEmpty }

  /// - Complexity: O(1) on average; O(*f*) in the number of fields for a shape that is new.
  mutating func insert(_ id: StoreWatch.ID, _ fields: RecordShape) {
    if ids[fields]?.insert(id) != nil { return }
    ids[fields] = [id]
    if shapes != nil {
      index(fields)
    } else if ids.count > Self.mostCompared {
      shapes = [:]
      for shape in ids.keys { index(shape) }
    }
  }

  private mutating func index(_ shape: RecordShape) {
    for field in shape.fields { shapes?[field, default: []].insert(shape) }
  }

  /// - Complexity: O(1) on average; O(*f*) in the number of fields for the last watch of a shape.
  mutating func remove(_ id: StoreWatch.ID, _ fields: RecordShape) {
    guard let position = ids.index(forKey: fields) else { return }
    ids.values[position].remove(id)
    guard ids.values[position].isEmpty else { return }
    ids.remove(at: position)
    for field in fields.fields {
      guard let position = shapes?.index(forKey: field) else { continue }
      shapes?.values[position].remove(fields)
      if shapes?.values[position].isEmpty == true { shapes?.remove(at: position) }
    }
  }

  /// Adds the watches that a change of the record concerns.
  ///
  /// - Complexity: O(*f* + *w*) in the number of fields that changed and of the watches concerned.
  func add(concernedBy change: ChangedFields, to concerned: inout Set<StoreWatch.ID>) {
    guard let shapes, !change.isAll else {
      for (shape, ids) in ids where change.intersects(shape) { concerned.formUnion(ids) }
      return
    }
    var visited: Set<RecordShape> = []
    for field in change.listed {
      for shape in shapes[field] ?? [] where visited.insert(shape).inserted {
        if let ids = ids[shape] { concerned.formUnion(ids) }
      }
    }
  }
}
