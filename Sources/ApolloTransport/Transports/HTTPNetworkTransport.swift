internal import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends operations over HTTP, with a delegate that can look at and change what is sent.
///
/// ```swift
/// let transport = HTTPNetworkTransport(url: url)
/// transport.delegate = self
/// let apollo = ApolloClient(networkTransport: transport)
/// ```
///
/// Isolation: the settings that can change are behind a lock; requests take a copy when they begin.
public final class HTTPNetworkTransport: UploadingNetworkTransport, SubscriptionNetworkTransport {
  /// The action after a request that failed.
  public enum ContinueAction: Sendable {
    /// Send the operation again, as if it was new.
    case retry
    /// Give up, and hand this error to the caller.
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

  /// - Parameters:
  ///   - url: The GraphQL endpoint.
  ///   - client: Sends the requests.
  ///   - sendOperationIdentifiers: Whether to send the identifier of an operation instead of its
  ///     text. The code must have been generated with identifiers.
  ///   - useGETForQueries: Whether to send queries by GET. Mutations always go by POST, and so do
  ///     queries whose URL would be longer than 4096 bytes.
  ///   - enableAutoPersistedQueries: Whether to send the hash of an operation's text first, and the
  ///     text only when the server does not know it.
  ///   - useGETForPersistedQueryRetry: Whether queries that the server does not know are sent by
  ///   GET.
  ///   - additionalHeaders: Sent with every request.
  public init(
    url: URL,
    client: any HTTPClient = DefaultHTTPClient(),
    sendOperationIdentifiers: Bool = false,
    useGETForQueries: Bool = false,
    enableAutoPersistedQueries: Bool = false,
    useGETForPersistedQueryRetry: Bool = false,
    additionalHeaders: [String: String] = [:]
  ) {
    var factory = HTTPRequestFactory(endpoint: url)
    factory.additionalHeaders = additionalHeaders
    factory.usesGETForQueries = useGETForQueries
    factory.sendsOperationIdentifiers = sendOperationIdentifiers
    factory.usesGETForPersistedQueryRetry = useGETForPersistedQueryRetry
    self.factory = factory
    persistedQueries = PersistedQueries(
      isEnabled: enableAutoPersistedQueries && !sendOperationIdentifiers)
    sender = HTTPSender(client: client)
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
          try factory.urlRequest(for: request, form)
        }
      }
    }
  }

  /// Sends one operation with files, by way of the delegate, and waits for the response.
  public func upload(
    _ request: OperationRequest, files: [GraphQLFile]
  ) async throws -> NetworkResponse {
    try await sender.call(request, url: factory.endpoint) { [self] in
      try await send(request) { factory throws(GraphQLHTTPRequestError) in
        try factory.urlRequest(for: request, files: files)
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
      let urlRequest = try prepared { factory throws(GraphQLHTTPRequestError) in
        try factory.urlRequest(for: request, form)
      }
      do {
        var reader = try await sender.begin(urlRequest, for: request, content: content)
        _ = try await reader.peek()
        return reader
      } catch {
        if error is CancellationError || PersistedQueries.isStep(error) { throw error }
        tellCompletion(of: urlRequest, answer: nil, error: error)
        let response = (error as? GraphQLHTTPResponseError)?.response
        let failure = Failure(error: error, request: urlRequest, response: response)
        if case .fail(let error) = await action(after: failure) { throw error }
        try Task.checkCancellation()
      }
    }
  }

  /// Makes a request of an operation, anew for each attempt.
  private typealias Making = (HTTPRequestFactory) throws(GraphQLHTTPRequestError) -> URLRequest

  private func send(
    _ request: OperationRequest, _ make: Making
  ) async throws -> NetworkResponse {
    while true {
      switch try await attempt(request, make) {
      case .success(let response): return response
      case .failure(let failure):
        switch await action(after: failure) {
        case .retry: try Task.checkCancellation()
        case .fail(let error): throw error
        }
      }
    }
  }

  // MARK: One attempt

  private struct Failure: Error {
    var error: any Error
    var request: URLRequest
    var response: URLResponse?
  }

  /// - Throws: What no retry can help.
  private func attempt(
    _ request: OperationRequest, _ make: Making
  ) async throws -> Result<NetworkResponse, Failure> {
    let urlRequest = try prepared(make)
    var answer: HTTPSender.Answer?
    do {
      let received = try await sender.send(
        urlRequest, isRepeatable: request.isRepeatable, events: request.events)
      answer = received
      tellCompletion(of: urlRequest, answer: received, error: nil)
      return .success(try received.classified())
    } catch {
      if answer == nil { tellCompletion(of: urlRequest, answer: nil, error: error) }
      if error is CancellationError || PersistedQueries.isStep(error) { throw error }
      return .failure(Failure(error: error, request: urlRequest, response: answer?.head))
    }
  }

  private func prepared(_ make: Making) throws -> URLRequest {
    var factory = factory
    let settings = settings.get()
    factory.awareness = settings.awareness
    factory.subscriptionFormat = settings.subscriptionFormat
    factory.maximumURLByteCount = settings.maximumURLByteCount
    var urlRequest = try make(factory)
    if let delegate = delegate as? any HTTPNetworkTransportPreflightDelegate {
      guard delegate.networkTransport(self, shouldSend: urlRequest) else {
        throw GraphQLHTTPRequestError.cancelledByDelegate
      }
      delegate.networkTransport(self, willSend: &urlRequest)
      try HeaderField.check(urlRequest)
    }
    return urlRequest
  }

  private func tellCompletion(
    of request: URLRequest, answer: HTTPSender.Answer?, error: (any Error)?
  ) {
    guard let delegate = delegate as? any HTTPNetworkTransportTaskCompletedDelegate else { return }
    delegate.networkTransport(
      self, didCompleteRawTaskForRequest: request, withData: answer?.body, response: answer?.head,
      error: error)
  }

  private func action(after failure: Failure) async -> ContinueAction {
    guard let delegate = delegate as? any HTTPNetworkTransportRetryDelegate else {
      return .fail(failure.error)
    }
    let decision = Once<ContinueAction>()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        decision.wait(continuation)
        let handler = RetryHandler(decision, failure.error)
        delegate.networkTransport(
          self, receivedError: failure.error, for: failure.request, response: failure.response
        ) { handler.decide($0) }
      }
    } onCancel: {
      decision.decide(.fail(CancellationError()))
    }
  }

  /// The handler that a delegate calls with its decision. A delegate that releases it without a
  /// call has decided to fail.
  private final class RetryHandler: Sendable {
    private let decision: Once<ContinueAction>
    private let error: any Error

    init(_ decision: Once<ContinueAction>, _ error: any Error) {
      self.decision = decision
      self.error = error
    }

    deinit { decision.decide(.fail(error)) }

    func decide(_ action: ContinueAction) { decision.decide(action) }
  }
}
