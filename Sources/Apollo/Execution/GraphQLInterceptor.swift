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
///
/// Implement one of its methods: ``handleError(_:request:retry:)``, or the method of Apollo iOS 1.x
/// with a ``RequestChain``.
@preconcurrency
public protocol ApolloErrorInterceptor: Sendable {
  /// Returns a response in place of an error, or throws.
  ///
  /// Called for every error of a call except `CancellationError`, after all other interceptors.
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
  ///     guard error is NetworkError else { return completion(.failure(error)) }
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

extension ApolloErrorInterceptor {
  /// Calls ``handleErrorAsync(error:chain:request:response:completion:)`` with a chain that retries
  /// through `retry`.
  public func handleError<Operation: GraphQLOperation>(
    _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let results = RequestChainResults<Operation>(.one)
    let call = RequestChainCall(
      [], errorInterceptor: nil, executor: retry.executor, results: results, restart: retry)
    handleErrorAsync(
      error: error, chain: RequestChainStep(next: 0, of: call),
      request: HTTPRequest(request, call), response: nil, completion: call.completion())
    let response = try await withTaskCancellationHandler {
      try await results.next()
    } onCancel: {
      call.cancel()
    }
    guard let response else { throw error }
    return response
  }

  /// Calls ``handleError(_:request:retry:)`` with the steps of `chain`.
  public func handleErrorAsync<Operation: GraphQLOperation>(
    error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    // An interceptor without either method has nothing to do.
    guard !request.call.isWithoutSteps else { return completion(.failure(error)) }
    request.call.perform {
      do {
        let response = try await handleError(
          error, request: request.graphQLRequest, retry: request.call.retryChain)
        completion(.success(GraphQLResult(response)))
      } catch {
        completion(.failure(error))
      }
    }
  }
}

/// The remaining steps of a call: interceptors in order, then the cache and the server.
public struct InterceptorChain<Operation: GraphQLOperation>: Sendable {
  var interceptors: ArraySlice<any GraphQLInterceptor>
  let executor: OperationExecutor
  /// The place for the responses after the first one, if the call has several.
  private var remaining: RemainingResponses<Operation>?

  init(interceptors: ArraySlice<any GraphQLInterceptor>, executor: OperationExecutor) {
    self.interceptors = interceptors
    self.executor = executor
  }

  /// Executes the remaining steps for `request` and returns their response.
  ///
  /// In a call with several responses this is the first one.
  public func proceed(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    if let remaining { return try await remaining.first(of: responses(to: request)) }
    guard let first = interceptors.first else { return try await executor.execute(request) }
    return try await first.intercept(request, next: rest)
  }

  /// Executes the remaining steps for `request` and returns their responses.
  public func responses(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> {
    guard let first = interceptors.first else { return executor.responsesOfSources(to: request) }
    return first.responses(to: request, next: rest)
  }

  private var rest: InterceptorChain {
    InterceptorChain(interceptors: interceptors.dropFirst(), executor: executor)
  }

  /// Returns a chain that keeps the responses after the first one in `remaining`.
  func keepingRemaining(in remaining: RemainingResponses<Operation>) -> InterceptorChain {
    var chain = self
    chain.remaining = remaining
    return chain
  }
}

/// The responses after the first one, while an interceptor handles the first one.
///
/// An interceptor that proceeds again, to retry, replaces them: the earlier call is cancelled.
final class RemainingResponses<Operation: GraphQLOperation>: Sendable {
  private let iterator = Lock<GraphQLResponses<Operation>.Iterator?>(nil)

  /// Starts an iteration and returns its first response.
  ///
  /// - Throws: ``NoResponse`` if the sequence is empty, and the errors of the sequence.
  func first(of responses: GraphQLResponses<Operation>) async throws -> GraphQLResponse<Operation> {
    _ = iterator.exchange(nil)
    var iterator = responses.makeAsyncIterator()
    guard let first = try await iterator.next() else { throw NoResponse() }
    // A call that was made at the same time is released here, outside of the lock.
    _ = self.iterator.exchange(iterator)
    return first
  }

  /// Returns the next response of the latest iteration.
  func next() async throws -> GraphQLResponse<Operation>? {
    guard var iterator = iterator.exchange(nil) else { return nil }
    guard let response = try await iterator.next() else { return nil }
    self.iterator.withLock { $0 = iterator }
    return response
  }
}

/// The end of a sequence without a response, such as a subscription that is completed at once.
struct NoResponse: Error {}
