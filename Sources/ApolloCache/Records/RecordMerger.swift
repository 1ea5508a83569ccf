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
  /// - Complexity: O(*f*) in the number of incoming fields; without allocation where nothing
  ///   changes.
  package mutating func merge(_ incoming: FieldMap, into existing: inout FieldMap) -> ChangedFields?
  {
    switch (existing.storage, incoming.storage) {
    case (.shaped(let existingShape, let known), .shaped(let incomingShape, let values)):
      if existingShape === incomingShape {
        return mergeSameShape(existingShape, known, values, into: &existing)
      }
      let union = union(of: existingShape, and: incomingShape)
      if let shape = union.shape {
        return merge(values, of: incomingShape, as: union, shape: shape, into: &existing)
      }
      return mergeWide(incoming, into: &existing)
    case (.wide, _), (_, .wide):
      return mergeWide(incoming, into: &existing)
    }
  }
}

// MARK: - Shapes

extension RecordMerger {
  private mutating func mergeSameShape(
    _ shape: RecordShape, _ known: ContiguousArray<CacheValue>,
    _ incoming: ContiguousArray<CacheValue>, into existing: inout FieldMap
  ) -> ChangedFields? {
    var changed: UInt64 = 0
    var merged = incoming
    for index in incoming.indices where known[index] != incoming[index] {
      if incoming[index].isMergedDeeply {
        let value = merge(incoming[index], into: known[index])
        merged[index] = value
        if value == known[index] { continue }
      }
      changed |= 1 << index
    }
    guard changed != 0 else { return nil }
    existing.storage = .shaped(shape, merged)
    return .masked(shape, changed)
  }

  private mutating func merge(
    _ incoming: ContiguousArray<CacheValue>, of incomingShape: RecordShape,
    as union: ShapeUnion, shape: RecordShape, into existing: inout FieldMap
  ) -> ChangedFields? {
    guard case .shaped(let existingShape, var merged) = existing.storage else { return nil }
    var changed: UInt64 = 0
    for (index, value) in incoming.enumerated() {
      let position = union.positions[index]
      guard position < merged.count else {
        // Positions past the known fields come in the order of the incoming ones.
        merged.append(value)
        changed |= 1 << index
        continue
      }
      guard merged[position] != value else { continue }
      let value = merge(value, into: merged[position])
      guard merged[position] != value else { continue }
      merged[position] = value
      changed |= 1 << index
    }
    guard changed != 0 else { return nil }
    assert(shape === existingShape || merged.count == shape.fields.count)
    existing.storage = .shaped(shape, merged)
    return .masked(incomingShape, changed)
  }

  private mutating func mergeWide(
    _ incoming: FieldMap, into existing: inout FieldMap
  ) -> ChangedFields? {
    var map = existing.takeWide()
    var changed: [FieldKey] = []
    incoming.forEachField { field, value in
      map.update(field) { known in
        guard known != value else { return }
        let merged = known.map { merge(value, into: $0) } ?? value
        guard known != merged else { return }
        known = merged
        changed.append(field)
      }
    }
    existing.storage = .wide(map)
    return changed.isEmpty ? nil : .listed(changed)
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
  /// Calls `body` with each field, without making an array of them.
  package func forEachField(_ body: (FieldKey, CacheValue) -> Void) {
    switch storage {
    case .shaped(let shape, let values):
      for index in values.indices { body(shape.fields[index], values[index]) }
    case .wide(let map): map.forEach(body)
    }
  }

  /// The fields as a map of which the caller is the only owner; leaves an empty map here.
  fileprivate mutating func takeWide() -> HashTrie<FieldKey, CacheValue> {
    defer { storage = .shaped(.empty, []) }
    if case .wide(let map) = storage { return map }
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

extension RecordMerger {
  private mutating func merge(_ incoming: CacheValue, into known: CacheValue) -> CacheValue {
    switch (known, incoming) {
    case (.failure, .failure): return incoming
    case (_, .failure): return known
    case (.object(var fields), .object(let incomingFields)):
      guard !fields.isOfAnotherType(than: incomingFields) else { return incoming }
      _ = merge(incomingFields, into: &fields)
      return .object(fields)
    case (.list(let elements), .list(let incomingElements)):
      return .list(merge(incomingElements, into: elements))
    default: return incoming
    }
  }

  private mutating func merge(_ incoming: [CacheValue], into known: [CacheValue]) -> [CacheValue] {
    guard incoming.contains(where: \.isMergedDeeply) else { return incoming }
    var merged = incoming
    for index in incoming.indices.prefix(known.count) where incoming[index].isMergedDeeply {
      merged[index] = merge(incoming[index], into: known[index])
    }
    return merged
  }
}

extension FieldMap {
  fileprivate func isOfAnotherType(than other: FieldMap) -> Bool {
    guard let own = self[.typename], let others = other[.typename] else { return false }
    return own != others
  }
}
