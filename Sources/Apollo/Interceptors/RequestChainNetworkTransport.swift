public import ApolloAPI
public import ApolloTransport
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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
  SubscriptionNetworkTransport, InterceptingNetworkTransport, ChainNetworkTransport,
  ChainNetworkTransportProvider
{
  /// The source of each operation's interceptors.
  public let interceptorProvider: any InterceptorProvider
  private let factory: HTTPRequestFactory
  private let client: any HTTPClient
  private let persistedQueries: PersistedQueries

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
    clientAwareness: ClientAwareness = .mainBundle
  ) {
    self.client =
      client ?? (interceptorProvider as? DefaultInterceptorProvider)?.client
      ?? DefaultHTTPClient()
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
    self.factory = factory
    persistedQueries = PersistedQueries(
      isEnabled: autoPersistQueries && !sendOperationIdentifiers)
  }

  /// The URL of the GraphQL endpoint.
  public var endpointURL: URL? { factory.endpoint }

  /// The format in which the server sends the events of subscriptions.
  public var subscriptionFormat: HTTPSubscriptionFormat { factory.subscriptionFormat }

  /// The deadline of the client's `TransferLimits`.
  public var callTimeLimit: Duration? { client.limits.deadline }

  /// Returns ``interceptorProvider``.
  public func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
    interceptorProvider
  }

  /// Sends a query or a mutation through the HTTP interceptors and returns the response.
  public func send(_ request: OperationRequest) async throws -> NetworkResponse {
    let sender = sender(for: request)
    return try await sender.call(request, url: factory.endpoint) { [self] in
      try await persistedQueries.exchange(operationName: request.operationName) { form in
        try await send(
          factory.outgoingRequest(for: request, form), for: request, through: sender)
      }
    }
  }

  /// Sends an operation through the HTTP interceptors and returns its responses: several for a
  /// subscription, or if the server sends the response in parts.
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

  private func begin(
    _ request: OperationRequest, _ form: OperationMessage.DocumentForm,
    _ content: PartsContent
  ) async throws -> ResponseReader {
    let interceptors = interceptorProvider.httpInterceptors(for: request.operation)
    return try await HTTPSender(client: client, interceptors: interceptors)
      .begin(factory.urlRequest(for: request, form), for: request, content: content)
  }

  /// Sends an operation with files through the HTTP interceptors and returns the response.
  public func upload(
    _ request: OperationRequest, files: [GraphQLFile]
  ) async throws -> NetworkResponse {
    let sender = sender(for: request)
    return try await request.reportingUpload {
      try await sender.call(request, url: factory.endpoint) { [self] in
        try await send(
          OutgoingRequest(factory.urlRequest(for: request, files: files)), for: request,
          through: sender)
      }
    }
  }

  private func sender(for request: OperationRequest) -> HTTPSender {
    HTTPSender(
      client: client, interceptors: interceptorProvider.httpInterceptors(for: request.operation))
  }

  private func send(
    _ outgoing: OutgoingRequest, for request: OperationRequest, through sender: HTTPSender
  ) async throws -> NetworkResponse {
    try await sender.send(
      outgoing, isRepeatable: request.isRepeatable, events: request.events
    ).classified()
  }
}

// MARK: - The steps of a request chain

extension RequestChainNetworkTransport {
  func chainTransport(for type: GraphQLOperationType) -> (any ChainNetworkTransport)? { self }

  var persistsQueries: Bool { persistedQueries.areEnabled }

  func stopPersistingQueries() { persistedQueries.disable() }

  func urlRequest(
    for request: OperationRequest, _ form: OperationMessage.DocumentForm, files: [GraphQLFile]
  ) throws -> URLRequest {
    files.isEmpty
      ? try factory.urlRequest(for: request, form)
      : try factory.urlRequest(for: request, files: files)
  }

  func exchange(
    _ urlRequest: URLRequest, for request: OperationRequest, client: (any HTTPClient)?
  ) async throws -> HTTPSender.WholeResponse {
    let sender = HTTPSender(
      client: client ?? self.client,
      interceptors: interceptorProvider.httpInterceptors(for: request.operation))
    return try await sender.send(
      OutgoingRequest(urlRequest), isRepeatable: request.isRepeatable)
  }

  func parts(
    of request: OperationRequest, _ form: OperationMessage.DocumentForm,
    client: (any HTTPClient)?
  ) -> NetworkResponses {
    let content = request.partsContent ?? .response
    return NetworkResponses {
      let sender = HTTPSender(
        client: client ?? self.client,
        interceptors: self.interceptorProvider.httpInterceptors(for: request.operation))
      return try await sender.begin(
        self.factory.urlRequest(for: request, form), for: request, content: content)
    }
  }
}
