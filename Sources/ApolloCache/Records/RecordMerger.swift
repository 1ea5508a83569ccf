internal import ApolloAPI

/// Merges incoming fields into known ones and reports the fields that changed.
///
/// - A field absent from the incoming object is kept; `null` overwrites.
/// - Embedded objects are merged field by field, unless both have a `__typename` and it differs.
/// - Lists of embedded objects take the incoming length, and are merged element by element. Edges
///   of different nodes are different elements: the incoming one replaces the known one, whose
///   cursor is another item's. One that a directive had inserted is the server's then.
/// - A failure replaces nothing: a known value stays, and so does an earlier failure. A server may
///   word each failure differently (a request id), and that alone changes no data. It replaces an
///   element of a list if elements may have moved, as the known one at its index is another one
///   then.
///
/// The steps for one record:
///
/// 1. If both are decoded objects of the same layout, compare them slot by slot. The incoming
///    object replaces the known one, unless they are interchangeable.
/// 2. If either has more fields than a shape may have, merge into a map, field by field.
/// 3. Otherwise look up the union of the two shapes, whose fields are sorted if any is new: for
///    each field its position in the union.
/// 4. Merge value by value at these positions. A bit mask collects the changed fields.
/// 5. If the result equals the incoming fields, keep those, so that a decoded object stays in its
///    original form.
///
/// One merger serves one write. It remembers the unions of shapes, so keys are looked up once for
/// each pair of shapes.
package struct RecordMerger {
  private struct Pair: Hashable {
    let existing: RecordShape
    let incoming: RecordShape
  }
  private var unions: [Pair: ShapeUnion] = [:]
  private var lastUnion: (pair: Pair, union: ShapeUnion)?

  package init() {}

  /// Merges `incoming` into `existing` and returns the changed fields, or `nil` if there are none.
  ///
  /// - Complexity: O(*f*) in the number of incoming fields.
  @discardableResult
  package mutating func merge(_ incoming: FieldMap, into existing: inout FieldMap) -> ChangedFields?
  {
    update(&existing, with: incoming).changed
  }

  /// Merges `incoming` into `existing`, and reports whether the result is worth keeping.
  package mutating func update(_ existing: inout FieldMap, with incoming: FieldMap) -> Outcome {
    switch (existing.storage, incoming.storage) {
    case (.object(let known), .object(let object)) where known.layout.isSame(as: object.layout):
      return update(&existing, from: known, to: object)
    case (.overflow, _), (_, .overflow):
      return updateOverflow(&existing, with: incoming)
    case (.object, _), (.shaped, _):
      return updateShaped(&existing, with: incoming)
    }
  }

  /// The result of a merge.
  package struct Outcome {
    /// The changed fields, or `nil` if there are none.
    package var changed: ChangedFields?
    /// Indicates whether the result differs from the known fields, if only because equal values
    /// hold newer objects.
    package var isNew: Bool

    static let nothing = Outcome(changed: nil, isNew: false)
  }
}

// MARK: - Objects

extension RecordMerger {
  /// Replaces an object by a newer one of the same layout, which has all of its fields.
  private func update(
    _ existing: inout FieldMap, from known: RecordedObject, to object: RecordedObject
  ) -> Outcome {
    let difference = object.difference(from: known)
    guard !difference.isInterchangeable else { return .nothing }
    existing.storage = .object(object)
    guard difference.fields != 0 else { return Outcome(changed: nil, isNew: true) }
    return Outcome(changed: .masked(object.shape, difference.fields), isNew: true)
  }
}

extension RecordedObject {
  /// Returns whether an earlier object of the same layout has equal fields.
  func isEqual(to other: RecordedObject) -> Bool { difference(from: other).fields == 0 }

  /// Returns the difference from an earlier object of the same layout.
  func difference(from other: RecordedObject) -> ObjectDifference {
    object.difference(from: other)
  }
}

extension ResponseObject {
  /// Returns the difference from an earlier object of the same layout.
  func difference(from other: RecordedObject) -> ObjectDifference {
    difference(from: other.object)
  }
}

// MARK: - Shapes

