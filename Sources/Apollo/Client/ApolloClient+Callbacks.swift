public import ApolloAPI
public import ApolloCache
public import Dispatch

/// What a call with a callback ends in: a result, or the reason why there is none.
public typealias GraphQLResultHandler<Data: RootSelectionSet> =
  @Sendable (Result<GraphQLResult<Data>, any Error>) -> Void

extension ApolloClient {
  /// Fetches a query's data and calls back.
  ///
  /// The handler is called exactly once; with ``CachePolicy/returnCacheDataAndFetch`` once more when the
  /// cache had all of the data. When the call is cancelled it is called with a `CancellationError`.
  ///
  /// - Parameters:
  ///   - contextIdentifier: Whom the write to the cache is attributed to.
  ///   - queue: Where the handler is called, always asynchronously.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy = .default,
    contextIdentifier: ChangeOrigin? = nil,
    queue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> any Cancellable {
    let configuration = RequestConfiguration(
      writeResultsToCache: cachePolicy.writesResultsToCache)
    let responses = QueryResponses(
      executor: executor,
      request: GraphQLRequest(
        query, cachePolicy.fetchBehavior, configuration: configuration, origin: contextIdentifier))
    return CallTask {
      do {
        for try await response in responses {
          try Task.checkCancellation()
          queue.async { resultHandler(.success(GraphQLResult(response))) }
        }
      } catch {
        queue.async { resultHandler(.failure(error)) }
      }
    }
  }

  /// Performs a mutation and calls back.
  ///
  /// The handler is called exactly once. When the call is cancelled it is called with a
  /// `CancellationError`; whether the server has carried out the mutation is then unknown.
  ///
  /// - Parameters:
  ///   - publishResultToStore: Whether the result is written to the cache.
  ///   - contextIdentifier: Whom the write to the cache is attributed to.
  ///   - queue: Where the handler is called, always asynchronously.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    publishResultToStore: Bool = true,
    contextIdentifier: ChangeOrigin? = nil,
    queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Mutation.Data>? = nil
  ) -> any Cancellable {
    let configuration = RequestConfiguration(writeResultsToCache: publishResultToStore)
    let request = GraphQLRequest(
      mutation, .networkOnly, configuration: configuration, origin: contextIdentifier)
    return CallTask { [executor] in
      let result: Result<GraphQLResult<Mutation.Data>, any Error>
      do {
        let response = try await executor.response(to: request)
        try Task.checkCancellation()
        result = .success(GraphQLResult(response))
      } catch {
        result = .failure(error)
      }
      if let resultHandler { queue.async { resultHandler(result) } }
    }
  }

  /// Removes everything from the cache, tells watchers, and calls back.
  public func clearCache(
    callbackQueue: DispatchQueue = .main,
    completion: (@Sendable (Result<Void, any Error>) -> Void)? = nil
  ) {
    _ = CallTask { [store] in
      let result: Result<Void, any Error>
      do {
        result = .success(try await store.clearCache())
      } catch {
        result = .failure(error)
      }
      if let completion { callbackQueue.async { completion(result) } }
    }
  }
}
