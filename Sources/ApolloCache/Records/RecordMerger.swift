internal import ApolloAPI

/// Merges what a response tells into what is known, field by field, and says what changed.
///
/// - A field absent from the incoming object is kept; `null` overwrites.
/// - Embedded objects are merged field by field, unless both tell their `__typename` and it
///   differs. Lists of embedded objects take the incoming length, and merge element by element.
/// - A failure never replaces a value: what was known stays. It replaces only an earlier failure or
///   nothing.
///
/// One merger serves one write. It remembers how the shapes it met relate, so keys are looked up
/// once for each pair of shapes.
package struct RecordMerger {
  private struct Pair: Hashable {
    let existing: RecordShape
    let incoming: RecordShape
  }
  private var unions: [Pair: ShapeUnion] = [:]
  private var lastUnion: (pair: Pair, union: ShapeUnion)?

  package init() {}

  /// Merges `incoming` into `existing`, and returns the fields whose values changed, or nil if none
  /// did.
  ///
  /// - Complexity: O(*f*) in the number of incoming fields.
  @discardableResult
  package mutating func merge(_ incoming: FieldMap, into existing: inout FieldMap) -> ChangedFields?
  {
    update(&existing, with: incoming).changed
  }

  /// The same, and says whether there is anything new to keep.
  package mutating func update(_ existing: inout FieldMap, with incoming: FieldMap) -> Outcome {
    switch (existing.storage, incoming.storage) {
    case (.object(let known), .object(let object)) where known.layout.isSame(as: object.layout):
      return update(&existing, from: known, to: object)
    case (.overflow, _), (_, .overflow):
      return updateWide(&existing, with: incoming)
    case (.object, _), (.shaped, _):
      return updateShaped(&existing, with: incoming)
    }
  }

  /// What a merge did.
  package struct Outcome {
    /// The fields whose values changed, or nil.
    package var changed: ChangedFields?
    /// Whether there is anything new to keep, be it only that equal values hold newer objects.
    package var isNew: Bool

    static let nothing = Outcome(changed: nil, isNew: false)
  }
}

// MARK: - Objects

extension RecordMerger {
  /// An object has all that an earlier one of its layout had, so it takes its place.
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
  /// Whether an earlier object of the same layout says the same.
  func isEqual(to other: RecordedObject) -> Bool { difference(from: other).fields == 0 }

  /// How this differs from an earlier object of the same layout.
  func difference(from other: RecordedObject) -> ObjectDifference {
    object.difference(from: other)
  }
}

extension ResponseObject {
  /// How this differs from an earlier object of the same layout.
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
      return updateWide(&existing, with: incoming)
    }
    let union = union(of: knownShape, and: shape)
    guard let unionShape = union.shape else { return updateWide(&existing, with: incoming) }
    var merged = known
    var changed: UInt64 = 0
    var isNew = false
    /// Whether what is known afterwards is what has come, no more and no less.
    var isIncoming = unionShape.fields.count == shape.fields.count
    for index in values.indices {
      let position = union.positions[index]
      guard position < merged.count else {
        // Positions past the known fields come in the order of the incoming ones.
        merged.append(values[index])
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

  private mutating func updateWide(
    _ existing: inout FieldMap, with incoming: FieldMap
  ) -> Outcome {
    var map = existing.takeWide()
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

/// Where the fields of an incoming object stand in the union of two shapes: first the known fields,
/// then the new ones.
private struct ShapeUnion {
  let positions: [Int]
  /// Nil where the union has more fields than a shape can have.
  let shape: RecordShape?

  init(existing: RecordShape, incoming: RecordShape) {
    var fields = existing.fields
    positions = incoming.fields.map { field in
      if let position = existing.position(of: field) { return position }
      fields.append(field)
      return fields.count - 1
    }
    let isKnown = fields.count == existing.fields.count
    shape = isKnown ? existing : fields.count <= RecordShape.maximumFieldCount ? .of(fields) : nil
  }
}

extension FieldMap {
  /// The shape and the values, unless there are more fields than a shape can have.
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

  /// The fields as a map of which the caller is the only owner; leaves an empty map here.
  fileprivate mutating func takeWide() -> HashTrie<FieldKey, CacheValue> {
    defer { storage = .shaped(.empty, []) }
    if case .overflow(let map) = storage { return map }
    var map = HashTrie<FieldKey, CacheValue>()
    forEachField { map.updateValue($1, forKey: $0) }
    return map
  }
}

// MARK: - Values

extension CacheValue {
  /// Whether merging can give something else than the value itself.
  fileprivate var isMergedDeeply: Bool {
    switch self {
    case .object, .list, .failure: true
    default: false
    }
  }
}

/// What became of one value.
private struct ValueOutcome {
  var isChanged: Bool
  /// Whether there is anything new to keep, be it only that equal values hold newer objects.
  var isNew: Bool
  /// Whether the incoming value is what is there now.
  var isIncoming: Bool

  static let kept = ValueOutcome(isChanged: false, isNew: false, isIncoming: false)
}

extension RecordMerger {
  private mutating func update(
    _ known: inout CacheValue, with incoming: CacheValue
  ) -> ValueOutcome {
    switch (known, incoming) {
    case (.failure, .failure): return replace(&known, by: incoming)
    case (_, .failure): return .kept
    case (.object(var fields), .object(let incomingFields))
    where !fields.isOfAnotherType(than: incomingFields):
      known = .null  // so that `fields` is the only owner
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
    for index in incoming.indices.prefix(known.count) where incoming[index].isMergedDeeply {
      merged[index] = known[index]
      _ = update(&merged[index], with: incoming[index])
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

  fileprivate func isOfAnotherType(than other: FieldMap) -> Bool {
    guard let own = self[.typename], let others = other[.typename] else { return false }
    return own != others
  }
}
