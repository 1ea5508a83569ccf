package import ApolloAPI

extension CacheValue {
  /// What a record keeps of a leaf, or of lists of leaves that are `rank` deep.
  package init(leaf value: JSONValue, rank: Int) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .array(let elements) where rank > 0:
      self = .list(elements.map { CacheValue(leaf: $0, rank: rank - 1) })
    case .array, .object, .decimal: self = .json(value)
    }
  }

  /// The leaf, or the lists of leaves, as a server would send it; nil if this is not one.
  package var leaf: JSONValue? {
    switch self {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .double(let value): return .double(value)
    case .string(let value): return .string(value)
    case .json(let value): return value
    case .list(let elements):
      let leaves = elements.compactMap(\.leaf)
      return leaves.count == elements.count ? .array(leaves) : nil
    case .object, .reference, .failure: return nil
    }
  }
}
