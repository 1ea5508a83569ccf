public import ApolloAPI
internal import ApolloTransport

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

  /// Returns the responses to `request`, usually those of `next`.
  ///
  /// Called instead of ``intercept(_:next:)`` for calls with several responses: subscriptions, and
  /// queries whose caller takes the parts of a response as they arrive. The default implementation
  /// lets ``intercept(_:next:)`` handle the first response, and passes the others on unchanged.
  func responses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
  ) -> GraphQLResponses<Operation>
}

extension GraphQLInterceptor {
  /// Lets ``intercept(_:next:)`` handle the first response, and passes the others on unchanged.
  public func responses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
  ) -> GraphQLResponses<Operation> {
    GraphQLResponses {
      let remaining = RemainingResponses<Operation>()
      var isFirst = true
      return {
        guard isFirst else { return try await remaining.next() }
        isFirst = false
        do {
          return try await intercept(request, next: next.keepingRemaining(in: remaining))
        } catch is NoResponse {
          return nil
        }
      }
    }
  }
}
