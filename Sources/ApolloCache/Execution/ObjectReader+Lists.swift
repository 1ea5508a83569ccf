internal import ApolloAPI

// Reading lists of objects, and lists of such lists.

extension ObjectReader {
  mutating func nonNullObjects(
    of elements: [CacheValue], at position: ObjectPosition, _ field: RecordField
  ) throws -> [ResponseObject]? {
    try records.prepare(elements)
    var objects: [ResponseObject] = []
    objects.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      guard !givesUp else { return nil }
      let object = try at(.index(index)) { try $0.nonNullObject(of: element, at: position, field) }
      if let object { objects.append(object) }
    }
    return complete(objects, elements.count)
  }

  mutating func nonNullObject(
    of element: CacheValue, at position: ObjectPosition, _ field: RecordField
  ) throws -> ResponseObject? {
    switch element {
    case .null: miss(.unexpectedNull, field.key)
    case .failure(let failure): miss(.failed, field.key, serverMessage: failure.message)
    default: return try object(of: element, at: position, field)
    }
    return nil
  }

  mutating func nullableObjects(
    of elements: [CacheValue], at position: ObjectPosition, _ field: RecordField
  ) throws -> [ResponseObject?]? {
    try records.prepare(elements)
    var objects: [ResponseObject?] = []
    objects.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      guard !givesUp else { return nil }
      try at(.index(index)) { try $0.append(element, to: &objects, at: position, field) }
    }
    return objects.count == elements.count ? objects : nil
  }

  /// Appends an element to a list that may have nulls, unless something of it is missing.
  mutating func append(
    _ element: CacheValue, to objects: inout [ResponseObject?], at position: ObjectPosition,
    _ field: RecordField
  ) throws {
    switch element {
    case .null: objects.append(nil)
    case .failure where leavesOutFailure(field, level: 1): objects.append(nil)
    case .failure(let failure):
      if serve(failure, field) || keepsPartialData { objects.append(nil) }
    default:
      if let object = try object(of: element, at: position, field) {
        objects.append(object)
      } else if keepsPartialData {
        objects.append(nil)
      }
    }
  }

  /// Returns the objects of lists of lists. The object's builder checks whether nulls are allowed.
  mutating func tree(
    of value: CacheValue, at position: ObjectPosition, _ field: RecordField, rank: Int
  ) throws -> ObjectTree? {
    switch value {
    case .null: return .null
    case .failure where leavesOutFailure(field, level: field.rank - rank): return .null
    case .failure(let failure): return serve(failure, field) ? .null : nil
    case .list(let elements) where rank > 0:
      try records.prepare(elements)
      var trees: [ObjectTree] = []
      for (index, element) in elements.enumerated() {
        guard !givesUp else { return nil }
        let tree = try at(.index(index)) {
          try $0.tree(of: element, at: position, field, rank: rank - 1)
        }
        if let tree {
          trees.append(tree)
        } else if keepsPartialData, field.mayBeNull(at: field.rank - rank + 1) {
          trees.append(.null)
        }
      }
      return trees.count == elements.count ? .list(trees) : nil
    case .reference where rank == 0, .object where rank == 0:
      return try object(of: value, at: position, field).map(ObjectTree.object)
    default:
      miss(.mismatch, field.key)
      return nil
    }
  }
}
