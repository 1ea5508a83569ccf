internal import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// A transport that sends operations over HTTP, with a delegate that can observe and change them.
///
/// ```swift
/// let transport = HTTPNetworkTransport(url: url, delegate: self)
/// let apollo = ApolloClient(networkTransport: transport)
/// ```
///
/// Isolation: the settings that can change are behind a lock; requests take a copy when they begin.
public final class HTTPNetworkTransport: UploadingNetworkTransport, SubscriptionNetworkTransport {
  /// The action after a failed request.
  public enum ContinueAction: Sendable {
    /// Sends the operation again, as if it was new.
    case retry
    /// Fails the call with this error.
    case fail(_ error: any Error)
  }

  private struct Settings {
    weak var delegate: (any HTTPNetworkTransportDelegate)?
    var awareness = ClientAwareness.mainBundle
    var subscriptionFormat = HTTPSubscriptionFormat.multipart
    var httpStatusPolicy = HTTPStatusPolicy.strict
    var maximumURLByteCount = HTTPRequestFactory.defaultMaximumURLByteCount
  }

  private let link: HTTPLink
  private let settings = Lock(Settings())

  /// Creates a transport for one endpoint.
  ///
  /// - Parameters:
  ///   - url: The URL of the GraphQL endpoint.
  ///   - client: The client that sends the HTTP requests.
  ///   - sendOperationIdentifiers: `true` to send an operation's identifier, as the member `id`, in
  ///     place of its text. The code must have been generated with identifiers. For the form of
  ///     persisted queries, use a `RequestChainNetworkTransport`.
  ///   - useGETForQueries: `true` to send queries with GET. Mutations always use POST, and so do
  ///     queries whose URL is longer than 4096 bytes.
  ///   - enableAutoPersistedQueries: `true` to send the hash of an operation's text first, and the
  ///     text only if the server does not know the hash.
  ///   - useGETForPersistedQueryRetry: `true` to send a query with GET after the server has
  ///     rejected its hash.
  ///   - delegate: The delegate, which is not retained.
  ///   - requestCreator: The creator of the requests' bodies.
  ///   - additionalHeaders: The headers of every request.
  public init(
    url: URL,
    client: any HTTPClient = DefaultHTTPClient(),
    sendOperationIdentifiers: Bool = false,
    useGETForQueries: Bool = false,
    enableAutoPersistedQueries: Bool = false,
    useGETForPersistedQueryRetry: Bool = false,
    delegate: (any HTTPNetworkTransportDelegate)? = nil,
    requestCreator: any RequestCreator = ApolloRequestCreator(),
    additionalHeaders: [String: String] = [:]
  ) {
    var factory = HTTPRequestFactory(endpoint: url)
    factory.additionalHeaders = additionalHeaders
    factory.usesGETForQueries = useGETForQueries
    factory.sendsOperationIdentifiers = sendOperationIdentifiers
    factory.identifierForm = .topLevelIdentifier
    if !(requestCreator is ApolloRequestCreator) { factory.requestCreator = requestCreator }
    factory.usesGETForPersistedQueryRetry = useGETForPersistedQueryRetry
    link = HTTPLink(factory, client: client, persistsQueries: enableAutoPersistedQueries)
    settings.withLock { $0.delegate = delegate }
  }

  /// The delegate, which is not retained.
  public var delegate: (any HTTPNetworkTransportDelegate)? {
    get { settings.withLock { $0.delegate } }
    set { settings.withLock { $0.delegate = newValue } }
  }

  /// The URL of the GraphQL endpoint.
  public var endpointURL: URL? { link.factory.endpoint }

  /// The deadline of the client's ``TransferLimits``.
  public var callTimeLimit: Duration? { link.timeLimit }

  /// The program's name, for the server's statistics. By default the main bundle's identifier.
  public var clientName: String? {
    get { settings.withLock { $0.awareness.name } }
    set { settings.withLock { $0.awareness.name = newValue } }
  }

  /// The program's version, for the server's statistics. By default the main bundle's.
  public var clientVersion: String? {
    get { settings.withLock { $0.awareness.version } }
    set { settings.withLock { $0.awareness.version = newValue } }
  }

  /// `true` to send the name and the version of this library in the bodies of requests. `true` by
  /// default.
  public var sendsLibraryVersion: Bool {
    get { settings.withLock { $0.awareness.includesLibrary } }
    set { settings.withLock { $0.awareness.includesLibrary = newValue } }
  }

  /// The format in which the server sends the events of subscriptions. By default multipart HTTP.
  public var subscriptionFormat: HTTPSubscriptionFormat {
    get { settings.withLock { $0.subscriptionFormat } }
    set { settings.withLock { $0.subscriptionFormat = newValue } }
  }

  /// The meaning of a status that reports a failure, on a response with JSON. By default, such a
  /// response fails.
  public var httpStatusPolicy: HTTPStatusPolicy {
    get { settings.withLock { $0.httpStatusPolicy } }
    set { settings.withLock { $0.httpStatusPolicy = newValue } }
  }

