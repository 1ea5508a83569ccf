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
  /// 4. What is left has replaced the element at its place, if that is nowhere else now.
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
    for index in indices.prefix(old.count)
    where sources[index] == nil && free.contains(index)
      && !self[index].isEdgeOfAnotherNode(than: old[index])
    { take(index, index) }
    return sources
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
