/// The value of a mock's field, as a tree.
enum MockContents {
  case null
  case leaf(JSONValue)
  case mock(any AnyMock)
  case list([MockContents])

  /// Classifies a value.
  ///
  /// The types of generated mocks allow scalars, enums, mocks and lists of these; other values
  /// trap.
  init(_ value: Any?) {
    switch value {
    case nil: self = .null
    case let mock as any AnyMock: self = .mock(mock)
    case let leaf as any LeafElement: self = .leaf(leaf._jsonValue)
    case let elements as [Any?]: self = .list(elements.map(MockContents.init))
    case let value?: preconditionFailure("A mock cannot hold a value of type \(type(of: value)).")
    }
  }
}

/// A comparison of two mocks that may contain each other.
struct MockComparison {
  private struct Pair: Hashable {
    let lhs: ObjectIdentifier
    let rhs: ObjectIdentifier
  }
  /// The pairs whose comparison has begun. Each pair is compared once, so cycles end.
  private var visited: Set<Pair> = []

  mutating func areEqual(_ lhs: any AnyMock, _ rhs: any AnyMock) -> Bool {
    guard lhs !== rhs else { return true }
    let pair = Pair(lhs: ObjectIdentifier(lhs), rhs: ObjectIdentifier(rhs))
    guard visited.insert(pair).inserted else { return true }
    guard lhs.__typename == rhs.__typename, Set(lhs._keys) == Set(rhs._keys) else { return false }
    for key in lhs._keys {
      let (left, right) = (lhs._value(forKey: key), rhs._value(forKey: key))
      guard areEqual(MockContents(left), MockContents(right)) else { return false }
    }
    return true
  }

  private mutating func areEqual(_ lhs: MockContents, _ rhs: MockContents) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): return true
    case (.leaf(let left), .leaf(let right)): return left == right
    case (.mock(let left), .mock(let right)): return areEqual(left, right)
    case (.list(let left), .list(let right)):
      guard left.count == right.count else { return false }
      for (left, right) in zip(left, right) where !areEqual(left, right) { return false }
      return true
    default: return false
    }
  }
}