extension RecordMerger {
  private mutating func updateShaped(
    _ existing: inout FieldMap, with incoming: FieldMap
  ) -> Outcome {
    guard let (knownShape, known) = existing.shaped, let (shape, values) = incoming.shaped else {
      return updateOverflow(&existing, with: incoming)
    }
    let union = union(of: knownShape, and: shape)
    guard let unionShape = union.shape else { return updateOverflow(&existing, with: incoming) }
    var merged = known
    if let knownPositions = union.knownPositions {
      merged = ContiguousArray(repeating: .null, count: unionShape.fields.count)
      for index in known.indices { merged[knownPositions[index]] = known[index] }
    }
    var changed: UInt64 = 0
    var isNew = false
    /// Indicates whether the result equals the incoming fields.
    var isIncoming = unionShape.fields.count == shape.fields.count
    for index in values.indices {
      let position = union.positions[index]
      guard union.newFields & (1 << index) == 0 else {
        merged[position] = values[index]
        changed |= 1 << index
        continue
      }
      guard values[index].isMergedDeeply else {
        if merged[position] == values[index] { continue }
        merged[position] = values[index]
        changed |= 1 << index
        continue
      }
      let outcome = update(&merged[position], with: values[index])
      if outcome.isChanged { changed |= 1 << index }
      isNew = isNew || outcome.isNew
      isIncoming = isIncoming && outcome.isIncoming
    }
    guard changed != 0 || isNew else { return .nothing }
    if isIncoming {
      existing = incoming
    } else {
      existing.storage = .shaped(unionShape, merged)
    }
    return Outcome(changed: changed == 0 ? nil : .masked(shape, changed), isNew: true)
  }

  private mutating func updateOverflow(
    _ existing: inout FieldMap, with incoming: FieldMap
  ) -> Outcome {
    var map = existing.takeOverflow()
    var changed: [FieldKey] = []
    incoming.forEachField { field, value in
      let isChanged = map.update(field) { known in
        guard known != nil else {
          known = value
          return true
        }
        return update(&known!, with: value).isChanged
      }
      if isChanged { changed.append(field) }
    }
    existing.storage = .overflow(map)
    return Outcome(changed: changed.isEmpty ? nil : .listed(changed), isNew: true)
  }

  private mutating func union(
    of existing: RecordShape, and incoming: RecordShape
  ) -> ShapeUnion {
    let pair = Pair(existing: existing, incoming: incoming)
    if let lastUnion, lastUnion.pair == pair { return lastUnion.union }
    let union = unions[pair] ?? ShapeUnion(existing: existing, incoming: incoming)
    unions[pair] = union
    lastUnion = (pair, union)
    return union
  }
}

/// The union of two shapes, with the position of each incoming field.
///
/// If there are new fields, all are sorted. Otherwise each order in which responses arrive would
/// make shapes of its own, which a file keeps.
private struct ShapeUnion {
  /// The positions of the incoming fields.
  let positions: [Int]
  /// The positions of the known fields, or `nil` if they stay where they are.
  let knownPositions: [Int]?
  /// One bit for each incoming field that is new.
  let newFields: UInt64
  /// Nil where the union has more fields than a shape can have.
  let shape: RecordShape?

  init(existing: RecordShape, incoming: RecordShape) {
    var fields = existing.fields
    var newFields: UInt64 = 0
    for (index, field) in incoming.fields.enumerated() where existing.position(of: field) == nil {
      fields.append(field)
      if index < UInt64.bitWidth { newFields |= 1 << index }
    }
    self.newFields = newFields
    let isKnown = fields.count == existing.fields.count
    let union: RecordShape? =
      isKnown
      ? existing
      : fields.count <= RecordShape.maximumFieldCount ? .of(fields.sorted()) : nil
    shape = union
    positions = incoming.fields.map { union?.position(of: $0) ?? 0 }
    knownPositions =
      isKnown ? nil : union.map { union in existing.fields.map { union.position(of: $0) ?? 0 } }
  }
}

extension FieldMap {
  /// The shape and the values, unless there are more fields than a shape may have.
  fileprivate var shaped: (RecordShape, ContiguousArray<CacheValue>)? {
    switch storage {
    case .object(let object): (object.shape, object.values)
    case .shaped(let shape, let values): (shape, values)
    case .overflow: nil
    }
  }

