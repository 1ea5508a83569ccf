public import ApolloAPI
public import ApolloTransport

/// A transport that sends each kind of operation through a transport of its own.
///
/// Most often, subscriptions use a WebSocket and everything else uses HTTP:
///
/// ```swift
/// let transport = SplitNetworkTransport(
///   uploadingNetworkTransport: HTTPNetworkTransport(url: httpEndpoint),
///   webSocketNetworkTransport: WebSocketTransport(endpointURL: webSocketEndpoint))
/// let apollo = ApolloClient(networkTransport: transport)
/// ```
///
/// Interceptors belong to the transport that sends the operation.
public final class SplitNetworkTransport: UploadingNetworkTransport, SubscriptionNetworkTransport,
  InterceptingNetworkTransport
{
  private let queryTransport: any NetworkTransport
  private let mutationTransport: any NetworkTransport
  private let subscriptionTransport: (any SubscriptionNetworkTransport)?
  private let uploadTransport: (any UploadingNetworkTransport)?

  /// Creates a transport from one for each kind of operation.
  ///
  /// - Parameters:
  ///   - queryTransport: The transport for queries.
  ///   - mutationTransport: The transport for mutations.
  ///   - subscriptionTransport: The transport for subscriptions. Without one, subscriptions fail.
  ///   - uploadTransport: The transport for operations with files. Without one, they fail.
  public init(
    queryTransport: any NetworkTransport, mutationTransport: any NetworkTransport,
    subscriptionTransport: (any SubscriptionNetworkTransport)? = nil,
    uploadTransport: (any UploadingNetworkTransport)? = nil
  ) {
    self.queryTransport = queryTransport
    self.mutationTransport = mutationTransport
    self.subscriptionTransport = subscriptionTransport
    self.uploadTransport = uploadTransport
  }

  /// Creates a transport that sends subscriptions over a WebSocket and everything else over HTTP.
  ///
  /// - Parameters:
  ///   - uploadingNetworkTransport: The transport for queries, mutations and files.
  ///   - webSocketNetworkTransport: The transport for subscriptions.
  public convenience init(
    uploadingNetworkTransport: any UploadingNetworkTransport,
    webSocketNetworkTransport: any SubscriptionNetworkTransport
  ) {
    self.init(
      queryTransport: uploadingNetworkTransport, mutationTransport: uploadingNetworkTransport,
      subscriptionTransport: webSocketNetworkTransport, uploadTransport: uploadingNetworkTransport)
  }

  /// Creates a transport, with the parameter names of the first versions of Apollo iOS.
  ///
  /// - Parameters:
  ///   - httpNetworkTransport: The transport for queries, mutations and files.
  ///   - webSocketNetworkTransport: The transport for subscriptions.
  public convenience init(
    httpNetworkTransport: any UploadingNetworkTransport,
    webSocketNetworkTransport: any SubscriptionNetworkTransport
  ) {
    self.init(
      uploadingNetworkTransport: httpNetworkTransport,
      webSocketNetworkTransport: webSocketNetworkTransport)
  }

  /// Sends a query or a mutation through its transport.
  public func send(_ request: OperationRequest) async throws -> NetworkResponse {
    try await transport(for: request).send(request)
  }

  /// Sends an operation through its transport.
  ///
  /// The sequence throws ``ApolloClientError`` if there is no transport for subscriptions.
  public func responses(to request: OperationRequest) -> NetworkResponses {
    do {
      return try transport(for: request).responses(to: request)
    } catch {
      return NetworkResponses(throwing: error)
    }
  }

  /// Sends an operation with files.
  ///
  /// - Throws: ``ApolloClientError`` if there is no transport for files.
  public func upload(
    _ request: OperationRequest, files: [GraphQLFile]
  ) async throws -> NetworkResponse {
    guard let uploadTransport else {
      throw ApolloClientError(
        .noUploadTransport, operationName: request.operationName, transport: self)
    }
    return try await uploadTransport.upload(request, files: files)
  }

  /// Returns the interceptors of the transport that sends operations of a type.
  public func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
    transport(for: type)?.interceptors(for: type)?.provider
  }

  /// Returns the interceptors of the transport that sends operations of a type.
  public func _interceptors(
    for type: GraphQLOperationType, hasFiles: Bool
  ) -> (any _InterceptorsOfTransport)? {
    transport(for: type, hasFiles: hasFiles)?._interceptors(for: type, hasFiles: hasFiles)
  }

  /// Returns the limit of the transport that sends operations of a type.
  public func _timeLimit(for type: GraphQLOperationType, hasFiles: Bool) -> Duration? {
    transport(for: type, hasFiles: hasFiles)?._timeLimit(for: type, hasFiles: hasFiles)
  }

  private func transport(
    for type: GraphQLOperationType, hasFiles: Bool
  ) -> (any NetworkTransport)? {
    hasFiles ? uploadTransport : transport(for: type)
  }

  private func transport(for request: OperationRequest) throws -> any NetworkTransport {
    let type = Swift.type(of: request.operation).operationType
    guard let transport = transport(for: type) else {
      throw ApolloClientError(
        .noSubscriptionTransport, operationName: request.operationName, transport: self)
    }
    return transport
  }

  private func transport(for type: GraphQLOperationType) -> (any NetworkTransport)? {
    switch type {
    case .query: queryTransport
    case .mutation: mutationTransport
    case .subscription: subscriptionTransport
    }
  }
}

extension SplitNetworkTransport {
  /// The ability of the transport for queries.
  public var _sharesExchanges: Bool { queryTransport._sharesExchanges }

  /// The ability of the transport for subscriptions.
  public var _endsSubscriptions: Bool { subscriptionTransport?._endsSubscriptions ?? false }

  /// Ends the sessions of all transports.
  public func _endSession() {
    queryTransport._endSession()
    mutationTransport._endSession()
    subscriptionTransport?._endSession()
    uploadTransport?._endSession()
  }
}
