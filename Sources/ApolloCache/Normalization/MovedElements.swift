// Finds the elements of changed lists again, by comparing a model with the one that it was made
// from.

extension CacheValue {
  /// Returns a stored value, and the value before the change, with the elements of their lists at
  /// the places that they have here, or `nil` if none has moved. Objects without keys keep the
  /// fields that are not here, and elements that failed, which are null here, stay failures.
  ///
  /// - Parameters:
  ///   - stored: The value in the cache, with fields that the model does not select.
  ///   - known: The value before the change.
  /// - Returns: Both values, or `nil`.
  func rearranging(
    _ stored: CacheValue, from known: CacheValue
  ) -> (stored: CacheValue, known: CacheValue)? {
    switch (self, known, stored) {
    case (.object(let fields), .object(let known), .object(let stored)):
      var result = (stored: stored, known: known)
      var isNew = false
      for (field, value) in fields {
        guard let old = known[field], let own = stored[field],
          let new = value.rearranging(own, from: old)
        else { continue }
        result.stored[field] = new.stored
        result.known[field] = new.known
        isNew = true
      }
      guard isNew else { return nil }
      return (stored: CacheValue.object(result.stored), known: CacheValue.object(result.known))
    case (.list(let elements), .list(let known), .list(let stored))
    where stored.count == known.count
      && (hasEmbeddedObjects || stored.contains(where: \.containsFailure)):
      let sources = elements.sources(in: known)
      var isNew =
        sources.count != known.count || sources.enumerated().contains { $0.offset != $0.element }
      var result: (stored: [CacheValue], known: [CacheValue]) = ([], [])
      for (element, source) in zip(elements, sources) {
        guard let source else {
          result.stored.append(element)
          result.known.append(element)
          continue
        }
        let new = element.rearranging(stored[source], from: known[source])
        isNew = isNew || new != nil
        result.stored.append(new?.stored ?? stored[source])
        result.known.append(new?.known ?? known[source])
      }
      guard isNew else { return nil }
      return (stored: CacheValue.list(result.stored), known: CacheValue.list(result.known))
    default: return nil
    }
  }

  /// Returns the value with the stored failures that a model has shown as null, and still does at
  /// the same places.
  ///
  /// - Parameters:
  ///   - stored: The value in the cache.
  ///   - known: The value before the change.
  /// - Returns: The value with these failures.
  func keepingFailures(of stored: CacheValue, shownAs known: CacheValue) -> CacheValue {
    switch (self, known, stored) {
    case (.null, .null, .failure): return stored
    case (.object(let fields), .object(let known), .object(let stored))
    where !fields.isOfAnotherType(than: stored):
      var result = fields
      for (field, value) in fields {
        guard let old = known[field], let own = stored[field] else { continue }
        result[field] = value.keepingFailures(of: own, shownAs: old)
      }
      return .object(result)
    case (.list(let elements), .list(let known), .list(let stored))
    where elements.count == known.count && elements.count == stored.count:
      return .list(
        elements.indices.map { elements[$0].keepingFailures(of: stored[$0], shownAs: known[$0]) })
    default: return self
    }
  }

  /// Indicates whether an element of a list in the value is null.
  var hasNullElements: Bool {
    switch self {
    case .object(let fields): fields.contains { $0.value.hasNullElements }
    case .list(let elements): elements.contains { $0 == .null || $0.hasNullElements }
    default: false
    }
  }
}

extension [CacheValue] {
  /// Returns the place that each element had in an older list, or `nil` for an element that is new.
  ///
  /// 1. An element that equals the older one at its place stays there.
  /// 2. Others are at the first place that is left with an equal element.
  /// 3. Edges are at the place of an edge of the same node.
  /// 4. Changed elements are at the place that is left with most values of theirs that no other one
  ///    has, such as a title, or an element if they are lists. At a tie, they stay at their place.
  /// 5. What is left has replaced the element at its place, if that is nowhere else now.
  fileprivate func sources(in old: [CacheValue]) -> [Int?] {
    var sources = [Int?](repeating: nil, count: count)
    var free = Set(old.indices)
    func take(_ source: Int, _ index: Int) {
      sources[index] = source
      free.remove(source)
    }
    for index in indices.prefix(old.count) where self[index] == old[index] { take(index, index) }
    var places = Dictionary(grouping: free.sorted(by: >)) { old[$0] }
    for index in indices where sources[index] == nil {
      if let source = places[self[index]]?.popLast() { take(source, index) }
    }
    var edges = Dictionary(
      free.sorted().compactMap { place in old[place].node.map { ($0, place) } },
      uniquingKeysWith: { first, _ in first })
    for index in indices where sources[index] == nil {
      if let node = self[index].node, let source = edges.removeValue(forKey: node) {
        take(source, index)
      }
    }
    for (index, source) in likelySources(indices.filter { sources[$0] == nil }, free, in: old)
    where sources[index] == nil && free.contains(source) { take(source, index) }
    for index in indices.prefix(old.count)
    where sources[index] == nil && free.contains(index)
      && !self[index].isEdgeOfAnotherNode(than: old[index])
    { take(index, index) }
    return sources
  }

  /// Returns pairs of elements and the older ones with which they share values that no other older
  /// one has. Pairs with most of them come first, then those at the same place.
  ///
  /// - Parameters:
  ///   - indices: The places of the elements.
  ///   - oldPlaces: The places of the older ones that are left.
  ///   - old: The older list.
  /// - Returns: The pairs. An element, or an older one, can be in several of them.
  private func likelySources(
    _ indices: [Int], _ oldPlaces: Set<Int>, in old: [CacheValue]
  ) -> [(index: Int, source: Int)] {
    guard !indices.isEmpty else { return [] }
    var owners: [FieldKey: [CacheValue: [Int]]] = [:]
    // Also of those that were found already: their values do not say which one an element is.
    for place in old.indices {
      for (field, value) in old[place].parts {
        owners[field, default: [:]][value, default: []].append(place)
      }
    }
    var pairs: [(index: Int, source: Int, count: Int)] = []
    for index in indices {
      var counts: [Int: Int] = [:]
      for (field, value) in self[index].parts {
        if let places = owners[field]?[value], places.count == 1, oldPlaces.contains(places[0]) {
          counts[places[0], default: 0] += 1
        }
      }
      for (source, count) in counts where !self[index].isEdgeOfAnotherNode(than: old[source]) {
        pairs.append((index, source, count))
      }
    }
    func rank(_ pair: (index: Int, source: Int, count: Int)) -> (Int, Int, Int, Int) {
      (-pair.count, pair.index == pair.source ? 0 : 1, pair.index, pair.source)
    }
    return pairs.sorted { rank($0) < rank($1) }.map { ($0.index, $0.source) }
  }
}

extension CacheValue {
  /// The fields of an object, or the different elements of a list as values of one field.
  fileprivate var parts: [(field: FieldKey, value: CacheValue)] {
    switch self {
    case .object(let fields): fields.map { (field: $0.key, value: $0.value) }
    case .list(let elements): Set(elements).map { (field: "element", value: $0) }
    default: []
    }
  }

  /// The record to which an edge refers.
  var node: RecordKey? {
    guard case .object(let fields) = self, case .reference(let node)? = fields[.node] else {
      return nil
    }
    return node
  }
}
