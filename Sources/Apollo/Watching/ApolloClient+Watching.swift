public import ApolloAPI
import ApolloCache
public import Dispatch

extension ApolloClient {
  /// Fetches a query and calls back, now and whenever the cache has other data for it.
  ///
  /// - Parameters:
  ///   - query: What to watch, with the values of its variables.
  ///   - cachePolicy: Where the first data comes from.
  ///   - refetchOnFailedUpdates: Whether to fetch again when something of the data is no longer in the cache: it was removed, or
  ///     another operation wrote an object that lacks it. Otherwise a `CacheMissError` says what.
  ///   - callbackQueue: Where the handler is called, always asynchronously.
  ///   - resultHandler: Takes each result.
  /// - Returns: The watcher. The watch ends when it is released.
  public func watch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy = .default,
    refetchOnFailedUpdates: Bool = true,
    callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    let watcher = GraphQLQueryWatcher(
      client: self, query: query, refetchOnFailedUpdates: refetchOnFailedUpdates,
      callbackQueue: callbackQueue, resultHandler: resultHandler)
    watcher.fetch(cachePolicy: cachePolicy)
    return watcher
  }

  /// A query's data, now and whenever the cache has other data for it.
  ///
  /// ```swift
  /// for await result in apollo.watch(query: HeroNameQuery()) {
  ///   print(try result.get().data?.hero?.name ?? "no hero")
  /// }
  /// ```
  ///
  /// Each iteration is a watch of its own, which ends with the loop. An error does not end it. A slow
  /// loop misses what was outdated before it came: only the newest result is kept.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy = .default, refetchOnFailedUpdates: Bool = true
  ) -> QueryUpdates<Query> {
    QueryUpdates(
      executor: executor, query: query, cachePolicy: cachePolicy,
      refetchOnFailedUpdates: refetchOnFailedUpdates)
  }
}

extension GraphQLQueryWatcher {
  /// Prepares a watch. It begins with the first fetch.
  ///
  /// - Parameters:
  ///   - client: What fetches. It may be released before the watcher.
  ///   - query: What to watch, with the values of its variables.
  ///   - refetchOnFailedUpdates: Whether to fetch again when something of the data is no longer in the cache: it was removed, or
  ///     another operation wrote an object that lacks it. Otherwise a `CacheMissError` says what.
  ///   - callbackQueue: Where the handler is called, always asynchronously.
  ///   - resultHandler: Takes each result.
  public convenience init(
    client: ApolloClient,
    query: Query,
    refetchOnFailedUpdates: Bool = true,
    callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) {
    self.init(
      executor: client.executor, query: query, refetchOnFailedUpdates: refetchOnFailedUpdates
    ) { watcher, result in
      callbackQueue.async { [weak watcher] in
        guard watcher?.isCancelled == false else { return }
        resultHandler(result.map { GraphQLResult($0) })
      }
    }
  }
}

/// A query's results as the cache changes, until the iteration ends.
public struct QueryUpdates<Query: GraphQLQuery>: AsyncSequence, Sendable {
  /// Data, or why there is none. An error is not the end.
  public typealias Element = Result<GraphQLResponse<Query>, any Error>

  let executor: OperationExecutor
  let query: Query
  let cachePolicy: CachePolicy
  let refetchOnFailedUpdates: Bool

  /// Begins a watch of its own.
  public func makeAsyncIterator() -> Iterator {
    let (stream, continuation) = AsyncStream<Element>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let watcher = GraphQLQueryWatcher(
      executor: executor, query: query, refetchOnFailedUpdates: refetchOnFailedUpdates
    ) { continuation.yield($1) }
    watcher.fetch(cachePolicy: cachePolicy)
    return Iterator(
      watcher: watcher, store: executor.store, results: stream.makeAsyncIterator())
  }

  /// Owns a watch.
  public struct Iterator: AsyncIteratorProtocol {
    /// The watch, for whoever wants to fetch again.
    public let watcher: GraphQLQueryWatcher<Query>
    let store: ApolloStore
    var results: AsyncStream<Element>.Iterator

    /// The newest result that has not been seen; `nil` when the task was cancelled.
    ///
    /// Inside of a transaction that writes to the same store it is `StoreError.reentrantTransaction`: what it would wait for comes after that.
    public mutating func next() async -> Element? {
      guard !store.isKeptFromWriting else { return .failure(StoreError.reentrantTransaction) }
      let result = await results.next()
      if result == nil { watcher.cancel() }
      return result
    }
  }
}
