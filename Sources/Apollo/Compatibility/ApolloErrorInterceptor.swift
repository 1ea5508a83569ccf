public import ApolloAPI

/// The last step of a failed call: returns a replacement or throws.
///
/// This error interceptor reads old data from the cache if there is no connection to the server:
///
/// ```swift
/// struct OldDataWhenOffline: ApolloErrorInterceptor {
///   func handleError<Operation: GraphQLOperation>(
///     _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
///   ) async throws -> GraphQLResponse<Operation> {
///     guard Operation.operationType == .query, error is NetworkError else { throw error }
///     var request = request
///     request.fetchBehavior = .cacheOnly
///     return try await retry.proceed(request)
///   }
/// }
/// ```
///
/// Implement one of its methods: ``handleError(_:request:retry:)``, or the method of Apollo iOS 1.x
/// with a ``RequestChain``.
@preconcurrency
public protocol ApolloErrorInterceptor: Sendable {
  /// Returns a response in place of an error, or throws.
  ///
  /// Called for every error of a call except `CancellationError`, after all other interceptors. An
  /// error of reading the cache is not that of the call if the server is asked next.
  ///
  /// - Parameters:
  ///   - error: The error of the call.
  ///   - request: The request as the caller made it.
  ///   - retry: All interceptors of the call, followed by the cache and the server. An error of the
  ///     retry is thrown to the caller, without a second call of this method. In a call with
  ///     several responses, such as a subscription, the other responses of the retry follow.
  /// - Returns: The response for the caller.
  /// - Throws: The error for the caller, usually `error`.
  func handleError<Operation: GraphQLOperation>(
    _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation>

  /// Handles an error by a method of `chain`, or by a call of `completion`, once.
  ///
  /// This is the method of Apollo iOS 1.x. The following one returns old data if the server cannot
  /// be reached:
  ///
  /// ```swift
  /// struct CachedDataInterceptor: ApolloErrorInterceptor {
  ///   func handleErrorAsync<Operation: GraphQLOperation>(
  ///     error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>,
  ///     response: ChainResponse<Operation>?,
  ///     completion: @escaping RequestChainCompletion<Operation.Data>
  ///   ) {
  ///     guard Operation.operationType == .query, error is NetworkError else {
  ///       return completion(.failure(error))
  ///     }
  ///     request.cachePolicy = .returnCacheDataDontFetch
  ///     chain.retry(request: request, completion: completion)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - error: The error of the call.
  ///   - chain: The chain, which can begin anew.
  ///   - request: The request, which can be changed.
  ///   - response: The response, if there is one.
  ///   - completion: The closure that receives the result of the call.
  @preconcurrency
  func handleErrorAsync<Operation: GraphQLOperation>(
    error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>)
}
