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

/// The chain as one of its steps sees it: it continues behind that step.
///
/// Every step has its own, so a step that is called again, or proceeds twice, needs no bookkeeping.
final class RequestChainStep: RequestChain {
  private let next: Int
  private let call: any CancellableChainCall

  init(next: Int, of call: any CancellableChainCall) {
    self.next = next
    self.call = call
  }

  var isCancelled: Bool { call.hasEnded }

  func cancel() { call.cancel() }

  func kickoff<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    request.call.run(0, request, nil, completion)
  }

  func proceedAsync<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    request.call.run(next, request, response, completion)
  }

  func proceedAsync<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: ChainResponse<Operation>?,
    interceptor: any ApolloInterceptor,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    request.call.run(next, request, response, completion)
  }

  func retry<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    request.call.retry(request, completion)
  }

  func handleErrorAsync<Operation: GraphQLOperation>(
    _ error: any Error, request: HTTPRequest<Operation>, response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    request.call.handle(error, self, request, response, completion)
  }

  func returnValueAsync<Operation: GraphQLOperation>(
    for request: HTTPRequest<Operation>, value: GraphQLResult<Operation.Data>,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    completion(.success(value))
  }
}