  /// Calls `body` with each field, without making an array of them.
  package func forEachField(_ body: (FieldKey, CacheValue) -> Void) {
    switch storage {
    case .object(let object):
      for index in object.shape.fields.indices {
        body(object.shape.fields[index], object.value(at: index))
      }
    case .shaped(let shape, let values):
      for index in values.indices { body(shape.fields[index], values[index]) }
    case .overflow(let map): map.forEach(body)
    }
  }

  /// Takes the fields out as a map that the caller owns alone. Leaves an empty map.
  fileprivate mutating func takeOverflow() -> HashTrie<FieldKey, CacheValue> {
    defer { storage = .shaped(.empty, []) }
    if case .overflow(let map) = storage { return map }
    var map = HashTrie<FieldKey, CacheValue>()
    forEachField { map.updateValue($1, forKey: $0) }
    return map
  }
}

// MARK: - Values

extension CacheValue {
  /// Indicates whether merging this value can have another result than the value itself.
  fileprivate var isMergedDeeply: Bool {
    switch self {
    case .object, .list, .failure: true
    default: false
    }
  }

  fileprivate var hasNode: Bool {
    if case .object(let fields) = self { fields[.node] != nil } else { false }
  }

  /// Returns whether both are objects that refer to different records in a field `node`.
  func isEdgeOfAnotherNode(than other: CacheValue) -> Bool {
    guard case .object(let own) = self, case .object(let others) = other,
      case .reference(let node)? = own[.node], case .reference(let otherNode)? = others[.node]
    else { return false }
    return node != otherNode
  }
}

/// The result of merging one value.
private struct ValueOutcome {
  var isChanged: Bool
  /// Indicates whether the result differs from the known value, if only because equal values hold
  /// newer objects.
  var isNew: Bool
  /// Indicates whether the result is the incoming value.
  var isIncoming: Bool

  static let kept = ValueOutcome(isChanged: false, isNew: false, isIncoming: false)
}

extension RecordMerger {
  private mutating func update(
    _ known: inout CacheValue, with incoming: CacheValue
  ) -> ValueOutcome {
    switch (known, incoming) {
    case (_, .failure): return .kept
    case (.object(var fields), .object(let incomingFields))
    where !fields.isOfAnotherType(than: incomingFields):
      known = .null  // makes `fields` the only owner
      let outcome = update(&fields, with: incomingFields)
      known = .object(fields)
      return ValueOutcome(
        isChanged: outcome.changed != nil, isNew: outcome.isNew,
        isIncoming: fields.isSameObject(as: incomingFields))
    case (.list(let elements), .list(let incomingElements))
    where incomingElements.contains(where: \.isMergedDeeply):
      let merged = merge(incomingElements, into: elements)
      known = .list(merged)
      return ValueOutcome(isChanged: merged != elements, isNew: true, isIncoming: false)
    default: return replace(&known, by: incoming)
    }
  }

  private func replace(_ known: inout CacheValue, by incoming: CacheValue) -> ValueOutcome {
    let isChanged = known != incoming
    if isChanged { known = incoming }
    return ValueOutcome(isChanged: isChanged, isNew: isChanged, isIncoming: true)
  }

  private mutating func merge(_ incoming: [CacheValue], into known: [CacheValue]) -> [CacheValue] {
    var merged = incoming
    lazy var mayHaveMoved = incoming.mayHaveMoved(from: known)  // few lists have failures
    for index in incoming.indices.prefix(known.count)
    where incoming[index].isMergedDeeply && !incoming[index].isEdgeOfAnotherNode(than: known[index])
    {
      if incoming[index].isFailure, !known[index].isFailure, mayHaveMoved { continue }
      merged[index] = known[index]
      _ = update(&merged[index], with: incoming[index])
      // An edge without its node is the rest of one that a local change does not touch.
      if known[index].isInsertedEdge, !incoming[index].isInsertedEdge, incoming[index].hasNode {
        merged[index] = merged[index].asSentEdge
      }
    }
    return merged
  }
}

extension FieldMap {
  fileprivate func isSameObject(as other: FieldMap) -> Bool {
    guard case .object(let own) = storage, case .object(let others) = other.storage else {
      return false
    }
    return own.object === others.object && own.layout.isSame(as: others.layout)
  }

  func isOfAnotherType(than other: FieldMap) -> Bool {
    guard let own = self[.typename], let others = other[.typename] else { return false }
    return own != others
  }
}
