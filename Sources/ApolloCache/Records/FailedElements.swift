// Elements of lists that failed. A list has no keys for them: the known element at the index of a
// failure is the one that failed only if nothing has moved.

extension [CacheValue] {
  /// Returns whether an element that failed can be another one than the known one at its index.
  ///
  /// 1. A list of another length has changed at its end only if the last element that both lists
  ///    have is the same. Otherwise elements may have moved anywhere.
  /// 2. Other elements are the same if they are equal. Embedded objects change: they are others if
  ///    their types or nodes are. A failure can be any element.
  /// 3. An item that is new at its index was not the known one at the index of a failure.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  func mayHaveMoved(from known: [CacheValue]) -> Bool {
    let shared = Swift.min(count, known.count)
    if count != known.count {
      guard shared > 0, !self[shared - 1].isFailure, self[shared - 1] == known[shared - 1] else {
        return true
      }
    }
    if zip(self, known).contains(where: { $0.isOtherElement(than: $1) }) { return true }
    let arrived = Set(
      indices.lazy.filter { $0 >= shared || known[$0].isFailure }.compactMap { self[$0].itemKey })
    guard !arrived.isEmpty else { return false }
    return zip(self, known).contains { element, known in
      element.isFailure && known.itemKey.map(arrived.contains) ?? false
    }
  }
}

extension CacheValue {
  var isFailure: Bool { if case .failure = self { true } else { false } }

  /// The record of an item: of an object, or of the node of an edge.
  fileprivate var itemKey: RecordKey? {
    switch self {
    case .reference(let key): key
    case .object(let fields): if case .reference(let node)? = fields[.node] { node } else { nil }
    default: nil
    }
  }

  fileprivate func isOtherElement(than known: CacheValue) -> Bool {
    switch (self, known) {
    case (.failure, _), (_, .failure): false
    case (.object(let fields), .object(let others)):
      fields.isOfAnotherType(than: others) || isEdgeOfAnotherNode(than: known)
    case (.list(let elements), .list(let others)): elements.mayHaveMoved(from: others)
    default: self != known
    }
  }
}
