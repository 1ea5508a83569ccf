package import ApolloAPI

extension CacheValue {
  /// Creates the record value of a leaf, or of a list of leaves of depth `rank`.
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

  /// The leaf or the list of leaves as JSON, or `nil` if this value is neither.
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
