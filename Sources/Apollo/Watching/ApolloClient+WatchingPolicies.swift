public import ApolloAPI
import ApolloCache
public import Dispatch

// The policies of the `async` calls, for watches.
extension ApolloClientProtocol {
  /// Watches a query, whose first data comes from a source of one response.
  ///
  /// ```swift
  /// let watcher = apollo.watch(query: HeroNameQuery(), cachePolicy: .networkFirst) { result in
  ///   print((try? result.get())?.data?.hero?.name ?? "no hero")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - cachePolicy: The source of the first data.
  ///   - requestConfiguration: The options of all requests of the watch.
  ///   - refetchOnFailedUpdates: `true` to fetch the query again if some of its data is removed
  ///     from the cache. `false` to deliver a `CacheMissError`.
  ///   - callbackQueue: The queue on which the handler is called, always asynchronously.
  ///   - resultHandler: A closure that receives each result.
  /// - Returns: The watcher. The watch ends when the last reference to it is released.
  public func watch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy.Query.SingleResponse,
    requestConfiguration: RequestConfiguration? = nil,
    refetchOnFailedUpdates: Bool = true,
    callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watch(
      query: query, fetchBehavior: cachePolicy.fetchBehavior,
      requestConfiguration: requestConfiguration, refetchOnFailedUpdates: refetchOnFailedUpdates,
      callbackQueue: callbackQueue, resultHandler: resultHandler)
  }

  /// Watches a query in the cache alone. No request is sent.
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - cachePolicy: The source of the first data.
  ///   - callbackQueue: The queue on which the handler is called, always asynchronously.
  ///   - resultHandler: A closure that receives each result.
  /// - Returns: The watcher. The watch ends when the last reference to it is released.
  public func watch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy.Query.CacheOnly,
    callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watch(
      query: query, fetchBehavior: .cacheOnly, callbackQueue: callbackQueue,
      resultHandler: resultHandler)
  }

  /// Watches a query, whose first data comes from the cache, if it is complete there, and then from
  /// the server.
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - cachePolicy: The source of the first data.
  ///   - requestConfiguration: The options of all requests of the watch.
  ///   - refetchOnFailedUpdates: `true` to fetch the query again if some of its data is removed
  ///     from the cache. `false` to deliver a `CacheMissError`.
  ///   - callbackQueue: The queue on which the handler is called, always asynchronously.
  ///   - resultHandler: A closure that receives each result.
  /// - Returns: The watcher. The watch ends when the last reference to it is released.
  public func watch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy.Query.CacheAndNetwork,
    requestConfiguration: RequestConfiguration? = nil,
    refetchOnFailedUpdates: Bool = true,
    callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watch(
      query: query, fetchBehavior: cachePolicy.fetchBehavior,
      requestConfiguration: requestConfiguration,
      refetchOnFailedUpdates: refetchOnFailedUpdates, callbackQueue: callbackQueue,
      resultHandler: resultHandler)
  }
}

// The policies of the `async` calls, for watches that are sequences.
extension ApolloClientProtocol {
  /// Returns a query's data, first from a source of one response and then whenever the cache has
  /// other data for it, as a sequence.
  ///
  /// ```swift
  /// for await result in apollo.watch(query: HeroNameQuery(), cachePolicy: .networkFirst) {
  ///   print(try result.get().data?.hero?.name ?? "no hero")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - cachePolicy: The source of the first data.
  ///   - requestConfiguration: The options of all requests of the watch, or `nil` for the client's.
  ///   - refetchOnFailedUpdates: `true` to fetch the query again if some of its data is removed
  ///     from the cache. `false` to deliver a `CacheMissError`.
  /// - Returns: A sequence of results. Each iteration is a watch of its own.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.SingleResponse,
    requestConfiguration: RequestConfiguration? = nil, refetchOnFailedUpdates: Bool = true
  ) -> QueryUpdates<Query> {
    watch(
      query: query, fetchBehavior: cachePolicy.fetchBehavior,
      requestConfiguration: requestConfiguration, refetchOnFailedUpdates: refetchOnFailedUpdates)
  }

  /// Returns a query's data in the cache, now and whenever the cache has other data for it, as a
  /// sequence. No request is sent.
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - cachePolicy: The source of the first data.
  /// - Returns: A sequence of results. Each iteration is a watch of its own.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheOnly
  ) -> QueryUpdates<Query> {
    watch(query: query, fetchBehavior: .cacheOnly)
  }

  /// Returns a query's data, first from the cache, if it is complete there, then from the server,
  /// and then whenever the cache has other data for it, as a sequence.
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - cachePolicy: The source of the first data.
  ///   - requestConfiguration: The options of all requests of the watch, or `nil` for the client's.
  ///   - refetchOnFailedUpdates: `true` to fetch the query again if some of its data is removed
  ///     from the cache. `false` to deliver a `CacheMissError`.
  /// - Returns: A sequence of results. Each iteration is a watch of its own.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheAndNetwork,
    requestConfiguration: RequestConfiguration? = nil, refetchOnFailedUpdates: Bool = true
  ) -> QueryUpdates<Query> {
    watch(
      query: query, fetchBehavior: cachePolicy.fetchBehavior,
      requestConfiguration: requestConfiguration,
      refetchOnFailedUpdates: refetchOnFailedUpdates)
  }
}
