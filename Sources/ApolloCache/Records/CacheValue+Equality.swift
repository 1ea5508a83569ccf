internal import ApolloAPI

extension CacheValue {
  /// Returns whether both values are written alike: strings have the same bytes, and zeros the same
  /// sign. A cache must not lose a change between values that are merely equal.
  public static func == (lhs: CacheValue, rhs: CacheValue) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.bool(let lhs), .bool(let rhs)): lhs == rhs
    case (.int(let lhs), .int(let rhs)): lhs == rhs
    case (.double(let lhs), .double(let rhs)): lhs.bitPattern == rhs.bitPattern
    case (.string(let lhs), .string(let rhs)): lhs.hasSameBytes(as: rhs)
    case (.list(let lhs), .list(let rhs)): lhs == rhs
    case (.json(let lhs), .json(let rhs)): lhs.isIdentical(to: rhs)
    case (.object(let lhs), .object(let rhs)): lhs == rhs
    case (.reference(let lhs), .reference(let rhs)): lhs == rhs
    case (.failure(let lhs), .failure(let rhs)): lhs == rhs
    default: false
    }
  }
}
