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

extension GraphQLError: CustomStringConvertible {
  /// The message, and where in the response it belongs.
  public var description: String {
    guard let path, !path.isEmpty else { return message }
    return "\(message) (at \(path.dotted))"
  }
}
