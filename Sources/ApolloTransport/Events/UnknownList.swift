extension CallEvent {
  /// A list that a directive such as `@appendNode` names, and that is not in the cache. The
  /// directive has changed nothing.
  public struct UnknownList: Hashable, Sendable {
    /// The reason that a list is not in the cache.
    public enum Reason: Hashable, Sendable {
      /// The text is no identifier of a list.
      case noIdentifier
      /// No query has fetched the list.
      case notFetched
      /// The field is no connection that the cache merges.
      case noConnection
      /// Arguments with these names select no list of the field.
      case otherArguments([String])
    }

    /// The name of the field, or a text that is no identifier, which may contain secrets.
    public let name: String
    /// The reason.
    public let reason: Reason

    package init(name: String, reason: Reason) {
      self.name = name
      self.reason = reason
    }
  }
}

extension CallEvent.UnknownList: CustomStringConvertible {
  /// A clause that says what is wrong, without values of arguments.
  public var description: String {
    switch reason {
    case .noIdentifier: "a text is no identifier of a list"
    case .notFetched: "the list of '\(name)' is not in the cache"
    case .noConnection: "'\(name)' is no merged connection"
    case .otherArguments(let names):
      "no list of '\(name)' is selected by \(names.map { "'\($0)'" }.joined(separator: ", "))"
    }
  }
}
