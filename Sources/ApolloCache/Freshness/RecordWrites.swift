internal import ApolloAPI

/// The latest write of each field of one record.
package enum RecordWrites: Sendable {
  /// One write has written the fields of a shape, which are all whose write is known.
  case one(RecordShape, WriteID)
  /// The writes with their fields, the newest first. A field belongs to the first that has it.
  indirect case some([(RecordShape, WriteID)])
  /// The write of each field, for a record that many writes have changed, such as the root.
  indirect case fields(HashTrie<FieldKey, WriteID>)

  /// The number of writes up to which they are kept with their fields.
  private static let mostShapes = 8

  /// The latest write of a field, or `nil` if it is not known.
  package subscript(field: FieldKey) -> WriteID? {
    switch self {
    case .one(let shape, let id): shape.position(of: field) == nil ? nil : id
    case .some(let writes): writes.first { $0.0.position(of: field) != nil }?.1
    case .fields(let fields): fields[field]
    }
  }

  /// Notes that a write has written fields.
  ///
  /// - Parameters:
  ///   - shape: The fields.
  ///   - id: The write.
  ///   - replaced: Called for each earlier write that has written some of the fields.
  mutating func note(_ shape: RecordShape, _ id: WriteID, replaced: (WriteID) -> Void) {
    switch self {
    case .one(let known, let old):
      if shape.overlaps(known) { replaced(old) }
      self = shape.includes(known) ? .one(shape, id) : .some([(shape, id), (known, old)])
    case .some(var writes):
      self = .some([])  // makes `writes` the only owner
      for (known, old) in writes where shape.overlaps(known) { replaced(old) }
      writes.removeAll { shape.includes($0.0) }
      writes.insert((shape, id), at: 0)
      if writes.count == 1 {
        self = .one(shape, id)
      } else if writes.count <= Self.mostShapes {
        self = .some(writes)
      } else {
        self = .fields(Self.fields(of: writes))
      }
    case .fields(var fields):
      self = .some([])  // as above
      for field in shape.fields {
        if let old = fields[field], field != .typename { replaced(old) }
        fields.updateValue(id, forKey: field)
      }
      self = .fields(fields)
    }
  }

  /// Forgets the writes of fields. Returns those that had written some of them.
  ///
  /// - Complexity: O(*n*) in the number of these fields, but for the first call.
  mutating func forget(_ forgotten: Set<FieldKey>) -> Set<WriteID> {
    var fields = HashTrie<FieldKey, WriteID>()
    switch self {
    case .one(let shape, let id): fields = Self.fields(of: [(shape, id)])
    case .some(let writes): fields = Self.fields(of: writes)
    case .fields(let known): fields = known
    }
    self = .some([])  // makes `fields` the only owner
    var ids: Set<WriteID> = []
    for field in forgotten {
      if let id = fields.removeValue(forKey: field), field != .typename { ids.insert(id) }
    }
    self = .fields(fields)
    return ids
  }

  /// The number of fields that have an entry each, or 0 if they are kept by their writes.
  var separateFieldCount: Int {
    if case .fields(let fields) = self { fields.count } else { 0 }
  }

  /// Indicates whether the write of no field is known.
  var isEmpty: Bool {
    switch self {
    case .one: false
    case .some(let writes): writes.isEmpty
    case .fields(let fields): fields.count == 0
    }
  }

  private static func fields(of writes: [(RecordShape, WriteID)]) -> HashTrie<FieldKey, WriteID> {
    var fields = HashTrie<FieldKey, WriteID>()
    for (shape, id) in writes.reversed() {
      for field in shape.fields { fields.updateValue(id, forKey: field) }
    }
    return fields
  }

  /// The fields whose write is known, with their writes.
  package var all: [(field: FieldKey, write: WriteID)] {
    switch self {
    case .one(let shape, let id): return shape.fields.map { ($0, id) }
    case .some(let writes):
      var known: Set<FieldKey> = []
      return writes.flatMap { shape, id in
        shape.fields.filter { known.insert($0).inserted }.map { ($0, id) }
      }
    case .fields(let fields):
      var all: [(field: FieldKey, write: WriteID)] = []
      fields.forEach { all.append(($0, $1)) }
      return all
    }
  }
}

extension RecordShape {
  /// Returns whether another shape has no field that this one does not have.
  fileprivate func includes(_ other: RecordShape) -> Bool {
    self === other
      || other.fields.count <= fields.count && other.fields.allSatisfy { position(of: $0) != nil }
  }

  /// Returns whether both have a field in common, besides the type.
  fileprivate func overlaps(_ other: RecordShape) -> Bool {
    self === other || other.fields.contains { $0 != .typename && position(of: $0) != nil }
  }
}
