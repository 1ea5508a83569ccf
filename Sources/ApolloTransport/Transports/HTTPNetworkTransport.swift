internal import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
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
    var maximumURLByteCount = HTTPRequestFactory.defaultMaximumURLByteCount
  }

  private let factory: HTTPRequestFactory
  private let sender: HTTPSender
  private let persistedQueries: PersistedQueries
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
    self.factory = factory
    persistedQueries = PersistedQueries(
      isEnabled: enableAutoPersistedQueries && !sendOperationIdentifiers)
    sender = HTTPSender(client: client)
    settings.withLock { $0.delegate = delegate }
  }

  /// The delegate, which is not retained.
  public var delegate: (any HTTPNetworkTransportDelegate)? {
    get { settings.withLock { $0.delegate } }
    set { settings.withLock { $0.delegate = newValue } }
  }

  /// The URL of the GraphQL endpoint.
  public var endpointURL: URL? { factory.endpoint }

  /// The deadline of the client's ``TransferLimits``.
  public var callTimeLimit: Duration? { sender.client.limits.deadline }

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

  /// The longest URL of a GET request. A query whose URL would be longer is sent by POST.
  ///
  /// By default 4096 bytes, because many servers refuse longer ones.
  public var maximumURLByteCount: Int {
    get { settings.withLock { $0.maximumURLByteCount } }
    set { settings.withLock { $0.maximumURLByteCount = newValue } }
  }

  /// Sends one query or mutation, by way of the delegate, and waits for the response.
  public func send(_ request: OperationRequest) async throws -> NetworkResponse {
    try await sender.call(request, url: factory.endpoint) { [self] in
      try await persistedQueries.exchange(operationName: request.operationName) { form in
        try await send(request) { factory throws(GraphQLHTTPRequestError) in
          try factory.outgoingRequest(for: request, form)
        }
      }
    }
  }

  /// Sends one operation with files, by way of the delegate, and waits for the response.
  public func upload(
    _ request: OperationRequest, files: [GraphQLFile]
  ) async throws -> NetworkResponse {
    try await request.reportingUpload {
      try await sender.call(request, url: factory.endpoint) { [self] in
        try await send(request) { factory throws(GraphQLHTTPRequestError) in
          OutgoingRequest(try factory.urlRequest(for: request, files: files))
        }
      }
    }
  }

  /// Sends one operation, by way of the delegate, and returns its responses: several for a
  /// subscription, or if the server sends the response in parts.
  ///
  /// The delegate can retry a request until its first response has arrived. It is not notified of
  /// the completion of responses in parts.
  public func responses(to request: OperationRequest) -> NetworkResponses {
    guard let content = request.partsContent else {
      return NetworkResponses(one: { try await self.send(request) })
    }
    return NetworkResponses {
      if content == .events { return try await self.begin(request, .text, content) }
      return try await self.persistedQueries.begin(operationName: request.operationName) {
        try await self.begin(request, $0, content)
      }
    }
  }

  /// Sends one operation and waits for its first response.
  private func begin(
    _ request: OperationRequest, _ form: OperationMessage.DocumentForm,
    _ content: PartsContent
  ) async throws -> ResponseReader {
    while true {
      let outgoing = try prepared { factory throws(GraphQLHTTPRequestError) in
        try factory.outgoingRequest(for: request, form)
      }
      do {
        var reader = try await sender.begin(outgoing.whole, for: request, content: content)
        guard let first = try await reader.peek() else { return reader }
        guard try await isToRetry(request, after: first) else { return reader }
      } catch {
        if error is CancellationError || PersistedQueries.isStep(error) { throw error }
        reportCompletion(of: outgoing, response: nil, error: error)
        let response = (error as? GraphQLHTTPResponseError)?.response
        let failure = Failure(error: error, request: outgoing, response: response)
        if case .fail(let error) = await action(request, after: failure) { throw error }
        try Task.checkCancellation()
      }
    }
  }

  /// Makes a request of an operation, anew for each attempt.
  private typealias Making = (HTTPRequestFactory) throws(GraphQLHTTPRequestError)
    -> OutgoingRequest

  private func send(
    _ request: OperationRequest, _ make: Making
  ) async throws -> NetworkResponse {
    while true {
      switch try await attempt(request, make) {
      case .success(let response):
        guard try await isToRetry(request, after: response) else { return response }
      case .failure(let failure):
        switch await action(request, after: failure) {
        case .retry: try Task.checkCancellation()
        case .fail(let error): throw error
        }
      }
    }
  }

  // MARK: One attempt

  private struct Failure: Error {
    var error: any Error
    var request: OutgoingRequest
    var response: URLResponse?
  }

  /// - Throws: What no retry can help.
  private func attempt(
    _ request: OperationRequest, _ make: Making
  ) async throws -> Result<NetworkResponse, Failure> {
    let outgoing = try prepared(make)
    var received: HTTPSender.WholeResponse?
    do {
      let response = try await sender.send(
        outgoing, isRepeatable: request.isRepeatable, events: request.events,
        deadline: request.deadline)
      received = response
      reportCompletion(of: outgoing, response: response, error: nil)
      return .success(try response.classified())
    } catch {
      if received == nil { reportCompletion(of: outgoing, response: nil, error: error) }
      if error is CancellationError || PersistedQueries.isStep(error) { throw error }
      return .failure(Failure(error: error, request: outgoing, response: received?.head))
    }
  }

  private func prepared(_ make: Making) throws -> OutgoingRequest {
    var factory = factory
    let settings = settings.get()
    factory.awareness = settings.awareness
    factory.subscriptionFormat = settings.subscriptionFormat
    factory.maximumURLByteCount = settings.maximumURLByteCount
    let outgoing = try make(factory)
    guard let delegate = delegate as? any HTTPNetworkTransportPreflightDelegate else {
      return outgoing
    }
    var urlRequest = outgoing.whole
    guard delegate.networkTransport(self, shouldSend: urlRequest) else {
      throw GraphQLHTTPRequestError.cancelledByDelegate
    }
    delegate.networkTransport(self, willSend: &urlRequest)
    try HeaderField.check(urlRequest)
    return OutgoingRequest(urlRequest)
  }

  private func reportCompletion(
    of request: OutgoingRequest, response: HTTPSender.WholeResponse?, error: (any Error)?
  ) {
    guard let delegate = delegate as? any HTTPNetworkTransportTaskCompletedDelegate else { return }
    delegate.networkTransport(
      self, didCompleteRawTaskForRequest: request.whole, withData: response?.body,
      response: response?.head, error: error)
  }

  private func action(
    _ request: OperationRequest, after failure: Failure
  ) async -> ContinueAction {
    guard let delegate = delegate as? any HTTPNetworkTransportRetryDelegate else {
      return .fail(failure.error)
    }
    do {
      return try await decision(in: request) {
        await Once.decision(
          ifCancelled: .fail(CancellationError()), ifReleased: .fail(failure.error)
        ) { decide in
          delegate.networkTransport(
            self, receivedError: failure.error, for: failure.request.whole,
            response: failure.response,
            continueHandler: decide)
        }
      }
    } catch {
      return .fail(error)
    }
  }

  /// Asks the delegate about the GraphQL errors of a response, if it has any.
  ///
  /// A response that only says that the server does not know a persisted query is no concern of the
  /// delegate.
  private func isToRetry(
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
    guard let deadline = request.deadline else { return await decide() }
    return try await deadline.limit(url: factory.endpoint, decide)
  }
}

extension HTTPNetworkTransport: DeadlineKeepingTransport {
  package var keepsDeadlines: Bool {
    type(of: sender.client) == DefaultHTTPClient.self && delegate == nil
  }
}
