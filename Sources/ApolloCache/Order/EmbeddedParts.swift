internal import ApolloAPI

// The parts of embedded objects, of which a write may bring some and leave the others. Objects are
// the same if their types are, and elements of lists if the lists have one length. Edges with
// different nodes are never the same.

extension CacheValue {
  /// Indicates whether the value is an embedded object or a list with one.
  var hasEmbeddedObjects: Bool {
    switch self {
    case .object: true
    case .list(let elements): elements.contains(where: \.hasEmbeddedObjects)
    default: false
    }
  }

  /// Returns the value with a newer one in its place. Of embedded objects, only what this one has
  /// is taken over.
  func takingOver(_ newer: CacheValue) -> CacheValue {
    newer.isFailure ? self : replacing(newer, by: newer) ?? self
  }

  /// Returns the value with what `current` has in the place of what newer objects have, or `nil` if
  /// nothing is left. If one of the two is another object, or a list of another length or with
  /// other elements, `current` takes the place of all.
  func replacing(_ newer: CacheValue, by current: CacheValue?) -> CacheValue? {
    guard current.map(isSameObject) ?? true, let rest = rest(beside: newer, current) else {
      return current
    }
    return rest.hasFieldsOfObjects ? rest : nil
  }

  private func isSameObject(as other: CacheValue) -> Bool {
    switch (self, other) {
    case (.object(let fields), .object(let others)): !fields.isOfAnotherType(than: others)
    case (.list(let elements), .list(let others)): elements.count == others.count
    default: false
    }
  }

  /// Returns whether two elements at one place of two lists are the same object.
  private func isSameElement(as other: CacheValue) -> Bool {
    isSameObject(as: other) && !isEdgeOfAnotherNode(than: other)
  }

  /// Returns what ``replacing(_:by:)`` leaves, with an empty object for one of which nothing is
  /// left, or `nil` if `current` takes the place of all.
  private func rest(beside newer: CacheValue, _ current: CacheValue?) -> CacheValue? {
    switch (self, newer) {
    case (.object(let fields), .object(let others)) where !fields.isOfAnotherType(than: others):
      let known: FieldMap? = if case .object(let known)? = current { known } else { nil }
      var rest = fields
      for (field, value) in others where field != .typename && !value.isFailure {
        if let own = rest[field] { rest[field] = own.replacing(value, by: known?[field]) }
      }
      // The type is of use beside other fields, and to an object that has none yet.
      if rest.count == 1, others[.typename] != nil { rest[.typename] = nil }
      return .object(rest)
    case (.list(let elements), .list(let others)) where elements.count == others.count:
      if zip(elements, others).contains(where: { $0.isEdgeOfAnotherNode(than: $1) }) { return nil }
      var known: [CacheValue]?
      if case .list(let list)? = current, list.count == elements.count {
        // What is left is merged by index. An element without its node would become a part of any
        // edge that is there: below a layer, older layers may have changed the list.
        guard zip(list, elements).allSatisfy({ $0.isSameElement(as: $1) }) else { return nil }
        known = list
      }
      var rest: [CacheValue] = []
      for (index, (element, other)) in zip(elements, others).enumerated() {
        guard let own = element.rest(beside: other, known?[index]) else { return nil }
        rest.append(own)
      }
      return .list(rest)
    default: return nil
    }
  }

  /// Returns the parts of embedded objects that another value has, too, or `nil` if there are none.
  /// All of the value is a part if the other one is another object, or a list of another length.
  func parts(in other: CacheValue) -> CacheValue? {
    switch (self, other) {
    case (.object(let fields), .object(let others)) where !fields.isOfAnotherType(than: others):
      var common = fields.compactMap { field, value in
        field == .typename ? nil : others[field].flatMap(value.parts).map { (field, $0) }
      }
      guard !common.isEmpty else { return nil }
      // Without its type, the part could be taken for one of another object.
      if let type = fields[.typename] { common.append((.typename, type)) }
      return .object(FieldMap(common))
    case (.list(let elements), .list(let others)) where elements.count == others.count:
      guard elements.contains(where: \.hasEmbeddedObjects),
        !zip(elements, others).contains(where: { $0.isEdgeOfAnotherNode(than: $1) })
      else { return self }
      let common = zip(elements, others).map { $0.parts(in: $1) ?? .object([:]) }
      return common.contains(where: \.hasFieldsOfObjects) ? .list(common) : nil
    default: return self
    }
  }

  /// Indicates whether an object in the value has a field.
  private var hasFieldsOfObjects: Bool {
    switch self {
    case .object(let fields): !fields.isEmpty
    case .list(let elements): elements.contains(where: \.hasFieldsOfObjects)
    default: false
    }
  }

  /// Returns the value with a newer one of the same embedded objects merged into it, or `nil` if
  /// the newer one is another object, or a list of another length.
  func merging(_ newer: CacheValue) -> CacheValue? {
    switch (self, newer) {
    case (.object, .object): break
    case (.list(let elements), .list(let others)) where elements.count == others.count: break
    default: return nil
    }
    let field = FieldKey("value")
    var merger = RecordMerger()
    var merged = FieldMap([(field, self)])
    merger.merge(FieldMap([(field, newer)]), into: &merged)
    return merged[field]
  }
}
