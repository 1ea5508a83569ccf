public import ApolloCache
public import ApolloTransport
public import Foundation

/// Fetches, changes and watches data: the one object a program needs.
///
/// ```swift
/// let apollo = ApolloClient(url: URL(string: "http://localhost:8080/graphql")!)
/// let response = try await apollo.fetch(query: HeroNameQuery(episode: .empire))
/// print(response.data?.hero?.name ?? "nobody")
/// ```
///
/// Make one client for each server and keep it; it is safe to use from everywhere. A call that is under
/// way keeps what it needs, so it ends properly even when the client is released before.
public final class ApolloClient: Sendable {
  /// What sends operations to the server.
  public let networkTransport: any NetworkTransport

  /// What is known from earlier responses.
  public let store: ApolloStore

  let executor: OperationExecutor

  /// - Parameters:
  ///   - networkTransport: What sends operations to the server.
  ///   - store: Where responses are kept; by default in memory.
  public init(
    networkTransport: any NetworkTransport,
    store: ApolloStore = ApolloStore(cache: InMemoryNormalizedCache())
  ) {
    self.networkTransport = networkTransport
    self.store = store
    executor = OperationExecutor(transport: networkTransport, store: store)
  }

  /// Gives an object a key in the cache before the schema's configuration is asked; see `ApolloStore.cacheKeyForObject`.
  public var cacheKeyForObject: CacheKeyForObject? {
    get { store.cacheKeyForObject }
    set { store.cacheKeyForObject = newValue }
  }

  /// A client for the endpoint at `url`, over HTTP, with a cache in memory.
  public convenience init(url: URL) {
    self.init(networkTransport: HTTPNetworkTransport(url: url))
  }
}
