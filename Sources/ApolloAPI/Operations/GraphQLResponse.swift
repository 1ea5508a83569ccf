/// The source of a result.
public enum ResultSource: Hashable, Sendable {
  /// The local cache.
  case cache
  /// The server.
  case server
}

/// The response to an operation: data, errors, or both.
///
/// ```swift
/// let response = try await client.fetch(query: HeroQuery())
/// if let hero = response.data?.hero { print(hero.name) }
/// for error in response.errors ?? [] { print(error.message) }
/// ```
///
/// Equality compares data, errors, extensions, source, HTTP details and what is missing.
public struct GraphQLResponse<Operation: GraphQLOperation>: Sendable {
  /// The content, as callbacks receive it.
  @usableFromInline package var result: GraphQLResult<Operation.Data>

  /// Creates a response.
  public init(
    data: Operation.Data?, errors: [GraphQLError]? = nil, extensions: [String: JSONValue]? = nil,
    source: ResultSource, http: HTTPDetails? = nil
  ) {
    result = GraphQLResult(
      data: data, errors: errors, extensions: extensions, source: source, http: http)
  }

  /// Creates a response with the content of a result.
  @usableFromInline
  package init(_ result: GraphQLResult<Operation.Data>) { self.result = result }
}

extension GraphQLResponse {
  /// The data, or `nil` when the operation failed as a whole.
  @inlinable
  public var data: Operation.Data? {
    get { result.data }
    set { result.data = newValue }
  }

  /// The errors; `nil` when there are none.
  public var errors: [GraphQLError]? {
    get { result.errors }
    set { result.errors = newValue }
  }

  /// Further information from the server.
  public var extensions: [String: JSONValue]? {
    get { result.extensions }
    set { result.extensions = newValue }
  }

  /// The source of the data.
  public var source: ResultSource {
    get { result.source }
    set { result.source = newValue }
  }

  /// The HTTP response; `nil` when there was none, such as for cached data.
  public var http: HTTPDetails? {
    get { result.http }
    set { result.http = newValue }
  }

  /// The age of the data, or `nil` if the store does not track it. For data of the server, the time
  /// at which it expires in the cache.
  public var freshness: ResponseFreshness? { result.freshness }

  /// The paths of the values that the cache does not have and for which the data has `nil`. Empty
  /// unless the call asks for partial data, and at most 64.
  public var missing: [ResponsePath] { result.missing }

  /// `true` unless some of the data is missing in the cache and `nil` for that reason.
  public var isComplete: Bool { result.isComplete }
}

extension GraphQLResult {
  /// `true` unless some of the data is missing in the cache and `nil` for that reason.
  public var isComplete: Bool { missing.isEmpty }
}

// MARK: - Equality

extension GraphQLResponse: Hashable {
  /// Returns whether everything but the dependencies in the cache and the age is equal.
  public static func == (left: Self, right: Self) -> Bool { left.result == right.result }

  /// Hashes everything but the dependencies in the cache and the age.
  public func hash(into hasher: inout Hasher) { result.hash(into: &hasher) }
}

/// The fields of the cache that the data of a response consists of.
///
/// A protocol although `ReadingTrace` alone conforms: that is in a module above this one.
package protocol ResponseDependencies: Sendable {}

extension GraphQLResult: Equatable where Data: Equatable {
  /// Returns whether everything but the dependencies in the cache and the age is equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.data == right.data && left.errors == right.errors && left.extensions == right.extensions
      && left.source == right.source && left.http == right.http && left.missing == right.missing
  }
}

extension GraphQLResult: Hashable where Data: Hashable {
  /// Hashes everything but the dependencies in the cache and the age.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(data)
    hasher.combine(errors)
    hasher.combine(extensions)
    hasher.combine(source)
    hasher.combine(http)
    hasher.combine(missing)
  }
}

// MARK: - Looking at a response

extension GraphQLResponse: CustomReflectable {
  /// A mirror with a child for each property.
  public var customMirror: Mirror {
    Mirror(self, children: result.customMirror.children, displayStyle: .struct)
  }
}

extension GraphQLResult: CustomReflectable {
  /// A mirror with a child for each property.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "data": data as Any, "errors": errors as Any, "extensions": extensions as Any,
        "source": source, "http": http as Any, "freshness": freshness as Any, "missing": missing,
      ], displayStyle: .struct)
  }
}

// MARK: - Errors by path

extension GraphQLResponse {
  /// Returns the errors at a path of the data or below it: `response.errors(at: "hero", "friends",
  /// 0)`.
  ///
  /// Models give the errors of their own fields: see ``SelectionSet/errors(for:)``.
  ///
  /// - Parameter path: Response keys and indices, from the root.
  /// - Returns: The errors in the order of the response.
  public func errors(at path: PathEntry...) -> [GraphQLError] { result.errors(below: path) }
}

