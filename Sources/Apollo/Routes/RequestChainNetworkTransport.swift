public import ApolloAPI
public import ApolloTransport
public import Foundation

/// A transport that sends operations over HTTP, with interceptors around each call.
///
/// ```swift
/// let transport = RequestChainNetworkTransport(
///   interceptorProvider: RetryingProvider(),
///   endpointURL: endpoint,
///   additionalHeaders: ["Authorization": "Bearer \(token)"])
/// let apollo = ApolloClient(networkTransport: transport)
/// ```
///
/// The HTTP interceptors run inside this transport. The GraphQL interceptors run in the client that
/// uses it, because they surround the cache as well.
public final class RequestChainNetworkTransport: UploadingNetworkTransport,
  SubscriptionNetworkTransport, InterceptingNetworkTransport
{
  /// The source of each operation's interceptors.
  public let interceptorProvider: any InterceptorProvider
  /// The meaning of a status that reports a failure, on a response with JSON.
  public let httpStatusPolicy: HTTPStatusPolicy
  private let link: HTTPLink
  private let usedInterceptors = UsedInterceptors()

  /// Creates a transport for one endpoint.
  ///
  /// - Parameters:
  ///   - client: The client that sends the HTTP requests, or `nil` for that of a
  ///     ``DefaultInterceptorProvider``, or else a `DefaultHTTPClient`.
  ///   - interceptorProvider: The source of each operation's interceptors.
  ///   - endpointURL: The URL of the GraphQL endpoint.
  ///   - additionalHeaders: The headers of every request.
  ///   - autoPersistQueries: `true` to send the hash of an operation's text first, and the text
  ///     only if the server does not know the hash.
  ///   - requestBodyCreator: The creator of the requests' bodies.
  ///   - sendOperationIdentifiers: `true` to send an operation's identifier instead of its text.
  ///   - useGETForQueries: `true` to send queries with GET, unless their URL is longer than
  ///     `maximumURLByteCount`.
  ///   - useGETForPersistedQueryRetry: `true` to send a query with GET after the server has
  ///     rejected its hash.
  ///   - maximumURLByteCount: The longest URL of a GET request. A query whose URL would be longer
  ///     is sent with POST.
  ///   - subscriptionFormat: The format in which the server sends the events of subscriptions.
  ///   - clientAwareness: The name and the version of the program, sent with every request.
  ///   - httpStatusPolicy: The meaning of a status that reports a failure, on a response with JSON.
  ///     The steps of a ``RequestChain`` decide by themselves.
  public init(
    client: (any HTTPClient)? = nil,
    interceptorProvider: any InterceptorProvider = DefaultInterceptorProvider.shared,
    endpointURL: URL,
    additionalHeaders: [String: String] = [:],
    autoPersistQueries: Bool = false,
    requestBodyCreator: any RequestCreator = ApolloRequestCreator(),
    sendOperationIdentifiers: Bool = false,
    useGETForQueries: Bool = false,
    useGETForPersistedQueryRetry: Bool = false,
    maximumURLByteCount: Int = 4_096,
    subscriptionFormat: HTTPSubscriptionFormat = .multipart,
    clientAwareness: ClientAwareness = .mainBundle,
    httpStatusPolicy: HTTPStatusPolicy = .strict
  ) {
    self.httpStatusPolicy = httpStatusPolicy
    self.interceptorProvider = interceptorProvider
    var factory = HTTPRequestFactory(endpoint: endpointURL)
    factory.additionalHeaders = additionalHeaders
    factory.sendsOperationIdentifiers = sendOperationIdentifiers
    factory.usesGETForQueries = useGETForQueries
    factory.usesGETForPersistedQueryRetry = useGETForPersistedQueryRetry
    factory.maximumURLByteCount = maximumURLByteCount
    factory.subscriptionFormat = subscriptionFormat
    factory.awareness = clientAwareness
    if !(requestBodyCreator is ApolloRequestCreator) { factory.requestCreator = requestBodyCreator }
    link = HTTPLink(
      factory,
      client: client ?? interceptorProvider._transportClient ?? DefaultHTTPClient(),
      persistsQueries: autoPersistQueries, statusPolicy: httpStatusPolicy,
      interceptors: { [usedInterceptors] in
        let interceptors = interceptorProvider.httpInterceptors(for: $0)
        usedInterceptors.note(interceptors)
        return interceptors
      })
  }

  /// The URL of the GraphQL endpoint.
  public var endpointURL: URL? { link.factory.endpoint }

  /// The format in which the server sends the events of subscriptions.
  public var subscriptionFormat: HTTPSubscriptionFormat { link.factory.subscriptionFormat }

  /// The deadline of the client's `TransferLimits`.
  public var callTimeLimit: Duration? { link.timeLimit }

  /// Returns ``interceptorProvider``.
  public func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
    interceptorProvider
  }

  /// Returns ``interceptorProvider``, and the means of the steps of a ``RequestChain``.
  public func _interceptors(
    for type: GraphQLOperationType, hasFiles: Bool
  ) -> (any _InterceptorsOfTransport)? {
    TransportInterceptors(provider: interceptorProvider, sending: .requests(link))
  }

  /// Sends a query or a mutation through the HTTP interceptors and returns the response.
  public func send(_ request: OperationRequest) async throws -> NetworkResponse {
    try await link.response(to: request)
  }

  /// Sends an operation through the HTTP interceptors and returns its responses: several for a
  /// subscription, or if the server sends the response in parts.
  public func responses(to request: OperationRequest) -> NetworkResponses {
    link.responses(to: request)
  }

  /// Sends an operation with files through the HTTP interceptors and returns the response.
  public func upload(
    _ request: OperationRequest, files: [GraphQLFile]
  ) async throws -> NetworkResponse {
    try await link.response(to: request.with(files))
  }
}

