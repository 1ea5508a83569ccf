/// An error that a server reports in a response, beside the data.
public struct GraphQLError: Error, Hashable, Sendable {
  /// What went wrong, for developers.
  public let message: String
  /// Where in the operation's text; `nil` when the server does not say.
  public let locations: [Location]?
  /// Where in the response; `nil` when the error is about the whole operation.
  public let path: [PathEntry]?
  /// Anything else that the server adds.
  public let extensions: [String: JSONValue]?

  /// A place in the operation's text. Both count from 1.
  public struct Location: Hashable, Sendable {
    /// The line.
    public let line: Int
    /// The column.
    public let column: Int

    /// A place in a text.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// An error with the given parts.
  public init(
    message: String, locations: [Location]? = nil, path: [PathEntry]? = nil,
    extensions: [String: JSONValue]? = nil
  ) {
    self.message = message
    self.locations = locations
    self.path = path
    self.extensions = extensions
  }

  /// The extension named `key`, such as `code`.
  public subscript(key: String) -> JSONValue? { extensions?[key] }
}

/// One step of a path into a response.
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
  /// The path as people write it: `hero.friends.1.name`.
  public var dotted: String { map(\.description).joined(separator: ".") }
}

extension GraphQLError: CustomStringConvertible {
  /// The message, and where in the response it belongs.
  public var description: String {
    guard let path, !path.isEmpty else { return message }
    return "\(message) (at \(path.dotted))"
  }
}
