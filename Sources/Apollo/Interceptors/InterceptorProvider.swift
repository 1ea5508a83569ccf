public import ApolloAPI
public import ApolloCache
public import ApolloTransport

/// The source of each operation's interceptors.
///
/// ```swift
/// struct Interceptors: InterceptorProvider {
///   func graphQLInterceptors<Operation: GraphQLOperation>(
///     for operation: Operation
///   ) -> [any GraphQLInterceptor] { [Timing(), RetryInterceptor()] }
/// }
/// let apollo = ApolloClient(
///   networkTransport: RequestChainNetworkTransport(
///     interceptorProvider: Interceptors(), endpointURL: endpoint))
/// ```
///
/// The methods are called once for each call, so an interceptor can hold the state of one call.
/// Each method has a default implementation that returns no interceptor.
///
/// With ``FetchBehavior/cacheAndNetwork`` and ``FetchBehavior/revalidateCache``, each GraphQL
/// interceptor is called for the data of the cache, and again if the server is asked. If the steps
/// of a ``RequestChain`` read the cache, it is called once with `cacheAndNetwork`, for both.
@preconcurrency
public protocol InterceptorProvider: Sendable {
  /// Returns the steps around the whole call, outermost first.
  func graphQLInterceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any GraphQLInterceptor]

  /// Returns the steps around each HTTP request, outermost first.
  func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor]

  /// Returns the steps of a ``RequestChain``, as in Apollo iOS 1.x, or an empty array.
  ///
  /// If there are any, they take the place of the cache and the server: only the steps read the
  /// cache, send the operation, parse the response and write the cache. They are behind the GraphQL
  /// interceptors. A ``NetworkFetchInterceptor`` sends the operation through the HTTP interceptors.
  func interceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any ApolloInterceptor]

  /// Returns the last step of the operation's failed calls.
  func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)?

  // MARK: Abilities
  //
  // The client asks for these, and never for the type of a provider.

  /// The client that sends the HTTP requests, or `nil`, by default, for that of the transport.
  var _transportClient: (any HTTPClient)? { get }

  /// Returns `true` if ``interceptors(for:)`` has the steps that every call takes anyway, with a
  /// store: the call needs no ``RequestChain``. `false` by default.
  func _hasBuiltInSteps(for store: ApolloStore) -> Bool
}

extension InterceptorProvider {
  /// Returns an empty array.
  public func graphQLInterceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any GraphQLInterceptor] { [] }

  /// Returns an empty array.
  public func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] { [] }

  /// Returns an empty array.
  public func interceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any ApolloInterceptor] { [] }

  /// Returns `nil`.
  public func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)? { nil }

  /// `nil`.
  public var _transportClient: (any HTTPClient)? { nil }

  /// Returns `false`.
  public func _hasBuiltInSteps(for store: ApolloStore) -> Bool { false }
}

/// A transport whose calls pass through interceptors.
///
/// The client runs the interceptors, because they surround the cache as well.
public protocol InterceptingNetworkTransport: NetworkTransport {
  /// Returns the source of the interceptors for operations of a type, or `nil` if they have none.
  func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)?
}

/// The interceptors of the calls of a transport, as the client asks for them.
struct TransportInterceptors: _InterceptorsOfTransport {
  var provider: any InterceptorProvider
  /// The way in which the steps of a ``RequestChain`` send.
  var sending = StepSending.operations(nil)

  var _sendingThroughTransport: any _InterceptorsOfTransport {
    TransportInterceptors(provider: provider, sending: .operations(sending.requestLink))
  }
}

extension InterceptingNetworkTransport {
  /// The source that ``interceptorProvider(for:)`` returns.
  public func _interceptors(
    for type: GraphQLOperationType, hasFiles: Bool
  ) -> (any _InterceptorsOfTransport)? {
    interceptorProvider(for: type).map { TransportInterceptors(provider: $0) }
  }
}

extension NetworkTransport {
  /// The interceptors for operations of a type, or `nil` if they have none.
  func interceptors(
    for type: GraphQLOperationType, hasFiles: Bool = false
  ) -> TransportInterceptors? {
    // A cast of nothing takes as long as one of something.
    guard let interceptors = _interceptors(for: type, hasFiles: hasFiles) else { return nil }
    // The only type of the value, which `ApolloTransport` cannot name.
    return interceptors as? TransportInterceptors
  }
}
