public import ApolloTransport
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends operations over HTTP, with interceptors around each of them.
///
/// The HTTP interceptors work inside this transport. The GraphQL interceptors work in the client that
/// uses it, because they also stand around the cache.
public final class RequestChainNetworkTransport: UploadingNetworkTransport {
  /// Gives each operation its interceptors.
  public let interceptorProvider: any InterceptorProvider
  private let factory: HTTPRequestFactory
  private let client: URLSessionClient
  private let persistedQueries: PersistedQueries

  /// - Parameters:
  ///   - client: Sends the requests.
  ///   - interceptorProvider: Gives each operation its interceptors.
  ///   - endpointURL: The GraphQL endpoint.
  ///   - additionalHeaders: Sent with every request.
  ///   - autoPersistQueries: Whether to send the hash of an operation's text first, and the text only
  ///     when the server does not know it.
  ///   - sendOperationIdentifiers: Whether to send the identifier of an operation instead of its text.
  ///   - useGETForQueries: Whether to send queries by GET, unless their URL becomes longer than
  ///     4096 bytes.
  ///   - useGETForPersistedQueryRetry: Whether queries that the server does not know are sent by GET.
  ///   - clientAwareness: What to tell the server about the program.
  public init(
    client: URLSessionClient = URLSessionClient(),
    interceptorProvider: any InterceptorProvider = DefaultInterceptorProvider(),
    endpointURL: URL,
    additionalHeaders: [String: String] = [:],
    autoPersistQueries: Bool = false,
    sendOperationIdentifiers: Bool = false,
    useGETForQueries: Bool = false,
    useGETForPersistedQueryRetry: Bool = false,
    clientAwareness: ClientAwareness = .mainBundle
  ) {
    self.client = client
    self.interceptorProvider = interceptorProvider
    var factory = HTTPRequestFactory(endpoint: endpointURL)
    factory.additionalHeaders = additionalHeaders
    factory.sendsOperationIdentifiers = sendOperationIdentifiers
    factory.usesGETForQueries = useGETForQueries
    factory.usesGETForPersistedQueryRetry = useGETForPersistedQueryRetry
    factory.awareness = clientAwareness
    self.factory = factory
    persistedQueries = PersistedQueries(
      isEnabled: autoPersistQueries && !sendOperationIdentifiers)
  }

  /// Sends one query or mutation, by way of the HTTP interceptors, and waits for the answer.
  public func send(_ request: OperationRequest) async throws -> NetworkResponse {
    try await persistedQueries.exchange(operationName: request.operationName) { form in
      try await send(factory.urlRequest(for: request, form), for: request)
    }
  }

  /// Sends one operation with files, by way of the HTTP interceptors, and waits for the answer.
  public func upload(
    _ request: OperationRequest, files: [GraphQLFile]
  ) async throws -> NetworkResponse {
    try await send(factory.urlRequest(for: request, files: files), for: request)
  }

  private func send(
    _ urlRequest: URLRequest, for request: OperationRequest
  ) async throws -> NetworkResponse {
    let interceptors = interceptorProvider.httpInterceptors(for: request.operation)
    return try await HTTPSender(client: client, interceptors: interceptors)
      .send(urlRequest, timeout: request.timeout, isRepeatable: request.isRepeatable)
      .classified()
  }
}
