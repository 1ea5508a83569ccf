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
public final class ApolloClient: Sendable {
  /// The transport that sends operations to the server.
  public let networkTransport: any NetworkTransport

  /// The store that holds the data of earlier responses.
  public let store: ApolloStore

  let executor: OperationExecutor

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
  ///   - observers: The receivers of the steps of each call, such as logs.
  public convenience init(
    networkTransport: any NetworkTransport,
    store: ApolloStore = ApolloStore(cache: InMemoryNormalizedCache()),
    observers: [any CallEventObserver] = []
  ) {
    self.init(
      networkTransport: networkTransport, store: store, observers: observers,
      clock: SystemAlarmClock.shared)
  }

  /// Creates a client whose deadlines are measured by a given clock.
  package init(
    networkTransport: any NetworkTransport, store: ApolloStore,
    observers: [any CallEventObserver] = [], clock: any AlarmClock
  ) {
    self.networkTransport = networkTransport
    self.store = store
    executor = OperationExecutor(
      transport: networkTransport, store: store, observers: observers, clock: clock)
  }

  /// A closure that gives objects their cache keys, before the schema's configuration does.
  ///
  /// See `ApolloStore.cacheKeyForObject`.
  public var cacheKeyForObject: CacheKeyForObject? {
    get { store.cacheKeyForObject }
    set { store.cacheKeyForObject = newValue }
  }

  /// Creates a client that sends operations over HTTP to `url` and keeps their data in memory.
  public convenience init(url: URL) {
    self.init(networkTransport: HTTPNetworkTransport(url: url))
  }
}

extension ApolloClient {
  /// The name that Apollo iOS 1.x gives to ``Apollo/ApolloClientError``.
  public typealias ApolloClientError = Apollo.ApolloClientError
}
