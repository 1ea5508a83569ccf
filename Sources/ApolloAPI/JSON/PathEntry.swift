/// One entry of a path into a response.
public enum PathEntry: Hashable, Sendable {
  /// A response key: the alias of a field, or its name.
  case field(String)
  /// An index into a list, counted from 0.
  case index(Int)
}

extension PathEntry: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// A response key.
  public init(stringLiteral value: String) { self = .field(value) }
  /// An index.
  public init(integerLiteral value: Int) { self = .index(value) }
}

extension PathEntry: CustomStringConvertible {
  /// The key, or the index.
  public var description: String {
    switch self {
    case .field(let key): key
    case .index(let index): String(index)
    }
  }
}

extension Sequence<PathEntry> {
  /// The path with dots between its entries: `hero.friends.1.name`.
  public var dotted: String { map(\.description).joined(separator: ".") }
}

/// A position in a response: response keys and indices, from the root.
public typealias ResponsePath = [PathEntry]
