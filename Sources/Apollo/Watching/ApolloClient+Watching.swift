public import ApolloAPI
import ApolloCache
public import Dispatch

extension ApolloClientProtocol {
  /// Watches a query: delivers its data to a handler on a queue, now and whenever the cache has
  /// other data for it.
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - cachePolicy: The source of the first data.
  ///   - requestConfiguration: The options of all requests of the watch, or `nil` for the client's.
  ///   - refetchOnFailedUpdates: `true` to fetch the query again if some of its data is removed
  ///     from the cache. `false` to deliver a `CacheMissError`.
  ///   - callbackQueue: The queue on which the handler is called, always asynchronously.
  ///   - resultHandler: A closure that receives each result.
  /// - Returns: The watcher. The watch ends when the last reference to it is released.
  public func watch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy = .default,
    requestConfiguration: RequestConfiguration? = nil,
    refetchOnFailedUpdates: Bool = true,
    callbackQueue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    let watcher = GraphQLQueryWatcher(
      client: self, query: query, requestConfiguration: requestConfiguration,
      refetchOnFailedUpdates: refetchOnFailedUpdates, callbackQueue: callbackQueue,
      resultHandler: resultHandler)
    watcher.fetch(cachePolicy: cachePolicy)
    return watcher
  }

  /// Watches a query: delivers its data to a handler on a queue, now and whenever the cache has
  /// other data for it.
  ///
  /// ```swift
  /// let watcher = apollo.watch(query: HeroNameQuery(), fetchBehavior: .cacheAndNetwork) { result in
  ///   print((try? result.get())?.data?.hero?.name ?? "no hero")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - fetchBehavior: The source of the first data. Every cache policy is a name for one.
  ///   - requestConfiguration: The options of all requests of the watch, or `nil` for the client's.
  ///   - refetchOnFailedUpdates: `true` to fetch the query again if some of its data is removed
  ///     from the cache. `false` to deliver a `CacheMissError`.
  ///   - callbackQueue: The queue on which the handler is called, always asynchronously.
  ///   - resultHandler: A closure that receives each result.
  /// - Returns: The watcher. The watch ends when the last reference to it is released.
  public func watch<Query: GraphQLQuery>(
    query: Query,
    fetchBehavior: FetchBehavior,
    requestConfiguration: RequestConfiguration? = nil,
    refetchOnFailedUpdates: Bool = true,
    callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    let watcher = GraphQLQueryWatcher(
      client: self, query: query, requestConfiguration: requestConfiguration,
      refetchOnFailedUpdates: refetchOnFailedUpdates, callbackQueue: callbackQueue,
      resultHandler: resultHandler)
    watcher.fetch(fetchBehavior: fetchBehavior)
    return watcher
  }

  /// Watches a query: delivers its data to a handler on the main actor, now and whenever the cache
  /// has other data for it.
  ///
  /// ```swift
  /// let watcher = apollo.watch(query: HeroNameQuery()) { result in
  ///   print((try? result.get())?.data?.hero?.name ?? "no hero")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - cachePolicy: The source of the first data.
  ///   - requestConfiguration: The options of all requests of the watch, or `nil` for the client's.
  ///   - refetchOnFailedUpdates: `true` to fetch the query again if some of its data is removed
  ///     from the cache. `false` to deliver a `CacheMissError`.
  ///   - resultHandler: A closure that receives each result, always asynchronously.
  /// - Returns: The watcher. The watch ends when the last reference to it is released.
  public func watch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy = .default,
    requestConfiguration: RequestConfiguration? = nil,
    refetchOnFailedUpdates: Bool = true,
    resultHandler: @escaping MainActorResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watch(
      query: query, cachePolicy: cachePolicy, requestConfiguration: requestConfiguration,
      refetchOnFailedUpdates: refetchOnFailedUpdates, callbackQueue: .main
    ) { result in
      MainActor.assumeIsolated { resultHandler(result) }
    }
  }

  /// Returns a query's data, now and whenever the cache has other data for it, as a sequence.
  ///
  /// ```swift
  /// for await result in apollo.watch(query: HeroNameQuery()) {
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
    query: Query, cachePolicy: CachePolicy = .default,
    requestConfiguration: RequestConfiguration? = nil, refetchOnFailedUpdates: Bool = true
  ) -> QueryUpdates<Query> {
    QueryUpdates(
      client: self, query: query, configuration: requestConfiguration,
      refetchOnFailedUpdates: refetchOnFailedUpdates, start: { $0.fetch(cachePolicy: cachePolicy) })
  }

  /// Returns a query's data, now and whenever the cache has other data for it, as a sequence.
  ///
  /// ```swift
  /// for await result in apollo.watch(query: HeroNameQuery(), fetchBehavior: .networkFirst) {
  ///   print(try result.get().data?.hero?.name ?? "no hero")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - fetchBehavior: The source of the first data. Every cache policy is a name for one.
  ///   - requestConfiguration: The options of all requests of the watch, or `nil` for the client's.
  ///   - refetchOnFailedUpdates: `true` to fetch the query again if some of its data is removed
  ///     from the cache. `false` to deliver a `CacheMissError`.
  /// - Returns: A sequence of results. Each iteration is a watch of its own.
  public func watch<Query: GraphQLQuery>(
    query: Query, fetchBehavior: FetchBehavior,
    requestConfiguration: RequestConfiguration? = nil, refetchOnFailedUpdates: Bool = true
  ) -> QueryUpdates<Query> {
    QueryUpdates(
      client: self, query: query, configuration: requestConfiguration,
      refetchOnFailedUpdates: refetchOnFailedUpdates,
      start: { $0.fetch(fetchBehavior: fetchBehavior) })
  }
}

