/// Where a result comes from.
public enum ResultSource: Hashable, Sendable {
  /// The local cache.
  case cache
  /// The server.
  case server
}

/// What an operation was answered: data, errors, or both.
public struct GraphQLResponse<Operation: GraphQLOperation>: Sendable, Hashable {
  /// The data, or `nil` when the operation failed as a whole.
  public var data: Operation.Data?
  /// What went wrong, or `nil` when nothing did.
  public var errors: [GraphQLError]?
  /// Anything else that the server adds.
  public var extensions: [String: JSONValue]?
  /// Where the data comes from.
  public var source: ResultSource
  /// The HTTP response, or `nil` when there was none, such as for cached data.
  public var http: HTTPDetails?

  /// A response with the given parts.
  public init(
    data: Operation.Data?, errors: [GraphQLError]? = nil, extensions: [String: JSONValue]? = nil,
    source: ResultSource, http: HTTPDetails? = nil
  ) {
    self.data = data
    self.errors = errors
    self.extensions = extensions
    self.source = source
    self.http = http
  }
}

extension GraphQLResult: Equatable where Data: Equatable {}
extension GraphQLResult: Hashable where Data: Hashable {}

// MARK: - Errors by place

extension GraphQLResponse {
  /// The errors about a place of the data, or about one inside of it: `response.errors(at: "hero", "friends", 0)`.
  ///
  /// Models know the errors of their own fields: see ``SelectionSet/errors(for:)``.
  ///
  /// - Parameter path: response keys and indices, from the root.
  /// - Returns: the errors in the order of the response.
  public func errors(at path: PathEntry...) -> [GraphQLError] {
    (errors ?? []).filter { $0.isAbout(path) }
  }
}

extension GraphQLResult {
  /// The errors about a place of the data, or about one inside of it: `result.errors(at: "hero", "friends", 0)`.
  ///
  /// Models know the errors of their own fields: see ``SelectionSet/errors(for:)``.
  ///
  /// - Parameter path: response keys and indices, from the root.
  /// - Returns: the errors in the order of the response.
  public func errors(at path: PathEntry...) -> [GraphQLError] {
    (errors ?? []).filter { $0.isAbout(path) }
  }
}

extension GraphQLError {
  fileprivate func isAbout(_ position: [PathEntry]) -> Bool { path?.starts(with: position) == true }
}

/// The status and the headers that an answer came with.
public struct HTTPDetails: Hashable, Sendable {
  /// The status, such as 200.
  public var statusCode: Int
  /// The headers, by lower-case name.
  public var headers: [String: String]

  /// Status and headers.
  public init(statusCode: Int, headers: [String: String]) {
    self.statusCode = statusCode
    self.headers = Dictionary(
      headers.sorted { $0.key < $1.key }.map { ($0.key.lowercased(), $0.value) },
      uniquingKeysWith: { "\($0), \($1)" })
  }
}

/// What an operation was answered, as callbacks receive it.
public struct GraphQLResult<Data: RootSelectionSet>: Sendable {
  /// The data, or `nil` when the operation failed as a whole.
  public var data: Data?
  /// What went wrong, or `nil` when nothing did.
  public var errors: [GraphQLError]?
  /// Anything else that the server adds.
  public var extensions: [String: JSONValue]?
  /// Where the data comes from.
  public var source: Source
  /// The HTTP response, or `nil` when there was none, such as for cached data.
  public var http: HTTPDetails?

  /// Where a result comes from.
  public typealias Source = ResultSource

  /// A result with the given parts.
  public init(
    data: Data?, errors: [GraphQLError]? = nil, extensions: [String: JSONValue]? = nil,
    source: Source, http: HTTPDetails? = nil
  ) {
    self.data = data
    self.errors = errors
    self.extensions = extensions
    self.source = source
    self.http = http
  }

  /// The parts of a response.
  public init<Operation: GraphQLOperation>(_ response: GraphQLResponse<Operation>)
  where Operation.Data == Data {
    self.init(
      data: response.data, errors: response.errors, extensions: response.extensions,
      source: response.source, http: response.http)
  }
}
