public import ApolloAPI

/// Stands between the client and the work of an operation: sees each request before the cache is read
/// and the server asked, and the response or the error afterwards.
///
/// ```swift
/// struct Timing: GraphQLInterceptor {
///   func intercept<Operation: GraphQLOperation>(
///     _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
///   ) async throws -> GraphQLResponse<Operation> {
///     let start = ContinuousClock.now
///     defer { print(Operation.operationName, ContinuousClock.now - start) }
///     return try await next.proceed(request)
///   }
/// }
/// ```
public protocol GraphQLInterceptor: Sendable {
  /// Does something before, after or instead of `next`. Calling `next` again asks again; a mutation
  /// that is asked again may be carried out twice.
  func intercept<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation>
}

/// Has the last word when an operation fails: after all other interceptors, for every error.
public protocol ApolloErrorInterceptor: Sendable {
  /// Returns a response in place of the error, or throws.
  ///
  /// To show old data when the server cannot be reached:
  ///
  /// ```swift
  /// guard error is NetworkError else { throw error }
  /// var request = request
  /// request.fetchBehavior = .cacheOnly
  /// return try await retry.proceed(request)
  /// ```
  ///
  /// `retry` goes through all interceptors again, but not through this one.
  func handleError<Operation: GraphQLOperation>(
    _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation>
}

/// What is left to do for a request: the remaining interceptors, in order, then cache and server.
public struct InterceptorChain<Operation: GraphQLOperation>: Sendable {
  var interceptors: ArraySlice<any GraphQLInterceptor>
  let executor: OperationExecutor

  /// Hands `request` to the next interceptor, or to cache and server when none is left.
  public func proceed(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    guard let first = interceptors.first else { return try await executor.execute(request) }
    let rest = InterceptorChain(interceptors: interceptors.dropFirst(), executor: executor)
    return try await first.intercept(request, next: rest)
  }
}