extension GraphQLResult {
  /// Returns the errors at a path of the data or below it: `result.errors(at: "hero", "friends",
  /// 0)`.
  ///
  /// Models give the errors of their own fields: see ``SelectionSet/errors(for:)``.
  ///
  /// - Parameter path: Response keys and indices, from the root.
  /// - Returns: The errors in the order of the response.
  public func errors(at path: PathEntry...) -> [GraphQLError] { errors(below: path) }

  fileprivate func errors(below position: [PathEntry]) -> [GraphQLError] {
    (errors ?? []).filter { $0.path?.starts(with: position) == true }
  }
}

/// The status and the headers of an HTTP response.
public struct HTTPDetails: Hashable, Sendable {
  /// The status, such as 200.
  public var statusCode: Int
  /// Most programs do not ask for the headers, so a dictionary of them is made when one does.
  private var fields: [HTTPField]

  /// The headers by lower-case name. Values of equal names are joined by commas.
  public var headers: [String: String] {
    get {
      Dictionary(fields.lazy.map { ($0.lowercaseName, $0.value) }) { "\($0), \($1)" }
    }
    set { fields = newValue.map { HTTPField(name: $0.key, value: $0.value) } }
  }

  /// Creates the details of a response. Values of equal header names are joined by commas.
  public init(statusCode: Int, headers: [String: String]) {
    self.statusCode = statusCode
    fields = headers.sorted { $0.key < $1.key }.map { HTTPField(name: $0.key, value: $0.value) }
  }

  /// Creates the details of a response with fields in the order of their arrival.
  package init(statusCode: Int, fields: [HTTPField]) {
    self.statusCode = statusCode
    self.fields = fields
  }

  /// Returns whether the status and the headers by name are equal, whatever their order.
  public static func == (left: Self, right: Self) -> Bool {
    left.statusCode == right.statusCode && left.headers == right.headers
  }

  /// Hashes the status and the headers by name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(statusCode)
    hasher.combine(headers)
  }
}

/// A header field of a response.
package struct HTTPField: Hashable, Sendable {
  package let name: String
  package let value: String
  /// Made once, because every field of every response is compared with several names.
  package let lowercaseName: String

  package init(name: String, value: String) {
    self.init(name: name, lowercaseName: name.lowercased(), value: value)
  }

  package init(name: String, lowercaseName: String, value: String) {
    self.name = name
    self.lowercaseName = lowercaseName
    self.value = value
  }
}

/// The response to an operation, for callbacks.
public struct GraphQLResult<Data: RootSelectionSet>: Sendable {
  /// The errors; `nil` when there are none.
  public var errors: [GraphQLError]?
  /// Further information from the server.
  public var extensions: [String: JSONValue]?
  /// The source of the data.
  public var source: Source
  /// The HTTP response; `nil` when there was none, such as for cached data.
  public var http: HTTPDetails?
  /// The fields of the cache that the data consists of, if the response was read from the cache or
  /// written to it.
  package var dependencies: (any ResponseDependencies)?
  /// The age of the data, or `nil` if the store does not track it. For data of the server, the time
  /// at which it expires in the cache.
  public package(set) var freshness: ResponseFreshness?
  /// The paths of the values that the cache does not have and for which the data has `nil`. Empty
  /// unless the call asks for partial data, and at most 64.
  public package(set) var missing: [ResponsePath] = []
  /// The object that the data shows. The size of a result does not depend on its operation, so that
  /// code that is not specialized copies it without looking up its type.
  @usableFromInline var object: ResponseObject?
  /// The contents of a mutation's response that `@throwOnFieldError` or `@required` have changed,
  /// as the server has sent them. Those of queries would stay in memory as long as their data.
  @usableFromInline var received: ReceivedContents?

  /// The source of a result.
  public typealias Source = ResultSource

  /// The data, or `nil` when the operation failed as a whole.
  @inlinable
  public var data: Data? {
    get { object.map(Data.init(__object:)) }
    set { object = newValue?.__object }
  }

  /// The data and the errors of a mutation without the effects of `@throwOnFieldError` and
  /// `@required`: they show what the server has done.
  ///
  /// Properties of this data can be null although the operation promises values.
  package var asReceived: (data: Data?, errors: [GraphQLError]?) {
    guard let received else { return (data, errors) }
    return (Data(__object: received.object), received.errors)
  }

  /// Creates a result.
  public init(
    data: Data?, errors: [GraphQLError]? = nil, extensions: [String: JSONValue]? = nil,
    source: Source, http: HTTPDetails? = nil
  ) {
    self.init(object: data?.__object, errors, extensions, source, http)
  }

  /// Creates a result with the object of its data.
  @usableFromInline
  init(
    object: ResponseObject?, _ errors: [GraphQLError]?, _ extensions: [String: JSONValue]?,
    _ source: Source, _ http: HTTPDetails? = nil
  ) {
    self.object = object
    self.errors = errors
    self.extensions = extensions
    self.source = source
    self.http = http
  }

  /// Creates a result from a response.
  public init<Operation: GraphQLOperation>(_ response: GraphQLResponse<Operation>)
  where Operation.Data == Data { self = response.result }
}
