public import ApolloAPI
internal import ApolloCache
public import ApolloTransport
public import Dispatch
public import Foundation

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
  ///   - query: What to fetch, with the values of its variables.
  ///   - cachePolicy: Whether the data comes from the cache, from the server, or from both.
  ///   - contextIdentifier: Whom the write to the cache is attributed to.
  ///   - queue: Where the handler is called, always asynchronously.
  ///   - resultHandler: Takes each result.
  /// - Returns: What cancels the call.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy = .default,
    contextIdentifier: UUID? = nil,
    queue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> any Cancellable {
    let configuration = RequestConfiguration(
      writeResultsToCache: cachePolicy.writesResultsToCache)
    let responses = QueryResponses(
      executor: executor,
      request: GraphQLRequest(
        query, cachePolicy.fetchBehavior, configuration: configuration,
        origin: contextIdentifier.map { ChangeOrigin($0) }))
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
  ///   - mutation: What to perform, with the values of its variables.
  ///   - publishResultToStore: Whether the result is written to the cache.
  ///   - contextIdentifier: Whom the write to the cache is attributed to.
  ///   - queue: Where the handler is called, always asynchronously.
  ///   - resultHandler: Takes the result.
  /// - Returns: What cancels the call.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    publishResultToStore: Bool = true,
    contextIdentifier: UUID? = nil,
    queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Mutation.Data>? = nil
  ) -> any Cancellable {
    let configuration = RequestConfiguration(writeResultsToCache: publishResultToStore)
    let request = GraphQLRequest(
      mutation, .networkOnly, configuration: configuration,
      origin: contextIdentifier.map { ChangeOrigin($0) })
    return call(request, queue, resultHandler)
  }

  /// Sends an operation with files and calls back, exactly once.
  ///
  /// - Parameters:
  ///   - operation: What to send, with the values of its variables.
  ///   - files: Each takes the place of a variable's value; see `UploadingNetworkTransport.upload(_:files:)`.
  ///   - queue: Where the handler is called, always asynchronously.
  ///   - resultHandler: Takes the result.
  /// - Returns: What cancels the call.
  @discardableResult
  public func upload<Operation: GraphQLOperation>(
    operation: Operation,
    files: [GraphQLFile],
    queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Operation.Data>? = nil
  ) -> any Cancellable {
    let request = GraphQLRequest(
      operation, .networkOnly, configuration: RequestConfiguration(), files: files)
    return call(request, queue, resultHandler)
  }

  private func call<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, _ queue: DispatchQueue,
    _ resultHandler: GraphQLResultHandler<Operation.Data>?
  ) -> any Cancellable {
    CallTask { [executor] in
      let result: Result<GraphQLResult<Operation.Data>, any Swift.Error>
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
    completion: (@Sendable (Result<Void, any Swift.Error>) -> Void)? = nil
  ) {
    _ = CallTask { [store] in
      let result: Result<Void, any Swift.Error>
      do {
        result = .success(try await store.clearCache())
      } catch {
        result = .failure(error)
      }
      if let completion { callbackQueue.async { completion(result) } }
    }
  }
}
