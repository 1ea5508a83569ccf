public import ApolloAPI
public import Foundation

/// The step of a ``RequestChain`` that limits its retries. It comes first.
///
/// The number belongs to the call, so one interceptor can serve several calls. After the limit,
/// every further retry fails as well.
public struct MaxRetryInterceptor: ApolloInterceptor {
  /// A call that was retried too often.
  public enum RetryError: Error, Hashable, Sendable {
    /// The chain began anew more often than it may.
    case hitMaxRetryCount(count: Int, operationName: String)
  }

  private let maximumRetryCount: Int

  /// Creates a step.
  ///
  /// - Parameter maxRetriesAllowed: The number of retries after the first attempt.
  public init(maxRetriesAllowed: Int = 3) { maximumRetryCount = maxRetriesAllowed }

  /// Proceeds, or fails after too many retries.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    guard request.call.retryCount > maximumRetryCount else {
      return chain.proceedAsync(
        request: request, response: response, interceptor: self, completion: completion)
    }
    let error = RetryError.hitMaxRetryCount(
      count: maximumRetryCount, operationName: Operation.operationName)
    request.call.endRetries(error)
    chain.handleErrorAsync(error, request: request, response: response, completion: completion)
  }
}

extension MaxRetryInterceptor.RetryError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The problem and its solution in a sentence each.
  public var description: String {
    switch self {
    case .hitMaxRetryCount(let count, let name):
      "The operation '\(name)' was retried \(count) times without success. Look at the errors of its attempts, or raise the limit of MaxRetryInterceptor."
    }
  }
}
