public import ApolloAPI
public import ApolloCache
public import ApolloTransport

/// The provider with the built-in steps of a call.
///
/// A subclass adds steps of its own, replaces some, or changes their order:
///
/// ```swift
/// final class TokenProvider: DefaultInterceptorProvider, @unchecked Sendable {
///   override func interceptors<Operation: GraphQLOperation>(
///     for operation: Operation
///   ) -> [any ApolloInterceptor] {
///     [TokenAddingInterceptor()] + super.interceptors(for: operation)
///   }
/// }
/// ```
///
/// ```swift
/// let transport = RequestChainNetworkTransport(
///   interceptorProvider: TokenProvider(store: store), endpointURL: endpoint)
/// let apollo = ApolloClient(networkTransport: transport, store: store)
/// ```
///
/// The provider itself, without a subclass, needs no chain: the client takes the same steps by
/// itself.
// `@unchecked Sendable` because its properties are constants.
open class DefaultInterceptorProvider: InterceptorProvider, @unchecked Sendable {
  /// A provider for any number of transports.
  public static let shared = DefaultInterceptorProvider()

  private let client: (any HTTPClient)?
  private let invalidatesClient: Bool
  private let store: ApolloStore?

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - client: The client that sends the HTTP requests, or `nil` for that of the transport.
  ///   - shouldInvalidateClientOnDeinit: `true` to invalidate `client` when the provider is
  ///     released.
  ///   - store: The store that the steps read and write, or `nil` for that of the `ApolloClient`.
  public init(
    client: (any HTTPClient)? = nil, shouldInvalidateClientOnDeinit: Bool = true,
    store: ApolloStore? = nil
  ) {
    self.client = client
    self.store = store
    invalidatesClient = shouldInvalidateClientOnDeinit
  }

  deinit { if invalidatesClient { client?.invalidate() } }

  /// Returns the built-in steps, in their order.
  open func interceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any ApolloInterceptor] {
    [
      MaxRetryInterceptor(), CacheReadInterceptor(store: store),
      NetworkFetchInterceptor(client: client), ResponseCodeInterceptor(),
      JSONResponseParsingInterceptor(), AutomaticPersistedQueryInterceptor(),
      CacheWriteInterceptor(store: store),
    ]
  }

  /// Returns an empty array.
  open func graphQLInterceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any GraphQLInterceptor] { [] }

  /// Returns an empty array.
  open func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] { [] }

  /// Returns `nil`.
  open func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)? { nil }
}

extension DefaultInterceptorProvider {
  /// The client that the provider was created with.
  public var _transportClient: (any HTTPClient)? { client }

  /// Returns `true` unless the provider is a subclass, whose steps may differ, or has another
  /// store.
  public func _hasBuiltInSteps(for store: ApolloStore) -> Bool {
    type(of: self) == DefaultInterceptorProvider.self
      && (self.store == nil || self.store === store)
  }
}