extension RequestChainNetworkTransport {
  /// ``callTimeLimit``, or more time than there is: if the program has turned the limit off,
  /// interceptors have none either.
  public func _timeLimit(for type: GraphQLOperationType, hasFiles: Bool) -> Duration? {
    callTimeLimit ?? .seconds(Int64.max)
  }

  /// `true`.
  public var _sharesExchanges: Bool { true }

  /// Lets the HTTP interceptors forget what belongs to the user: those that requests have used, and
  /// those that the provider has for operations of each type.
  public func _endSession() {
    let operations: [any GraphQLOperation] = [
      EndOfSession(), EndOfSessionMutation(), EndOfSessionSubscription(),
    ]
    let interceptors = operations.flatMap { interceptorProvider.httpInterceptors(for: $0) }
    for interceptor in interceptors + usedInterceptors.all { interceptor._endSession() }
  }
}

/// The interceptors that the requests of a transport have used. A provider may have several, for
/// operations that nothing else knows.
///
/// Objects alone are remembered, each for as long as the program has it. Values have no identity:
/// the provider is asked for them again.
///
/// Isolation: the references are behind a lock. Interceptors are called and released outside of it.
private final class UsedInterceptors: Sendable {
  private typealias Object = any HTTPInterceptor & AnyObject

  private struct Reference: Sendable {
    weak var object: Object?
  }

  private let references = Lock<[ObjectIdentifier: Reference]>([:])

  /// Remembers the objects among the interceptors of an operation.
  func note(_ interceptors: [any HTTPInterceptor]) {
    // Apple's platforms convert every value to an object.
    for new in interceptors where type(of: new) is AnyClass {
      guard let object = new as? Object else { continue }
      let known: [Object] = references.withLock { references in
        guard references[ObjectIdentifier(object)]?.object == nil else { return [] }
        let known = references.values.compactMap(\.object)
        references = [:]
        for object in known + [object] {
          references[ObjectIdentifier(object)] = Reference(object: object)
        }
        return known
      }
      withExtendedLifetime(known) {}
    }
  }

  var all: [any HTTPInterceptor] { references.get().values.compactMap(\.object) }
}

/// An operation for which a provider is asked for its interceptors when a session ends. It is never
/// sent.
private struct EndOfSession: GraphQLQuery {
  struct Data: RootSelectionSet, RootModelValue {
    typealias Schema = EmptySchema
    private let __storage: GeneratedCode.ResponseObject
    static let __layout = EndOfSession.__selections[0]
  }

  enum EmptySchema: SchemaMetadata {
    static let configuration: any SchemaConfiguration.Type = Configuration.self
    static let types = SchemaTypes()

    enum Configuration: SchemaConfiguration {
      static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
    }
  }

  static let operationName = "EndOfSession"
  static let operationDocument = OperationDocument(
    definition: .init("query EndOfSession { __typename }"))
  static let __selections = Selections("Query {__typename String!}")
}

/// The same for mutations.
private struct EndOfSessionMutation: GraphQLMutation {
  typealias Data = EndOfSession.Data
  static let operationName = EndOfSession.operationName
  static let operationDocument = EndOfSession.operationDocument
  static let __selections = EndOfSession.__selections
}

/// The same for subscriptions.
private struct EndOfSessionSubscription: GraphQLSubscription {
  typealias Data = EndOfSession.Data
  static let operationName = EndOfSession.operationName
  static let operationDocument = EndOfSession.operationDocument
  static let __selections = EndOfSession.__selections
}
