public import ApolloAPI

/// The remaining steps of a call, for an ``ApolloInterceptor``. A program's mock can conform too.
@preconcurrency
public protocol RequestChain: Cancellable {
  /// `true` if the call was cancelled or has ended. Its steps then have no effect.
  var isCancelled: Bool { get }

  /// Begins with the first step.
  @preconcurrency
  func kickoff<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>,
    completion: @escaping RequestChainCompletion<Operation.Data>)

  /// Continues with the next step.
  @preconcurrency
  func proceedAsync<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>)

  /// Continues with the step behind `interceptor`, which is the one that calls this method.
  @preconcurrency
  func proceedAsync<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: ChainResponse<Operation>?,
    interceptor: any ApolloInterceptor,
    completion: @escaping RequestChainCompletion<Operation.Data>)

  /// Begins anew with the first step. A ``MaxRetryInterceptor`` limits the number of retries.
  @preconcurrency
  func retry<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>,
    completion: @escaping RequestChainCompletion<Operation.Data>)

  /// Passes an error to the additional error interceptor, or to `completion` if there is none.
  @preconcurrency
  func handleErrorAsync<Operation: GraphQLOperation>(
    _ error: any Error, request: HTTPRequest<Operation>, response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>)

  /// Delivers a result.
  @preconcurrency
  func returnValueAsync<Operation: GraphQLOperation>(
    for request: HTTPRequest<Operation>, value: GraphQLResult<Operation.Data>,
    completion: @escaping RequestChainCompletion<Operation.Data>)
}
