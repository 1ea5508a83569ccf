// Finds the elements of changed lists again, by comparing a model with the one that it was made
// from.

extension CacheValue {
  /// Returns a stored value with the elements of its lists at the places that they have here, or
  /// `nil` if none has moved. Objects without keys keep the fields that are not here.
  ///
  /// - Parameters:
  ///   - stored: The value in the cache, with fields that the model does not select.
  ///   - known: The value before the change.
  /// - Returns: The stored value, or `nil`.
  func rearranging(_ stored: CacheValue, from known: CacheValue) -> CacheValue? {
    switch (self, known, stored) {
    case (.object(let fields), .object(let known), .object(let stored)):
      var result = stored
      var isNew = false
      for (field, value) in fields {
        guard let old = known[field], let own = stored[field],
          let new = value.rearranging(own, from: old)
        else { continue }
        result[field] = new
        isNew = true
      }
      return isNew ? .object(result) : nil
    case (.list(let elements), .list(let known), .list(let stored))
    where stored.count == known.count && hasEmbeddedObjects:
      let sources = elements.sources(in: known)
      var isNew =
        sources.count != known.count || sources.enumerated().contains { $0.offset != $0.element }
      let result = zip(elements, sources).map { element, source in
        guard let source else { return element }
        guard let new = element.rearranging(stored[source], from: known[source]) else {
          return stored[source]
        }
        isNew = true
        return new
      }
      return isNew ? .list(result) : nil
    default: return nil
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
  ///    has, such as a title. At a tie, they stay at their place.
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
      guard case .object(let fields) = old[place] else { continue }
      for (field, value) in fields { owners[field, default: [:]][value, default: []].append(place) }
    }
    var pairs: [(index: Int, source: Int, count: Int)] = []
    for index in indices {
      guard case .object(let fields) = self[index] else { continue }
      var counts: [Int: Int] = [:]
      for (field, value) in fields {
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
  /// The record to which an edge refers.
  var node: RecordKey? {
    guard case .object(let fields) = self, case .reference(let node)? = fields[.node] else {
      return nil
    }
    return node
  }
}
