public import protocol Foundation.LocalizedError

/// An error that a server reports in a response, beside the data.
///
/// ```swift
/// for error in response.errors ?? [] where error["code"] == "UNAUTHENTICATED" { logIn() }
/// ```
public struct GraphQLError: Error, Hashable, Sendable {
  /// The description of the error, for developers.
  public let message: String
  /// The locations in the operation's text; `nil` when the server sends none.
  public let locations: [Location]?
  /// The path in the response; `nil` for an error of the whole operation.
  public let path: [PathEntry]?
  /// Further information from the server.
  public let extensions: [String: JSONValue]?

  /// A location in the operation's text. Lines and columns count from 1.
  public struct Location: Hashable, Sendable {
    /// The line.
    public let line: Int
    /// The column.
    public let column: Int

    /// Creates a location.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// Creates an error.
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

extension GraphQLError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The message and the path, and the way to use a server that does not know `@defer` or
  /// `@stream`.
  public var description: String {
    guard let path, !path.isEmpty else {
      return unknownDirectiveAdvice.map { "\(message) (\($0))" } ?? message
    }
    return "\(message) (at \(path.dotted))"
  }

  /// The advice about a server that rejects a directive of incremental delivery, or `nil` if the
  /// error does not say so. Servers word that in many ways, but all of them name the directive.
  package var unknownDirectiveAdvice: String? {
    guard path == nil else { return nil }
    let words = message.lowercased().split { !$0.isLetter }
    guard words.contains(where: { $0.hasPrefix("directive") || $0 == "unknowndirective" }),
      let name = ["defer", "stream"].first(where: { words.contains($0[...]) })
    else { return nil }
    return "The server has no incremental delivery, or it is turned off there: turn it on, or "
      + "remove '@\(name)' from the operation; see the article “Deferred fragments”."
  }
}