extension GraphQLQueryWatcher {
  /// Prepares a watch. It starts with the first fetch.
  ///
  /// ```swift
  /// let watcher = GraphQLQueryWatcher(client: apollo, query: HeroNameQuery()) { result in
  ///   print(result)
  /// }
  /// watcher.fetch(cachePolicy: .returnCacheDataAndFetch)
  /// ```
  ///
  /// - Parameters:
  ///   - client: The client that fetches the query. The watcher retains it.
  ///   - query: The query with the values of its variables.
  ///   - requestConfiguration: The options of all requests of the watch, or `nil` for the client's.
  ///   - refetchOnFailedUpdates: `true` to fetch the query again if some of its data is removed
  ///     from the cache. `false` to deliver a `CacheMissError`.
  ///   - callbackQueue: The queue on which the handler is called, always asynchronously.
  ///   - resultHandler: A closure that receives each result.
  public convenience init(
    client: any ApolloClientProtocol,
    query: Query,
    requestConfiguration: RequestConfiguration? = nil,
    refetchOnFailedUpdates: Bool = true,
    callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) {
    self.init(
      watching: client, query: query, configuration: requestConfiguration,
      refetchOnFailedUpdates: refetchOnFailedUpdates,
      deliver: { [queue = callbackQueue.serial] watcher, news in
        guard let result = news.result else { return }
        queue.async { [weak watcher] in
          guard watcher?.isCurrent(news.session) == true else { return }
          resultHandler(result.map { GraphQLResult($0) })
        }
      })
  }
}

/// The results of a watched query, as a sequence that ends with its watcher.
///
/// ```swift
/// for await result in apollo.watch(query: HeroNameQuery()) {
///   print(try result.get().data?.hero?.name ?? "no hero")
/// }
/// ```
///
/// Each iteration is a watch of its own. The loop and its task end the watch, and cancelling the
/// iterator's `watcher` ends the loop. An error is an element and does not end the sequence. A slow
/// loop skips results that are outdated already: the newest response is buffered, and an error that
/// has followed it.
public struct QueryUpdates<Query: GraphQLQuery>: AsyncSequence, Sendable {
  /// A response, or the reason why there is none.
  public typealias Element = Result<GraphQLResponse<Query>, any Error>

  let client: any ApolloClientProtocol
  let query: Query
  let configuration: RequestConfiguration?
  let refetchOnFailedUpdates: Bool
  /// Starts the first fetch of a watch.
  let start: @Sendable (GraphQLQueryWatcher<Query>) -> Void

  /// Starts a watch.
  public func makeAsyncIterator() -> Iterator {
    let results = NewestResults<GraphQLResponse<Query>>()
    let watcher = GraphQLQueryWatcher(
      watching: client, query: query, configuration: configuration,
      refetchOnFailedUpdates: refetchOnFailedUpdates,
      deliver: { _, news in
        if let result = news.result { results.add(result, of: news.session) }
      },
      end: { results.finish() })
    start(watcher)
    return Iterator(
      watcher: watcher, store: client.store, results: results,
      signals: results.signals.makeAsyncIterator())
  }

  /// The owner of one watch.
  public struct Iterator: AsyncIteratorProtocol {
    /// The watch. Use it to fetch the query again.
    public let watcher: GraphQLQueryWatcher<Query>
    let store: ApolloStore
    let results: NewestResults<GraphQLResponse<Query>>
    var signals: AsyncStream<Void>.Iterator

    /// Returns the newest result that was not returned yet, or `nil` if the task or the
    /// watcher is cancelled.
    ///
    /// Inside a write transaction on the same store, returns `StoreError.reentrantTransaction`: the
    /// next result would wait for the end of the transaction.
    public mutating func next() async -> Element? {
      guard !store.isKeptFromWriting else { return .failure(StoreError.reentrantTransaction) }
      repeat {
        while !Task.isCancelled, let (result, session) = results.take() {
          // A result of a session that has ended meanwhile is not returned.
          if watcher.isCurrent(session) { return result }
        }
      } while await signals.next() != nil
      watcher.cancel()
      return nil
    }
  }
}