  /// The longest URL of a GET request. A query whose URL would be longer is sent by POST.
  ///
  /// By default 4096 bytes, because many servers refuse longer ones.
  public var maximumURLByteCount: Int {
    get { settings.withLock { $0.maximumURLByteCount } }
    set { settings.withLock { $0.maximumURLByteCount = newValue } }
  }

  /// Sends one query or mutation, by way of the delegate, and waits for the response.
  public func send(_ request: OperationRequest) async throws -> NetworkResponse {
    try await link.response(to: request, self)
  }

  /// Sends one operation with files, by way of the delegate, and waits for the response.
  public func upload(
    _ request: OperationRequest, files: [GraphQLFile]
  ) async throws -> NetworkResponse {
    try await link.response(to: request.with(files), self)
  }

  /// Sends one operation, by way of the delegate, and returns its responses: several for a
  /// subscription, or if the server sends the response in parts.
  ///
  /// The delegate can retry a request until its first response has arrived. It is not notified of
  /// the completion of responses in parts.
  public func responses(to request: OperationRequest) -> NetworkResponses {
    link.responses(to: request, self)
  }

  /// `true` if calls wait for nothing but the client, which ends them at their deadline.
  public var _keepsDeadlines: Bool { link.client._keepsDeadlines && delegate == nil }

  /// `true` if subscriptions wait for nothing but the client, which ends them with their session.
  public var _endsSubscriptions: Bool { _keepsDeadlines }
}

// MARK: - The delegate

extension HTTPNetworkTransport: AttemptHooks {
  /// Makes the request of one attempt, with the settings of the moment.
  package func request(
    for request: OperationRequest, _ form: OperationMessage.DocumentForm
  ) throws -> _OutgoingRequest {
    var factory = link.factory
    let settings = settings.get()
    factory.awareness = settings.awareness
    factory.subscriptionFormat = settings.subscriptionFormat
    factory.maximumURLByteCount = settings.maximumURLByteCount
    let outgoing = try factory.outgoingRequest(for: request, form)
    guard let delegate = delegate as? any HTTPNetworkTransportPreflightDelegate else {
      return outgoing
    }
    var urlRequest = outgoing.whole
    try RequestLocals().hidden {
      guard delegate.networkTransport(self, shouldSend: urlRequest) else {
        throw GraphQLHTTPRequestError.cancelledByDelegate
      }
      delegate.networkTransport(self, willSend: &urlRequest)
    }
    try HeaderField.check(urlRequest)
    return outgoing.replacing(urlRequest)
  }

  /// Reports the end of a request.
  package func reportCompletion(
    of request: _OutgoingRequest, response: HTTPResponse?, error: (any Error)?
  ) {
    guard let delegate = delegate as? any HTTPNetworkTransportTaskCompletedDelegate else { return }
    RequestLocals().hidden {
      delegate.networkTransport(
        self, didCompleteRawTaskForRequest: request.whole, withData: response?.readBody,
        response: response?.response, error: error)
    }
  }

  /// Asks the delegate about a failed request. Returns if the operation is to be sent again.
  ///
  /// - Throws: `error`, or the delegate's own one.
  package func decide(
    _ operation: OperationRequest, after error: any Error, of request: _OutgoingRequest,
    response: HTTPURLResponse?
  ) async throws {
    guard let delegate = delegate as? any HTTPNetworkTransportRetryDelegate else { throw error }
    let action = try await decision(in: operation) {
      await Once.decision(
        ifCancelled: ContinueAction.fail(CancellationError()), ifReleased: .fail(error)
      ) { decide in
        delegate.networkTransport(
          self, receivedError: error, for: request.whole, response: response,
          continueHandler: decide)
      }
    }
    if case .fail(let error) = action { throw error }
    try Task.checkCancellation()
  }

  /// Asks the delegate about the GraphQL errors of a response, if it has any.
  ///
  /// A response that only says that the server does not know a persisted query is no concern of the
  /// delegate.
  package func isToRetry(
    _ request: OperationRequest, after response: NetworkResponse
  ) async throws -> Bool {
    guard let delegate = delegate as? any HTTPNetworkTransportGraphQLErrorDelegate,
      !PersistedQueries.isStep(response)
    else { return false }
    let errors = ResponseOutline(response.body).errors
    guard !errors.isEmpty else { return false }
    let shouldRetry = try await decision(in: request) {
      await Once.decision(ifCancelled: false, ifReleased: false) { decide in
        delegate.networkTransport(self, receivedGraphQLErrors: errors, retryHandler: decide)
      }
    }
    try Task.checkCancellation()
    return shouldRetry
  }

  /// Waits for a decision of the delegate.
  ///
  /// A call that keeps its deadline by itself began without a delegate. One that was set since
  /// must decide before the deadline.
  private func decision<Decision: Sendable>(
    in request: OperationRequest, _ decide: @escaping @Sendable () async -> Decision
  ) async throws -> Decision {
    try await RequestLocals().hidden {
      guard let deadline = request.facts.deadline else { return await decide() }
      return try await deadline.limit(url: endpointURL, decide)
    }
  }
}

extension HTTPNetworkTransport {
  /// `true`.
  public var _sharesExchanges: Bool { true }
}
