public import ApolloCache
public import ApolloTransport
public import Foundation

/// A GraphQL client: fetches, changes and watches the data of one server.
///
/// ```swift
/// let apollo = ApolloClient(url: URL(string: "http://localhost:8080/graphql")!)
/// let response = try await apollo.fetch(query: HeroNameQuery(episode: .empire))
/// print(response.data?.hero?.name ?? "no hero")
/// ```
///
/// Create one client for each server and keep it. All of its methods can be called from any task
/// and thread. A call holds what it needs, so it completes even if the client is released earlier.
public final class ApolloClient: ApolloClientProtocol {
  /// The transport that sends operations to the server.
  public let networkTransport: any NetworkTransport
  let sessions = CallSessions()
  /// The part of another product that belongs to this client, such as an offline queue.
  package let attachment = Lock<(any ClientAttachment)?>(nil)

  /// The store that holds the data of earlier responses.
  public let store: ApolloStore

  /// The options of the calls that have none of their own.
  ///
  /// Calls with a callback take their timeout and their headers from here as well.
  public let defaultRequestConfiguration: RequestConfiguration

  let context: CallContext
  /// The clock of deadlines and alarms.
  var clock: any AlarmClock { context.clock }
  private let awareness: ClientAwareness?

  /// Creates a client with a transport and a store.
  ///
  /// Use this initializer to configure the transport or to keep the cache on disk:
  ///
  /// ```swift
  /// let apollo = ApolloClient(
  ///   networkTransport: HTTPNetworkTransport(
  ///     url: endpoint, additionalHeaders: ["Authorization": "Bearer \(token)"]),
  ///   store: ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file)))
  /// ```
  ///
  /// - Parameters:
  ///   - networkTransport: The transport that sends operations to the server.
  ///   - store: The store for the data of responses. The default one keeps it in memory.
  ///   - defaultRequestConfiguration: The options of the calls that have none of their own.
  ///   - observers: The receivers of the steps of each call, such as logs.
  public convenience init(
    networkTransport: any NetworkTransport,
    store: ApolloStore = ApolloStore(cache: InMemoryNormalizedCache()),
    defaultRequestConfiguration: RequestConfiguration = RequestConfiguration(),
    observers: [any CallEventObserver] = []
  ) {
    self.init(
      networkTransport: networkTransport, store: store,
      defaultRequestConfiguration: defaultRequestConfiguration, observers: observers,
      clock: SystemAlarmClock.shared)
  }

  /// Creates a client that sends its own name and version instead of those of its transport.
  ///
  /// - Parameters:
  ///   - networkTransport: The transport that sends operations to the server.
  ///   - store: The store for the data of responses. The default one keeps it in memory.
  ///   - defaultRequestConfiguration: The options of the calls that have none of their own.
  ///   - clientAwarenessMetadata: The name and the version of the program. A WebSocket sends those
  ///     of its own configuration.
  ///   - observers: The receivers of the steps of each call, such as logs.
  public convenience init(
    networkTransport: any NetworkTransport,
    store: ApolloStore = ApolloStore(cache: InMemoryNormalizedCache()),
    defaultRequestConfiguration: RequestConfiguration = RequestConfiguration(),
    clientAwarenessMetadata: ClientAwareness,
    observers: [any CallEventObserver] = []
  ) {
    self.init(
      networkTransport: networkTransport, store: store,
      defaultRequestConfiguration: defaultRequestConfiguration,
      awareness: clientAwarenessMetadata, observers: observers, clock: SystemAlarmClock.shared)
  }

  /// Creates a client that sends operations over HTTP to `url` and keeps their data in memory.
  ///
  /// - Parameters:
  ///   - url: The URL of the GraphQL endpoint.
  ///   - defaultRequestConfiguration: The options of the calls that have none of their own.
  public convenience init(
    url: URL, defaultRequestConfiguration: RequestConfiguration = RequestConfiguration()
  ) {
    self.init(
      networkTransport: HTTPNetworkTransport(url: url),
      defaultRequestConfiguration: defaultRequestConfiguration)
  }

  /// Creates a client that sends operations over HTTP to `url`, with its own name and version.
  ///
  /// - Parameters:
  ///   - url: The URL of the GraphQL endpoint.
  ///   - defaultRequestConfiguration: The options of the calls that have none of their own.
  ///   - clientAwarenessMetadata: The name and the version of the program.
  public convenience init(
    url: URL, defaultRequestConfiguration: RequestConfiguration = RequestConfiguration(),
    clientAwarenessMetadata: ClientAwareness
  ) {
    self.init(
      networkTransport: HTTPNetworkTransport(url: url),
      defaultRequestConfiguration: defaultRequestConfiguration,
      clientAwarenessMetadata: clientAwarenessMetadata)
  }

  /// Creates a client whose deadlines are measured by a given clock.
  package init(
    networkTransport: any NetworkTransport, store: ApolloStore,
    defaultRequestConfiguration: RequestConfiguration = RequestConfiguration(),
    awareness: ClientAwareness? = nil, observers: [any CallEventObserver] = [],
    clock: any AlarmClock
  ) {
    self.networkTransport = networkTransport
    self.store = store
    self.defaultRequestConfiguration = defaultRequestConfiguration
    self.awareness = awareness
    context = CallContext(
      transport: networkTransport, store: store, observers: observers, clock: clock)
  }

  /// A closure that gives objects their cache keys, before the schema's configuration does.
  ///
  /// See `ApolloStore.cacheKeyForObject`.
  public var cacheKeyForObject: CacheKeyForObject? {
    get { store.cacheKeyForObject }
    set { store.cacheKeyForObject = newValue }
  }
}

// MARK: - Calls

extension ApolloClient {
  /// Returns the response to an operation from the cache, the server, or both.
  public func response<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    if let response = try currentResponse(to: request) { return response }
    if case .newest = request.position,
      let layer = store.layers.reserveIfNeeded(for: Operation.self)
    {
      return try await response(to: request, in: layer)
    }
    return try await EveryStep.inOrder.response(to: complete(request), context)
  }

  /// Returns the responses to an operation from the cache and the server.
  public func responses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> {
    var request = complete(request)
    request.isWhole = false
    return EveryStep.inOrder.responses(to: request, context)
  }

  /// Lets a request belong to the current session.
  public func _begin<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) -> GraphQLRequest<Operation> {
    var request = request
    request.facts.session = sessions.current
    return request
  }

  private func complete<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) -> GraphQLRequest<Operation> {
    var request = request
    if awareness != nil || request.facts.session == nil {
      var facts = request.facts
      facts.clientAwareness = awareness
      facts.session = facts.session ?? sessions.current
      request.facts = facts
    }
    if case .newest = request.position, Operation.operationType != .subscription {
      request.position = .requested(after: store.layers.latest)
    }
    return request
  }
}

extension ApolloClient {
  /// The name that Apollo iOS 1.x gives to ``Apollo/ApolloClientError``.
  public typealias ApolloClientError = Apollo.ApolloClientError
}
