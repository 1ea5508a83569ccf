public import ApolloAPI

/// A step around a whole call: before the cache is read and the operation is sent, and afterwards.
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
///
/// An ``InterceptorProvider`` supplies the interceptors of each operation. To change HTTP requests,
/// such as their headers, use an `HTTPInterceptor`.
public protocol GraphQLInterceptor: Sendable {
  /// Returns a response to `request`, usually that of `next`.
  ///
  /// An interceptor can change the request, change the response, or return a response without
  /// calling `next`. Each call of `next` executes the operation again: the server may carry out a
  /// mutation twice.
  ///
  /// - Parameters:
  ///   - request: The operation and its options.
  ///   - next: The remaining interceptors, followed by the cache and the server.
  /// - Returns: The response for the caller, or for the interceptor before this one.
  /// - Throws: Any error. An error of `next` is usually thrown as it is.
  func intercept<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation>
}

/// The last step of a failed call: returns a replacement or throws.
///
/// This error interceptor reads old data from the cache if there is no connection to the server:
///
/// ```swift
/// struct OldDataWhenOffline: ApolloErrorInterceptor {
///   func handleError<Operation: GraphQLOperation>(
///     _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
///   ) async throws -> GraphQLResponse<Operation> {
///     guard error is NetworkError else { throw error }
///     var request = request
///     request.fetchBehavior = .cacheOnly
///     return try await retry.proceed(request)
///   }
/// }
/// ```
public protocol ApolloErrorInterceptor: Sendable {
  /// Returns a response in place of an error, or throws.
  ///
  /// Called for every error of a call except `CancellationError`, after all other interceptors.
  ///
  /// - Parameters:
  ///   - error: The error of the call.
  ///   - request: The request as the caller made it.
  ///   - retry: All interceptors of the call, followed by the cache and the server. An error of the
  ///     retry is thrown to the caller, without a second call of this method.
  /// - Returns: The response for the caller.
  /// - Throws: The error for the caller, usually `error`.
  func handleError<Operation: GraphQLOperation>(
    _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation>
}

/// The remaining steps of a call: interceptors in order, then the cache and the server.
public struct InterceptorChain<Operation: GraphQLOperation>: Sendable {
  var interceptors: ArraySlice<any GraphQLInterceptor>
  let executor: OperationExecutor

  /// Executes the remaining steps for `request` and returns their response.
  public func proceed(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    guard let first = interceptors.first else { return try await executor.execute(request) }
    let rest = InterceptorChain(interceptors: interceptors.dropFirst(), executor: executor)
    return try await first.intercept(request, next: rest)
  }
}
