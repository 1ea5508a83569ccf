public import ApolloAPI
public import ApolloCache

/// The step of a ``RequestChain`` that reads the cache, as the request's cache policy says.
public struct CacheReadInterceptor: ApolloInterceptor {
  private let store: ApolloStore?

  /// Creates a step.
  ///
  /// - Parameter store: The store to read, or `nil` for that of the client.
  public init(store: ApolloStore? = nil) { self.store = store }

  /// Returns cached data, proceeds, or both.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    @Sendable func proceed(_ completion: @escaping RequestChainCompletion<Operation.Data>) {
      chain.proceedAsync(
        request: request, response: response, interceptor: self, completion: completion)
    }
    @Sendable func found(_ value: GraphQLResult<Operation.Data>) {
      chain.returnValueAsync(for: request, value: value, completion: completion)
    }
    switch request.cachePolicy {
    case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: proceed(completion)
    case .returnCacheDataDontFetch:
      read(request) { result in
        switch result {
        case .success(let value): found(value)
        case .failure(let error):
          chain.handleErrorAsync(
            error, request: request, response: response, completion: completion)
        }
      }
    case .returnCacheDataElseFetch:
      read(request) { result in
        // The chain delivers one result, so partial data is not it.
        if case .success(let value) = result, value.isComplete { return found(value) }
        proceed(completion)
      }
    case .returnCacheDataAndFetch:
      read(request) { result in
        if case .success(let value) = result { found(value) }
        proceed(completion)
      }
    case .networkElseCache:
      proceed { result in
        // The end of a session fails a request before it ends the call: the cache may still have
        // the data of the former user. A chain that has begun anew has read the cache already. If a
        // later part is lost, the caller has newer data from an earlier one.
        guard case .failure(let error) = result, request.isWanted,
          !(error is CacheAndNetworkError), !request.call.results.hasServerResult
        else { return completion(result) }
        read(request) { cached in
          completion(
            cached.mapError {
              CacheAndNetworkError(
                operationName: Operation.operationName, networkError: error, cacheError: $0)
            })
        }
      }
    }
  }

  /// Reads the cache in a task. An error other than a miss is reported to the store as well.
  private func read<Operation: GraphQLOperation>(
    _ request: HTTPRequest<Operation>,
    _ completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    request.call.perform {
      let context = request.call.context.using(store)
      do {
        let response = try await context.readFromCache(request.graphQLRequest)
        completion(.success(GraphQLResult(response)))
      } catch {
        if !(error is CacheMissError || error is CancellationError) {
          context.store.report(error)
        }
        completion(.failure(error))
      }
    }
  }
}
